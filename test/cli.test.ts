import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-cli-'))
const page = join(folder, 'page.html')

beforeAll(async () => {
  writeFileSync(page, '<title>T</title><main><h1>Lamps</h1><p>All of them.</p><a href="/a" class=x>First</a><a href="/b">Second</a></main>')
  const entry = fileURLToPath(new URL('../src/surfaces/cli/main.ts', import.meta.url))
  await build({
    entryPoints: [entry],
    outfile: join(folder, 'cli.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function pagehand(given: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'cli.mjs'), ...given], { input, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

test('pagehand html prints the snapshot of a file, and of standard input', () => {
  const told = pagehand(['html', page])
  expect(told).toMatchObject({ code: 0, err: '', out: expect.stringContaining('@e1  [link href="/a"] "First"\n') })
  expect(pagehand(['html', '-'], '<a href="/a">First</a>').out).toContain('@e1  [link href="/a"] "First"')
})

test('options reach the snapshot: format, budget, scope, after, all', () => {
  expect(pagehand(['html', page, '--format', 'tree', '--all']).out).toContain('- heading "Lamps" [level=1]')
  expect(pagehand(['html', page, '--scope', 'a.x']).out).not.toContain('Second')
  expect(pagehand(['html', page, '--after', 'e1']).out).toMatch(/@e2.*Second/)
  expect(pagehand(['html', page, '--max-chars', '200']).out.length).toBeLessThanOrEqual(201)
})

test('--query, --read and --json give one element, the text and the whole result', () => {
  expect(pagehand(['html', page, '--query', 'e1', '--kind', 'attr']).out).toBe('{"href":"/a","class":"x"}\n')
  expect(pagehand(['html', page, '--read']).out).toContain('# Lamps\n\nAll of them.')
  expect(pagehand(['html', page, '--read', '--max-chars', '10']).out).toMatch(/… more: --offset \d+\n$/)
  expect(JSON.parse(pagehand(['html', page, '--json']).out)).toMatchObject({ refs: { e1: { tag: 'a' } }, stats: { truncated: false } })
})

test('what cannot be done is said on standard error: 1 for the page or the file, 2 for wrong use', () => {
  expect(pagehand(['html', join(folder, 'none.html')])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('ENOENT') })
  expect(pagehand(['html', page, '--scope', '>>>'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('invalid_selector') })
  expect(pagehand(['html', page, '--query', 'e99'])).toMatchObject({ code: 1, err: expect.stringContaining('ref_not_found') })
  expect(pagehand(['html', page, '--max-chars', 'many'])).toMatchObject({ code: 1, err: expect.stringContaining('maxCharsTotal') })
  expect(pagehand(['html', page, '--bogus'])).toMatchObject({ code: 2, err: expect.stringContaining('pagehand help html') })
  expect(pagehand(['html'])).toMatchObject({ code: 2 })
  expect(pagehand(['fly'])).toMatchObject({ code: 2, err: expect.stringContaining('unknown command fly') })
})

test('help says what every option does', () => {
  const { out, code } = pagehand(['help', 'html'])
  expect(code).toBe(0)
  for (const option of ['--format', '--max-chars', '--all', '--scope', '--after', '--query', '--kind', '--read', '--offset', '--json'])
    expect(out).toContain(option)
})
