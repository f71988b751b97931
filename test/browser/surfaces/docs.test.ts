import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MockLanguageModelV4 } from 'ai/test'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { AgentBrowser } from '../../../src/index.ts'
import { openPage, type TestPage } from '../../support/open-page.ts'
import { openSite } from '../../support/site.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// inside the work tree, so that the browser in node_modules is found
const folder = mkdtempSync(join(root, 'node_modules', '.pagehand-docs-'))
const env = { ...process.env, PAGEHAND_RUNTIME_DIR: join(folder, 'run'), PATH: `${folder}:${process.env.PATH}` }
let home: string
let page: TestPage

const example =
  '<!doctype html><title>Example</title><h1>Example</h1><p>What it is for: documents.</p><a href="/more">More information</a><ul id=list><li><a href=#1>One</a><li><a href=#2>Two</a></ul>'

beforeAll(async () => {
  home = (await openSite()).add({ '': example }).url
  page = await openPage({ html: example })
  await buildPrograms(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  // the commands of the docs, as written
  for (const [name, skip] of [
    ['pagehand', ''],
    ['npx', 'shift; '],
  ] as const)
    writeFileSync(join(folder, name), `#!/bin/sh\n${skip}exec "${process.execPath}" "${join(folder, 'cli.js')}" "$@"\n`, { mode: 0o755 })
  Object.assign(globalThis, {
    AgentBrowser,
    evaluate: (expression: string) => page.evaluate(expression),
    html: example,
    model,
    openai,
    anthropic,
    ...(await seen()),
  })
})
afterAll(async () => {
  await sh('pagehand stop')
  await page.close()
  rmSync(folder, { recursive: true, force: true })
})

/** the values that fragments of the README use without defining them */
async function seen() {
  await page.evaluate(AgentBrowser.getScript())
  const json = await page.evaluate<string>(AgentBrowser.snapshotJs())
  return { json, before: json, after: json }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) =>
    prompt.at(-1)?.role === 'tool'
      ? { content: [{ type: 'text', text: 'It says Example.' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
      : {
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'web_open', input: JSON.stringify({ url: home }) }],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        },
})
const toolResults: string[] = []
const openai = {
  chat: {
    completions: {
      create: async ({ messages, tools }: { messages: { role: string; content: string }[]; tools: { function: { name: string } }[] }) => {
        const last = messages.at(-1)
        if (last?.role === 'tool') toolResults.push(last.content)
        const call = { id: '1', function: { name: tools[0]?.function.name, arguments: JSON.stringify({ url: home }) } }
        return {
          choices: [
            { message: last?.role === 'tool' ? { role: 'assistant', content: 'done' } : { role: 'assistant', tool_calls: [call] } },
          ],
        }
      },
    },
  },
}
const anthropic = {
  messages: {
    create: async ({ messages }: { messages: { content: string | { type: string; content: { text: string }[] }[] }[] }) => {
      const result = messages.at(-1)?.content[0]
      if (typeof result === 'string' || result?.type !== 'tool_result')
        return {
          role: 'assistant',
          content: [{ type: 'tool_use', id: '1', name: 'web_open', input: { url: home } }],
          stop_reason: 'tool_use',
        }
      toolResults.push(result.content[0]?.text ?? '')
      return { role: 'assistant', content: [{ type: 'text', text: 'It says Example.' }], stop_reason: 'end_turn' }
    },
  },
}

const blocks = (language: string, files: readonly string[]) =>
  files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      ([, code = ''], index) => [file, index + 1, code] as const,
    ),
  )
