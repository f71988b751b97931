import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json'))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'pagehand-package-'))
const node = (...given: string[]) => execFileSync(process.execPath, given, { cwd: folder, encoding: 'utf8' })

// the library as published: package.json, the compiled sources, and its dependencies
beforeAll(() => {
  node(tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', join(folder, 'dist'))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of Object.keys(manifest.dependencies)) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  // the compiler shares the cores with other tests: this only ends what hangs
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a project imports pagehand/html by name and calls it (S1-55 S1-56 S1-65)', () => {
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { buildDocument, query, queryRef, read, snapshot } from 'pagehand/html'
     const document = buildDocument('<a href="/x">Link</a>')
     console.log(JSON.stringify([snapshot(document).snapshotText, query(document, 'e1', 'TEXT').value, queryRef('<a href="/x">Link</a>', '@e1', 'ATTR').value, read(document).text]))`,
  )
  expect(JSON.parse(node('use.mjs'))).toEqual([
    '[snapshot] nodes=1 emitted=1 truncated=false complete\n@e1  [link href="/x"] "Link"',
    'Link',
    '{"href":"/x"}',
    '[Link](@e1)',
  ])
})

test('the types work without Node and DOM typings (S1-26 S1-27 S1-56 S1-65)', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { buildDocument, query, snapshot } from 'pagehand/html'
     import type { NodeRef, RefQueryKind, RefQueryResult, SnapshotDocument, SnapshotOptions, SnapshotResult, SnapshotStats } from 'pagehand/html'
     const options: SnapshotOptions = { maxCharsTotal: 12_000, maxNodes: 200, maxDepth: 12, maxTextPerNode: 200, interactiveOnly: true,
       includeAttrs: new Set(['href']), scopeSelector: null, outputFormat: 'PLAIN_TEXT_TREE', dedupeText: true }
     const document: SnapshotDocument = buildDocument('', options)
     const { snapshotText, refs, stats }: SnapshotResult = snapshot(document)
     const { inputChars, nodesVisited, nodesEmitted, truncated, reasons }: SnapshotStats = stats
     const each: readonly (string | undefined)[] = Object.values(refs).map(({ ref, tag, role, name, attrs, path, textSnippet }: NodeRef) =>
       [ref, tag, role, name, attrs.href, path, textSnippet].join())
     const kind: RefQueryKind = 'OUTER_HTML'
     const found: RefQueryResult = query(document, 'e1', kind, 4_000)
     const value: string = found.value
     export const numbers: number[] = [snapshotText.length, inputChars, nodesVisited, nodesEmitted, reasons.length, each.length, value.length]
     export const cut: boolean = truncated || found.truncated
     // @ts-expect-error: no such option
     snapshot(document, { maxNodez: 1 })`,
  )
  const strict = '--strict --noEmit --module nodenext --target es2022 --lib es2022 --exactOptionalPropertyTypes'.split(' ')
  // the compiler prints its errors on stdout, and nothing else
  expect(node(tsc, ...strict, '--types', '', 'use.ts')).toBe('')
})

test('every entry compiles with a checked library and without the optional packages; pagehand/agent needs ai', () => {
  const entries = Object.keys(manifest.exports)
    .filter(path => !/\./.test(path.slice(1)) && path !== './agent')
    .map(path => path.replace(/^\./, 'pagehand'))
  expect(entries).toContain('pagehand/wire')
  writeFileSync(join(folder, 'all.ts'), entries.map((name, index) => `export * as entry${index} from '${name}'`).join('\n'))
  const strict = '--strict --noEmit --module nodenext --target es2022 --lib es2022,dom --exactOptionalPropertyTypes --skipLibCheck false'
  const nodeTypes = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
  expect(node(tsc, ...strict.split(' '), ...nodeTypes, 'all.ts')).toBe('')
})

test('pagehand/html runs in a bare JavaScript realm (S1-09 S1-13 S1-65)', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { snapshot, queryRef, read } from './src/html.ts'`, resolveDir: root },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'html',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })
  // a new context has no process, require, fetch, timers, URL or document
  const context = createContext({ page: '<a href="/x">Link</a><p>Words</p>' })
  expect(runInContext('[typeof process, typeof require, typeof fetch, typeof setTimeout, typeof document].join()', context)).toBe(
    'undefined,undefined,undefined,undefined,undefined',
  )
  runInContext(outputFiles[0]?.text ?? '', context)
  expect(
    runInContext(`[html.snapshot(page).snapshotText, html.queryRef(page, 'e1', 'TEXT').value, html.read(page).text].join('\\n')`, context),
  ).toBe(
    '[snapshot] nodes=2 emitted=1 truncated=false\n@e1  [link href="/x"] "Link"\n… 1 text without a line in this format: format=tree\nLink\n[Link](@e1)\n\nWords',
  )
})

test('the package contains the promised files and nothing else (S1-55)', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const files: string[] = JSON.parse(listed)[0].files.map(({ path }: { path: string }) => path)
  expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'docs/html.md']))
  expect(files.filter(file => !/^(dist|docs|contracts|examples)\/|^[A-Z][\w.-]*$|^package\.json$/.test(file))).toEqual([])
  expect(manifest.private).toBeUndefined()
  expect(manifest).toMatchObject({ name: 'pagehand', license: 'MIT', type: 'module' })
  expect(manifest.exports['./html']).toEqual({ types: './dist/html.d.ts', default: './dist/html.js' })
  expect(manifest.files).toContain('dist')
})

test('the README explains the purpose, the usage, the pitfall and the default budget (S1-61)', () => {
  const readme = read('README.md')
  const opening = readme.slice(0, readme.indexOf('```'))
  expect(opening).toContain('outerHTML')
  expect(opening).toContain('overflows its context')
  expect(opening).toContain('12,000 characters')
  const example = /```ts\n(import[^`]*from 'pagehand\/html'[^`]*)```/.exec(readme)?.[1] ?? ''
  for (const call of ['buildDocument(', 'snapshot(', 'query(', 'read(']) expect(example).toContain(call)
  expect(readme).toMatch(/^- \*\*Never feed `outerHTML` to a model\.\*\*/m)
  const options = read('docs/html.md')
  for (const row of [
    '`maxCharsTotal` | 12,000',
    '`maxNodes` | 200',
    '`maxDepth` | 12',
    '`maxTextPerNode` | 200',
    '`interactiveOnly` | true',
  ])
    expect(options).toContain(row)
})
