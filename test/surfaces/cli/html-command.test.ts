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
  const entry = fileURLToPath(new URL('../../../src/surfaces/cli/main.ts', import.meta.url))
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

test('pagehand html prints the snapshot of a file or of stdin', () => {
  const result = pagehand(['html', page])
  expect(result).toMatchObject({ code: 0, err: '', out: expect.stringContaining('@e1  [link href="/a"] "First"\n') })
  expect(pagehand(['html', '-'], '<a href="/a">First</a>').out).toContain('@e1  [link href="/a"] "First"')
})

test('no form of pagehand html prints a control, bidi or tag character of the page, and JSON stays faithful (A1)', ({ task }) => {
  const raw = 'a\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202eb\u{e0041}\u2028c'
  const source = `<title>${raw}</title><main><p id="${raw}">${raw}</p><a href="/${raw}" title="${raw}">First ${raw}</a></main>`
  const forms = [
    [],
    ['--all'],
    ['--format', 'json'],
    ['--json'],
    ...['text', 'attr', 'outer_html'].flatMap(kind => [
      ['--query', 'e1', '--kind', kind],
      ['--query', 'e1', '--kind', kind, '--json'],
    ]),
    ['--read', '--all'],
    ['--read', '--all', '--json'],
    ['--scope', raw],
  ]
  task.meta.tries = forms.length
  for (const form of forms) {
    const { out, err } = pagehand(['html', '-', ...form], source)
    expect(out + err, form.join(' ')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u202e]|\udb40/)
  }
  const { out } = pagehand(['html', '-', '--query', 'e1', '--json'], source)
  expect(JSON.parse(out).value).toBe(`First ${raw.replace('\u2028', ' ')}`)
})

test('a URL instead of a file is explained, and kinds are named as they are written', () => {
  expect(pagehand(['html', 'http://shop.example/'])).toMatchObject({
    code: 1,
    err: 'pagehand html: http://shop.example/ is a URL, and this command reads files. Run: pagehand open http://shop.example/; or: curl -sL http://shop.example/ | pagehand html -\n',
  })
  expect(pagehand(['html', page, '--query', 'e1', '--kind', 'value']).err).toContain('unknown kind "value": use text, attr or outer_html.')
})

test('options reach the snapshot: format, budget, scope, after, all', () => {
  expect(pagehand(['html', page, '--format', 'tree', '--all']).out).toContain('- heading "Lamps" [level=1]')
  expect(pagehand(['html', page, '--scope', 'a.x']).out).not.toContain('Second')
  expect(pagehand(['html', page, '--after', 'e1']).out).toMatch(/@e2.*Second/)
  expect(pagehand(['html', page, '--max-chars', '200']).out.length).toBeLessThanOrEqual(201)
})

test('--query, --read and --json print an element, the text and the whole result', () => {
  expect(pagehand(['html', page, '--query', 'e1', '--kind', 'attr']).out).toBe('{"href":"/a","class":"x"}\n')
  expect(pagehand(['html', page, '--query', 'e1', '--all', '--kind', 'TEXT']).out).toContain('Lamps')
  expect(pagehand(['html', page, '--read']).out).toBe('# Lamps\n\nAll of them.\n\n[First](@e1)[Second](@e2)\n')
  expect(pagehand(['html', page, '--read', '--format', 'text']).out).toBe('Lamps\n\nAll of them.\n\nFirstSecond\n')
  expect(JSON.parse(pagehand(['html', page, '--json']).out)).toMatchObject({ refs: { e1: { tag: 'a' } }, stats: { truncated: false } })
  expect(JSON.parse(pagehand(['html', page, '--read', '--json']).out)).toMatchObject({ title: 'T', links: { e1: '/a' }, nextOffset: null })
})

test('stdout has only the result, and hints go to stderr', () => {
  const first = pagehand(['html', page, '--read', '--max-chars', '16'])
  expect(first).toEqual({ code: 0, out: '# Lamps\n\nAll of \n', err: 'pagehand html: there is more: continue with --offset 16\n' })
  expect(pagehand(['html', page, '--read', '--offset', '16']).out).toBe('them.\n\n[First](@e1)[Second](@e2)\n')
  const { out, err } = pagehand(['html', page, '--query', 'e1', '--kind', 'attr', '--max-chars', '14'])
  expect(JSON.parse(out)).toEqual({ href: '/a' })
  expect(err).toContain('--max-chars')
})

