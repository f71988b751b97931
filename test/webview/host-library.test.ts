import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { mangledNames } from '../../scripts/mangled-names.mjs'
import { AgentBrowser, createSeal, failures } from '../../src/index.ts'
import { fc, test as property } from '../support/property.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test('getScript returns the whole injected script, the same each time (S0-14 S0-59 S0-84)', () => {
  const script = AgentBrowser.getScript()
  expect(script).toContain('__agentBrowser')
  expect(script).toBe(AgentBrowser.getScript())
  expect(() => new Function(script)).not.toThrow()
})

test.each([
  ['agent-eyes.js', 111_500, 45_300],
  // the larger part of this is synthetic input: docs/webview-actions.md accounts for its size
  ['agent-browser.js', 174_500, 69_400],
  // agent-browser.js and the renderer
  ['agent-text.js', 223_500, 86_700],
])('%s stays within its size: %d bytes minified, %d gzipped', (file, most, mostGzipped) => {
  const script = readFileSync(at(`dist/${file}`))
  const gzipped = gzipSync(script, { level: 9 }).length
  console.log(`${file}: ${script.length} bytes, ${gzipped} gzipped`)
  expect(script.length).toBeLessThanOrEqual(most)
  expect(gzipped).toBeLessThanOrEqual(mostGzipped)
})

test('no property name shortened by the build is an HTML tag or a field of a response', () => {
  const tags =
    'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul var video wbr'
  const answers = ['page-api', 'snapshot', 'failures', 'target']
    .map(file => readFileSync(at(`src/contract/${file}.ts`), 'utf8'))
    .flatMap(source => [...source.matchAll(/(?:readonly|\{) (\w+)\??:/g)].map(([, name]) => name))
  expect(mangledNames.filter(name => tags.split(' ').includes(name) || answers.includes(name))).toEqual([])
})

test('the injected script is plain ASCII, so that no bridge can corrupt it', () => {
  expect(readFileSync(at('dist/agent-browser.js'), 'latin1')).toMatch(/^[\n\x20-\x7e]*$/)
})

test('a host that injects the published file needs no seal, until it makes a script with one', async () => {
  // a new process: nothing has called getScript
  const { outputFiles } = await build({
    entryPoints: [at('src/index.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'pagehand',
  })
  const run = (source: string) => runInContext(`${outputFiles[0]?.text}; ${source}`, createContext({})) as string
  const [, sealOfFile = ''] = /"(__PAGEHAND_SEAL__)"/.exec(readFileSync(at('dist/agent-browser.js'), 'utf8')) ?? []
  const window = { __agentBrowser: { seal: sealOfFile, call: () => '{"ok":true}' } }
  const answer = (expression: string) => JSON.parse(runInContext(expression, createContext({ window })))
  expect(answer(run('pagehand.AgentBrowser.snapshotJs()'))).toEqual({ ok: true })
  expect(answer(run('pagehand.AgentBrowser.getScript(); pagehand.AgentBrowser.snapshotJs()'))).toMatchObject({
    ok: false,
    error: { code: 'not_injected', message: expect.stringContaining('another seal'), hint: expect.stringContaining('Pass the seal') },
  })
})

test('snapshotJs is one expression that evaluates to a string (S0-08 S0-52 S0-60)', () => {
  const window = {
    __agentBrowser: {
      seal: /"(\w{32})"/.exec(AgentBrowser.snapshotJs())?.[1],
      call: (name: string, given: unknown[]) => JSON.stringify([name, given]),
    },
  }
  expect(runInContext(AgentBrowser.snapshotJs({ maxNodes: 7 }), createContext({ window }))).toBe('["snapshot",[{"maxNodes":7}]]')
})

test('without the injected script, an expression gives not_injected with the next step', () => {
  const answer = AgentBrowser.parseSnapshot(runInContext(AgentBrowser.snapshotJs(), createContext({ window: {} })))
  expect(answer).toMatchObject({ ok: false, error: { code: 'not_injected', hint: failures.not_injected } })
})

property('no argument can break out of an expression', [fc.string({ unit: 'binary' })], text => {
  const scope = `${text}</script><!--\u2028\u2029"'\`\${}`
  const got: unknown[] = []
  const window = { __agentBrowser: { seal: 'seal-of-this-test', call: (_: string, given: unknown[]) => got.push(...given) } }
  const expression = AgentBrowser.snapshotJs({ scope }, { seal: 'seal-of-this-test' })
  runInContext(expression, createContext({ window }))
  expect(got).toEqual([{ scope }])
  expect(expression).not.toMatch(/<|\u2028|\u2029/)
})

test('a malformed seal is rejected, and createSeal returns long random ones', () => {
  expect(() => AgentBrowser.getScript({ seal: '"+alert(1)+"' })).toThrow(TypeError)
  expect(() => AgentBrowser.snapshotJs({}, { seal: 'short' })).toThrow(TypeError)
  expect(createSeal()).toMatch(/^[0-9a-f]{32}$/)
  expect(createSeal()).not.toBe(createSeal())
})

test('normalizeRef accepts every spelling of a ref and nothing else (C1)', () => {
  for (const spelling of ['e12', '@e12', 'ref=e12', '[ref=e12]', '12', '[12]', ' E12 ', 12, 'e012'])
    expect(AgentBrowser.normalizeRef(spelling)).toBe('e12')
  expect(AgentBrowser.normalizeRef('[ref=f1e3]')).toBe('f1e3')
  for (const wrong of [
    '',
    'e',
    'x12',
    'e1 e2',
    'e-1',
    '1.5',
    null,
    undefined,
    {},
    0,
    -1,
    1.5,
    'e12;alert(1)',
    'f1',
    '#e12',
    'e99999999999',
  ])
    expect(AgentBrowser.normalizeRef(wrong)).toBeNull()
})

test('the host library runs without Node and DOM (S0-08 S0-85 S0-100)', async () => {
  const { outputFiles } = await build({
    entryPoints: [at('src/index.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'pagehand',
    platform: 'neutral',
    target: 'es2020',
  })
  // a bare realm with the language only
  const run = (source: string) => runInContext(`${outputFiles[0]?.text}; ${source}`, createContext({}))
  const json = JSON.stringify({
    ok: true,
    type: 'snapshot',
    meta: { url: 'https://a.test/', title: 't', ts: 0, version: '1' },
    stats: { nodesVisited: 1, nodesEmitted: 1, truncated: false, truncateReasons: [] },
    refs: { e1: {} },
    tree: { tag: 'body', role: 'document', children: [{ ref: 'e1', tag: 'button', role: 'button', name: 'Go' }] },
  })
  expect(run(`pagehand.AgentBrowser.renderSnapshot(${JSON.stringify(json)}).text`)).toContain('- button "Go" [ref=e1]')
  expect(run('pagehand.AgentBrowser.getScript().length')).toBeGreaterThan(10_000)
})
