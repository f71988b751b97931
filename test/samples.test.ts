import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  'README.md',
  'README.zh-CN.md',
  ...readdirSync(join(root, 'docs'))
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
]
const folder = mkdtempSync(join(tmpdir(), 'pagehand-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Sample {
  /** such as docs/tools.md:126 */
  readonly place: string
  readonly language: string
  /** what the page leaves to the reader: a comment before the block declares it */
  readonly given: string
  readonly source: string
}

const samplesOf = (page: string): readonly Sample[] => {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = text.matchAll(/(?:<!-- given: (?<given>.*?) -->\n)?^```(?<language>tsx?)\n(?<source>.*?)^```/gms)
  return [...blocks].map(({ 0: block, index, groups: { given = '', language = '', source = '' } = {} }) => ({
    place: `${page}:${text.slice(0, index + block.indexOf('```')).split('\n').length + 1}`,
    language,
    given,
    source,
  }))
}

/** the errors of a block, on the lines of its page */
function errorsOf(output: string, samples: readonly Sample[]): readonly string[] {
  return output.split('\n').flatMap(line => {
    const [, index, row, message] = /^sample(\d+)\.tsx?\((\d+),\d+\): (.*)$/.exec(line) ?? []
    if (index === undefined) return /error TS/.test(line) ? [line] : []
    const [page, first] = (samples[Number(index)]?.place ?? '').split(':')
    return [`${page}:${Number(first) + Number(row) - 2} ${message}`]
  })
}

function compile(samples: readonly Sample[]): readonly string[] {
  samples.forEach(({ language, given, source }, index) => {
    writeFileSync(join(folder, `sample${index}.${language}`), `${given}; export {}\n${source}`)
  })
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder, encoding: 'utf8' })
    return []
  } catch (error) {
    return errorsOf((error as { readonly stdout: string }).stdout, samples)
  }
}

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  paths: {
    pagehand: [join(root, 'src/index.ts')],
    'pagehand/*': [join(root, 'src/*.ts')],
    'react-native-webview': [join(folder, 'react-native-webview.d.ts')],
  },
}

/** the part of react-native-webview that the docs use; the package needs React Native */
const reactNativeWebView = `import type { Component } from 'react'
export declare class WebView extends Component<{
  source: { uri: string }
  injectedJavaScriptBeforeContentLoaded?: string
  onMessage?: (event: { nativeEvent: { data: string } }) => void
  onLoadEnd?: () => void
}> {
  injectJavaScript(script: string): void
}`

writeFileSync(join(folder, 'bridge.ts'), `export * from '${join(root, 'examples/react-native/bridge.ts')}'\n`)
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }))
writeFileSync(join(folder, 'react-native-webview.d.ts'), reactNativeWebView)

test('every TypeScript sample of the README and the docs compiles with the types of the SDKs that it uses', () => {
  const samples = pages.flatMap(samplesOf)
  expect(samples.length).toBeGreaterThan(25)
  expect(samples.filter(({ source }) => /from '(openai|@anthropic-ai\/sdk|ai)'/.test(source)).length).toBeGreaterThan(3)
  // a sample that is wrong shows that the compiler has read them
  const wrong = {
    place: 'docs/wrong.md:7',
    language: 'ts',
    given: '',
    source: "import { openSession } from 'pagehand/browser'\nopenSession(7)\n",
  }
  expect(compile([...samples, wrong])).toEqual([expect.stringMatching(/^docs\/wrong\.md:8 error TS/)])
})