test('a failure prints to stderr and exits with 1 for the page or file, and with 2 for wrong usage', () => {
  const none = join(folder, 'none.html')
  expect(pagehand(['html', none])).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`cannot read ${none}: no such file`) })
  expect(pagehand(['html', folder])).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`cannot read ${folder}: `) })
  expect(pagehand(['html', page, '--scope', '#no'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('scope_not_found') })
  expect(pagehand(['html', page, '--query', 'e99'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('ref_not_found') })
  expect(pagehand(['html', page, '--scope', '#no', '--json'])).toMatchObject({ code: 1, out: expect.stringContaining('"scope_not_found"') })
  for (const [words, said] of [
    [['--scope', '>>>'], 'invalid_selector'],
    [['--query', 'x'], 'invalid_ref'],
    [['--query', 'e1', '--kind', 'soul'], 'unsupported_query'],
    [['--max-chars', 'many'], '--max-chars must be a whole number from 200 to 100000'],
    [['--read', '--max-chars', '0'], '--max-chars must be a whole number from 1 to 100000'],
    [['--read', '--format', 'tree'], "--format must be 'markdown' or 'text'"],
    [['--format', 'xml'], '--format must be one of'],
    [['--bogus'], 'unknown option --bogus. Run: pagehand help html\n'],
    [['--offset', '3'], '--offset needs --read'],
    [['--kind', 'text'], '--kind needs --query'],
    [['--read', '--scope', 'main'], '--scope cannot be used with --read'],
    [['--read', '--query', 'e1'], '--query cannot be used with --read'],
    [['another.html'], 'name one file'],
  ] as const)
    expect(pagehand(['html', page, ...words])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(said) })
  expect(pagehand(['html'])).toMatchObject({ code: 2 })
  expect(pagehand(['fly'])).toMatchObject({ code: 2, err: expect.stringContaining('unknown command fly') })
})

test('a closed pipe ends the command silently', () => {
  const much = join(folder, 'much.html')
  writeFileSync(much, '<p><a href=/x>a link with some words</a></p>'.repeat(5_000))
  const command = `"${process.execPath}" "${join(folder, 'cli.mjs')}" html "${much}" --max-chars 100000 --max-nodes 5000`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${command} | head -1; ${command} --json | true`], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^\[snapshot\] .*\n$/)
})

const words = '登录 価格'
test.each([
  ['UTF-8', Buffer.from(`<button>${words}</button>`)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff<button>${words}</button>`)],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff<button>${words}</button>`, 'utf16le')],
  // 登录 in GBK, 価格 in Shift_JIS
  ['GBK declared by meta charset', Buffer.concat([Buffer.from('<meta charset="gbk"><button>'), Buffer.from([0xb5, 0xc7, 0xc2, 0xbc])])],
  [
    'Shift_JIS declared by meta http-equiv',
    Buffer.concat([
      Buffer.from('<meta http-equiv=Content-Type content="text/html; charset=Shift_JIS"><button>'),
      Buffer.from([0x89, 0xbf, 0x8a, 0x69]),
    ]),
  ],
  ['UTF-8 with an unknown charset', Buffer.from(`<meta charset=martian><button>${words}</button>`)],
])('a file is decoded as %s', (_, bytes) => {
  const file = join(folder, 'encoded.html')
  writeFileSync(file, bytes)
  expect(pagehand(['html', file]).out).toMatch(/@e1 {2}\[button\] "(登录|価格|登录 価格)"/)
})

test('a binary file yields an answer within the budget', () => {
  const file = join(folder, 'binary')
  writeFileSync(
    file,
    Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7_919 + (i >> 3)) % 256),
  )
  const { code, out, err } = pagehand(['html', file, '--all'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.length).toBeLessThanOrEqual(12_001)
  expect(pagehand(['html', file, '--read'])).toMatchObject({ code: 0 })
  expect(pagehand(['html', '-'], '')).toMatchObject({ code: 0, out: '[snapshot] nodes=0 emitted=0 truncated=false complete\n' })
})

test('help describes every option', () => {
  const { out, code } = pagehand(['help', 'html'])
  expect(code).toBe(0)
  for (const option of ['--format', '--max-chars', '--all', '--scope', '--after', '--query', '--kind', '--read', '--offset', '--json'])
    expect(out).toContain(option)
})

test('notes name flags that can be copied verbatim, within the budget', () => {
  const long = join(folder, 'long.html')
  writeFileSync(
    long,
    `${'<p>Words of their own.</p><img src=a alt=b>'.repeat(40)}${'<a href="/x">A link of this page</a><button>Buy it</button>'.repeat(200)}`,
  )
  const [, next = ''] = /… \d+ more: (--after e\d+)$/m.exec(pagehand(['html', long, '--max-nodes', '20']).out) ?? []
  expect(next).toMatch(/^--after e\d+$/)
  expect(pagehand(['html', long, ...next.split(' ')]).out).toContain(`@e${Number(next.slice(9)) + 1} `)
  expect(pagehand(['html', long]).out).toMatch(/not shown: --all$/m)
  expect(pagehand(['html', long]).out).toMatch(/in this format: --format tree$/m)
  for (let chars = 200; chars < 1_000; chars += 150)
    for (const format of ['lines', 'tree', 'flat'])
      expect(pagehand(['html', long, '--all', '--format', format, '--max-chars', String(chars)]).out.length).toBeLessThanOrEqual(chars + 1)
})