/** a login needs a window and someone who logs in; its types are checked with those of all samples */
const needsPerson = /\bopenLogin\(/
const atHome = (code: string) =>
  code.replaceAll('https://example.org/', home).replace("startRun('evidence'", `startRun('${join(folder, 'evidence')}'`)

/** A module whose default export makes the client of this file. */
function stubOf(client: string): string {
  const file = join(folder, `stub-${client}.mjs`)
  writeFileSync(file, `export default class { constructor() { return globalThis.${client} } }\n`)
  return file
}

test.each(
  blocks('ts', [
    'README.md',
    'README.zh-CN.md',
    'docs/tools.md',
    'docs/browser.md',
    'docs/webview-integration.md',
    'docs/policy.md',
    'docs/evidence.md',
  ]).filter(([, , code]) => !needsPerson.test(code)),
)('the program in %s (%i) runs as written', async (file, index, code) => {
  const name = `${file.replace(/\W/g, '-')}-${index}.mjs`
  writeFileSync(join(folder, `${name}.ts`), atHome(code))
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile: join(folder, name),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: ['node20.19'],
    alias: Object.fromEntries(
      ['html', 'browser', 'tools', 'evidence']
        .map(entry => [`pagehand/${entry}`, join(root, `src/${entry}.ts`)])
        .concat([['pagehand', join(root, 'src/index.ts')]])
        // the clients answer as a model would
        .concat(['openai', 'anthropic'].map(client => [client === 'openai' ? 'openai' : '@anthropic-ai/sdk', stubOf(client)])),
    ),
    packages: 'external',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  })
  await import(pathToFileURL(join(folder, name)).href)
})

/** Errors of the samples that import the package, as tsc prints them. Names that a fragment does not define may be anything. */
function typeErrors(samples: readonly (readonly [file: string, index: number, code: string])[]): string[] {
  const files = samples.map(([file, index, code]) => {
    const name = `typed-${file.replace(/\W/g, '-')}-${index}.ts`
    writeFileSync(join(folder, name), code)
    return name
  })
  const compilerOptions = { noUnusedLocals: false, noImplicitAny: false, typeRoots: [join(root, 'node_modules/@types')] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }),
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  // the sources are checked by `npm run types`, with stricter options that some of their overloads need
  // TS2304, TS2552 and TS18004: there is no such name; TS2307: the package is not installed here
  return stdout
    .split('\n')
    .filter(line => /\btyped-[\w-]+\.ts\(\d+,\d+\): error TS/.test(line) && !/TS(2304|2552|18004):|TS2307: .*@anthropic-ai/.test(line))
}

const pages = [
  'README.md',
  'README.zh-CN.md',
  ...readdirSync(join(root, 'docs')).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]
const importing = ['ts', 'js', 'typescript', 'javascript'].flatMap(language =>
  blocks(language, pages).filter(([, , code]) => /from 'pagehand/.test(code)),
)

test('every sample that imports the package type-checks, and needs nothing newer than Node 20', { timeout: 120_000 }, () => {
  expect(importing.length).toBeGreaterThan(10)
  expect(typeErrors(importing)).toEqual([])
  expect(importing.filter(([, , code]) => /\bawait using\b/.test(code)).map(([file, index]) => `${file} (${index})`)).toEqual([])
  expect(typeErrors([['sample', 1, "import { openSession } from 'pagehand/browser'\nawait openSession({ viewport: 5 })"]])).toHaveLength(1)
})

test('the OpenAI and Anthropic loops in docs/tools.md open the page', () => {
  const opened = expect.stringMatching(/^ok: open\n<page \S+ url="http:\/\/127\.0\.0\.1/)
  expect(toolResults).toEqual([opened, opened])
})

async function sh(script: string) {
  const child = spawn('sh', ['-e', '-c', script], { env, cwd: folder })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

const commands = blocks('sh', ['README.md', 'README.zh-CN.md', 'docs/cli.md', 'docs/evidence.md']).filter(([, , code]) =>
  /^(npx )?pagehand (?!html|agent|studio)/m.test(code),
)

test.each(commands)('the commands in %s (%i) run as written', { timeout: 120_000 }, async (_file, _index, code) => {
  expect(await sh(atHome(code))).toMatchObject({ code: 0, err: '' })
})
