import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { verbs } from '../src/contract/commands.ts'
import { failures } from '../src/contract/failures.ts'
import { commandSpecs } from '../src/surfaces/cli/commands.generated.ts'
import { help, programCommands } from '../src/surfaces/cli/help.ts'
import { invalidRules, parseCommandLine } from '../src/surfaces/cli/run-command.ts'
import { mcpHelp, parseMcpOptions } from '../src/surfaces/mcp/options.ts'
import {
  agentPrompt,
  agentToolList,
  browserPrompt,
  browserToolList,
  inputSchema,
  systemPrompt,
  type Tool,
  webToolList,
} from '../src/tools.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', 'README.zh-CN.md', ...readdirSync(join(root, 'docs')).map(file => `docs/${file}`)].filter(file =>
  file.endsWith('.md'),
)
const blocksIn = (file: string, language: string) =>
  [...read(file).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(found => found[1] ?? '')

interface Property {
  readonly type?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly description?: string
}

const cell = (text: string) => text.replaceAll('|', '\\|')

function toolTable(tools: readonly Tool[]): string {
  const rows = tools.map(tool => {
    const { properties = {}, required = [] } = inputSchema(tool) as { properties?: { [name: string]: Property }; required?: string[] }
    const parameters = Object.entries(properties).map(([name, { type, default: defaultValue, enum: values }]) => {
      const kind = values ? values.join(' / ') : type
      return `\`${name}\`${required.includes(name) ? '' : '?'} ${kind}${defaultValue === undefined ? '' : ` = ${defaultValue}`}`
    })
    return `| \`${tool.name}\` | ${cell(tool.description)} | ${cell(parameters.join('; ')) || '–'} |`
  })
  return ['| tool | description | parameters |', '|---|---|---|', ...rows].join('\n')
}

/** what each class of verbs can change */
const risks = {
  look: 'nothing: only reads',
  move: 'the view: focus, hover and scroll position',
  act: 'the page',
  leave: 'which page is open',
  power: 'anything: runs code or reads files',
}
const riskTable = [
  '| class | can change | verbs |',
  '|---|---|---|',
  ...Object.entries(risks).map(([risk, change]) => {
    const names = Object.entries(verbs).flatMap(([name, verb]) => (verb.risk === risk ? [`\`${name}\``] : []))
    return `| \`${risk}\` | ${change} | ${names.join(', ')} |`
  }),
].join('\n')

const table = (titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [`| ${titles.join(' | ')} |`, `|---|${'---:|'.repeat(titles.length - 1)}`, ...rows.map(row => `| ${row.join(' | ')} |`)].join('\n')

const roundTo = (step: number, value: number) => (Math.round(value / step) * step).toLocaleString('en')

const toolSets: readonly (readonly [name: string, tools: readonly Tool[], prompt: string])[] = [
  ['web tools', webToolList(), systemPrompt()],
  ['browser tool', browserToolList, browserPrompt()],
  ['sub-agent tools', agentToolList, agentPrompt()],
]
const definitions = (tools: readonly Tool[]) =>
  JSON.stringify(tools.map(tool => ({ name: tool.name, description: tool.description, inputSchema: inputSchema(tool) })))

/** The rows of the first table below a heading of docs/bench.md, by their first cell. */
function benchRows(heading: string): ReadonlyMap<string, readonly string[]> {
  const section = read('docs/bench.md').split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? ''
  return new Map(
    [...section.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) => {
      const [first = '', ...cells] = row.split('|').map(each => each.trim())
      return [first, cells]
    }),
  )
}

/** The rows of docs/bench.md that the README shows. */
function benchTable(): string {
  const cells = (heading: string, row: string) => benchRows(heading).get(row) ?? []
  const number = (text = '') => Number(text.replace(/[,x%]/g, ''))
  const [, ourChars, , , theirChars] = cells('Size', '20,000 elements')
  const [, , ourFirst, , , , theirFirst, ratio] = cells('Time', '20,000 elements')
  const [, ourRecall, theirRecall] = cells('Recall', 'mean of pages')
  const percent = (text?: string) => `${Math.floor(number(text))} %`
  const wpt = (row: string): [string, string, string] => {
    const [ours = '', theirs = '', all = ''] = cells('Names', row)
    return [ours, theirs, all]
  }
  const [ourNames, theirNames, names] = wpt('names')
  const [ourRoles, theirRoles, roles] = wpt('roles')
  return table(
    ['', 'pagehand', 'Playwright'],
    [
      ['snapshot of a page with 20,000 elements', `${ourChars} characters`, `${theirChars} characters`],
      ['its time, repeated / first', '1x', `${number(ratio).toFixed(1)}x / ${Math.round(number(theirFirst) / number(ourFirst))}x`],
      ['controls in view that are within the first 12,000 characters, 20 real pages', percent(ourRecall), percent(theirRecall)],
      [`accessible names, ${names} cases of web-platform-tests`, ourNames, theirNames],
      [`roles, ${roles} cases of web-platform-tests`, ourRoles, theirRoles],
    ],
  )
}

/** The generated parts of the documents, by the name in their marker. */
const generated: { readonly [part: string]: string } = {
  web: toolTable(webToolList({ allowEval: true })),
  browser: toolTable(browserToolList),
  agent: toolTable(agentToolList),
  errors: ['| code | next step |', '|---|---|', ...Object.entries(failures).map(([code, next]) => `| \`${code}\` | ${cell(next)} |`)].join(
    '\n',
  ),
  cli: [
    '```text',
    help()?.trimEnd(),
    '```',
    ...Object.keys(commandSpecs).map(
      command => `\n### ${command}\n\n\`\`\`text\n${(help(command) ?? '').split('\n\nOptions of every')[0]?.trimEnd()}\n\`\`\``,
    ),
  ].join('\n'),
  risks: riskTable,
  bench: benchTable(),
  scripts: table(
    ['file', 'minified', 'gzipped'],
    ['agent-eyes.js', 'agent-browser.js', 'agent-text.js'].map(file => {
      const script = readFileSync(join(root, 'dist', file))
      return [`\`${file}\``, `${roundTo(1, script.length / 1_000)} kB`, `${roundTo(1, gzipSync(script, { level: 9 }).length / 1_000)} kB`]
    }),
  ),
  toolsets: table(
    ['tool set', 'tools', 'characters of names, descriptions and schemas', 'characters of the prompt'],
    toolSets.map(([name, tools, prompt]) => [name, tools.length, roundTo(100, definitions(tools).length), roundTo(100, prompt.length)]),
  ),
  mcp: `\`\`\`text\n${mcpHelp.trimEnd()}\n\`\`\``,
}

const parts = pages.flatMap(file => [...read(file).matchAll(/<!-- generated: (\w+) -->/g)].map(found => [file, found[1] ?? ''] as const))

test.each(parts)('%s matches the code in its section %s (S2-07)', (file, part) => {
  const form = new RegExp(`(<!-- generated: ${part} -->\n)[\\s\\S]*?(<!-- /generated -->)`)
  const now = read(file).replace(form, (_, begin: string, end: string) => `${begin}${generated[part]}\n${end}`)
  if (process.env.UPDATE) writeFileSync(join(root, file), now)
  expect(read(file), 'run `npm run gen` and commit the diff').toBe(now)
})

test('every generated part is used in a document', () => {
  expect(parts.map(([, part]) => part).sort()).toEqual(Object.keys(generated).sort())
})

const lines = pages.flatMap(file =>
  blocksIn(file, 'sh').flatMap(block =>
    block
      .replace(/<<'END'\n[\s\S]*?\nEND/g, '')
      .split('\n')
      .flatMap(line => /^(?:npx (?:-y )?)?pagehand (.*?)(?:\s+[#|].*)?$/.exec(line.trim())?.[1] ?? [])
      .map(command => [file, command] as const),
  ),
)

test.each(lines)('%s: "pagehand %s" is a valid command', async (_file, line) => {
  const [command = '', ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const program = Object.keys(programCommands).some(each => each.split(/[ |]/)[0] === command)
  if (command === 'mcp') expect(parseMcpOptions(words)).toBeTypeOf('object')
  else if (!program) {
    const read = parseCommandLine(command, words)
    expect(read.ok ? await invalidRules(read.options) : read.why).toBe('')
  }
})

test('every tool and file that a document names exists (TRUST E2)', () => {
  const tools = new Set([...webToolList({ allowEval: true }), ...agentToolList, ...browserToolList].map(({ name }) => name))
  for (const file of pages) {
    const text = read(file)
    for (const [name] of text.matchAll(/\bweb_[a-z_]+/g)) expect(tools, `${file} names ${name}`).toContain(name)
    for (const [, target = ''] of text.matchAll(/\]\(((?!https?:|#)[^)#]+)/g))
      expect(() => readFileSync(resolve(root, dirname(file), target)), `${file} links ${target}`).not.toThrow()
  }
})

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every source file that %s names exists', file => {
  for (const [, path = ''] of read(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|json|md))`/g))
    expect(
      [path, `src/${path}`].some(each => existsSync(join(root, each))),
      `${file} names ${path}`,
    ).toBe(true)
})

test('every MCP configuration in the docs starts the server with valid flags', () => {
  const configurations = pages.flatMap(file => blocksIn(file, 'json')).filter(block => block.includes('"mcp"'))
  expect(configurations.length).toBeGreaterThan(1)
  for (const configuration of configurations) {
    const { mcpServers, servers } = JSON.parse(configuration)
    const { command, args } = (mcpServers ?? servers).pagehand
    expect(command).toBe('npx')
    expect(args.slice(0, 3)).toEqual(['-y', 'pagehand', 'mcp'])
    expect(parseMcpOptions(args.slice(3))).toBeTypeOf('object')
  }
})
