import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { startRun } from '../../../src/evidence.ts'
import { processesInGroup, until } from '../../support/processes.ts'

// paths to home folders may contain spaces and non-ASCII letters
const folder = mkdtempSync(join(tmpdir(), 'pagehand cli é-'))
const runtime = join(folder, 'run')
beforeAll(async () => {
  await buildPrograms(join(folder, 'bin'), { 'cli-daemon': 'test/support/programs/cli-daemon.ts' })
  writeFileSync(join(folder, 'bin', 'package.json'), '{"type":"module"}')
}, 60_000)
afterAll(() => {
  pagehand(['stop'])
  rmSync(folder, { recursive: true, force: true })
})

const cli = join(folder, 'bin', 'cli.js')
const env = (more = {}) => ({ ...process.env, PAGEHAND_RUNTIME_DIR: runtime, ...more })
function pagehand(given: readonly string[], { input = '', more = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...given], { input, encoding: 'utf8', env: env(more) })
  return { code: status, out: stdout, err: stderr }
}
const pidOf = ({ out }: { out: string }) => Number(/pid (\d+)/.exec(out)?.[1])
// the daemon leads its own process group
const isGone = async (pid: number) => (await processesInGroup(pid)).length === 0

test('a page opened by one command is available to the next', { timeout: 60_000 }, () => {
  expect(pagehand(['open', 'http://shop.example/'])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^ok: open\n<page \S+ url="http:\/\/shop\.example\/"/),
  })
  expect(pagehand(['snapshot'])).toMatchObject({ code: 0, out: expect.stringContaining('- link "Next" [href="/next"] [ref=e1]') })
  expect(pagehand(['query', 'e1', 'text'])).toMatchObject({ code: 0, out: expect.stringContaining('text of e1: "Next"') })
  expect(pagehand(['observe', '--task', 'next']).out).toContain('[observe]')
})

test('report writes the reports of recorded runs, detects a changed log, and rejects a folder without runs (S2-60)', async () => {
  const runsFolder = join(folder, 'evidence')
  const whole = await startRun(runsFolder, { label: 'whole' })
  await whole.assert('it works', true)
  await whole.end()
  const killed = await startRun(runsFolder, { label: 'killed' })
  await killed.assert('it works', true)
  expect(pagehand(['report', runsFolder])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(
      /-killed-\w+.report\.html {3}2 events, log intact, the run did not end\n.*-whole-.* {3}3 events, log intact\n$/,
    ),
  })
  expect(existsSync(join(killed.folder, 'report.html'))).toBe(true)
  const log = join(whole.folder, 'events.jsonl')
  writeFileSync(log, readFileSync(log, 'utf8').replace('"held":true', '"held":false'))
  expect(pagehand(['report', whole.folder, '--json'])).toMatchObject({ code: 1 })
  expect(JSON.parse(pagehand(['report', whole.folder, '--json']).out)).toMatchObject({
    ok: false,
    runs: [{ damage: { line: 3, why: 'a line was changed' } }],
  })
  expect(readFileSync(join(whole.folder, 'report.html'), 'utf8')).toContain('damaged from line 3 on')
  await killed.end()
  expect(pagehand(['report', join(folder, 'nothing')])).toMatchObject({ code: 1, err: expect.stringContaining('there is no run in') })
  expect(pagehand(['report'])).toMatchObject({ code: 2, err: 'pagehand: name one folder. Run: pagehand help report\n' })
  expect(pagehand(['help', 'report']).out).toMatch(/^pagehand report FOLDER/)
})

test('named sessions are independent', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  pagehand(['open', 'http://shop.example/long', '--session', 'other'])
  expect(pagehand(['snapshot']).out).toContain('"Next"')
  expect(pagehand(['snapshot', '--session=other']).out).toContain('A link of this page')
  const { out } = pagehand(['status'])
  expect(out).toContain('session default')
  expect(out).toContain('session other')
  expect(pagehand(['stop', '--session', 'other'])).toMatchObject({ code: 0 })
  expect(pagehand(['snapshot', '--session', 'other'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^not_running: session "other" has no page yet\. Run: pagehand open URL --session other/),
  })
})

test('a session keeps the rules it was opened with, and later flags cannot change them (TRUST C2)', {
  timeout: 60_000,
}, () => {
  const strict = ['--session', 'strict']
  const rules = ['--read-only', '--deny-host', 'evil.example']
  expect(pagehand(['open', 'http://evil.example/', ...strict, ...rules])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^url_not_allowed: .*its host is denied/),
  })
  expect(pagehand(['open', 'http://shop.example/', ...strict])).toMatchObject({ code: 0 })
  expect(pagehand(['click', 'e1', ...strict])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^disabled: click is denied by the policy.* The session was opened with --read-only\. Run: pagehand stop --session strict; then open it without\.\n$/,
    ),
  })
  expect(pagehand(['snapshot', ...strict, ...rules])).toMatchObject({ code: 0 })
  expect(pagehand(['snapshot', ...strict, '--read-only'])).toMatchObject({ code: 0 })
  const other = { code: 1, err: expect.stringContaining('was opened with --read-only --deny-host evil.example, and cannot be changed') }
  expect(pagehand(['snapshot', ...strict, '--deny', 'click'])).toMatchObject(other)
  expect(pagehand(['status']).out).toContain('session strict --read-only --deny-host evil.example\n')
  pagehand(['open', 'http://shop.example/'])
  expect(pagehand(['snapshot', '--read-only'])).toMatchObject({ code: 1, err: expect.stringContaining('was opened without flags') })
  pagehand(['stop', ...strict])
})

test('a session keeps its viewport, profile and permissions, and rejects commands that ask for others', {
  timeout: 60_000,
}, () => {
  const own = ['--session', 'own']
  expect(pagehand(['open', 'http://shop.example/', ...own, '--viewport', '800x600', '--profile', 'mine'])).toMatchObject({ code: 0 })
  for (const flags of [
    ['--window', '640x480'],
    ['--profile', 'other'],
    ['--headed'],
    ['--allow-eval'],
    ['--attach', 'http://127.0.0.1:9222'],
    ['--window', '800x600', '--headed'],
  ])
    expect(pagehand(['snapshot', ...own, ...flags]), flags.join(' ')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'session "own" was opened with --viewport 800x600 --profile mine, and cannot be changed. Run: pagehand stop --session own; then open it with other flags.',
      ),
    })
  for (const flags of [[], ['--window', '800x600'], ['--profile=mine', '--no-headed']])
    expect(pagehand(['snapshot', ...own, ...flags]), flags.join(' ')).toMatchObject({ code: 0 })
  expect(pagehand(['eval', '1', ...own])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^disabled: session "own" was opened without --allow-eval\. Run: pagehand stop --session own; then open it with --allow-eval/,
    ),
  })
  expect(pagehand(['status']).out).toContain('session own --viewport 800x600 --profile mine\n')
  pagehand(['stop', ...own])
})

test('a daemon without a session exits after its answer', { timeout: 60_000 }, () => {
  const more = { PAGEHAND_RUNTIME_DIR: join(folder, 'brief') }
  expect(pagehand(['snapshot'], { more })).toMatchObject({ code: 1, err: expect.stringMatching(/^not_running: /) })
  expect(pagehand(['status'], { more }).out).toBe('nothing is running\n')
  const { code, out, err } = pagehand(['batch', '--keep-going'], { input: 'snapshot\nopen http://shop.example/\nsnapshot\n', more })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^not_running: .*\n$/) })
  expect(out).toContain('[ref=e1]')
  expect(pagehand(['status'], { more }).out).toContain('session default')
  expect(pagehand(['stop', '--sesion', 'x'], { more })).toMatchObject({ code: 2, err: expect.stringContaining('unknown option --sesion') })
  expect(pagehand(['stop', '--session=x'], { more })).toMatchObject({ code: 1, err: expect.stringContaining('session x') })
  expect(pagehand(['stop'], { more }).out).toBe('ok: stopped, 1 session closed\n')
})

test('a daemon that is stopped fails the command with its process and what to do (F3)', { timeout: 60_000 }, async () => {
  const more = { PAGEHAND_RUNTIME_DIR: join(folder, 'stopped') }
  pagehand(['open', 'http://shop.example/'], { more })
  const pid = pidOf(pagehand(['status'], { more }))
  process.kill(pid, 'SIGSTOP')
  try {
    expect(pagehand(['snapshot'], { more })).toMatchObject({
      code: 1,
      err: `timeout: the daemon did not answer within 12 s: process ${pid} is stopped or overloaded. Continue it (kill -CONT ${pid}), or end it (kill -9 ${pid}) and open the page again.\n`,
    })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(pagehand(['snapshot'], { more })).toMatchObject({ code: 0 })
  pagehand(['stop'], { more })
  await until(() => isGone(pid))
  expect(readdirSync(more.PAGEHAND_RUNTIME_DIR).filter(name => name.endsWith('.pid'))).toEqual([])
})

test('invalid rules exit with 2 before anything starts (TRUST C2)', { timeout: 60_000 }, () => {
  const more = { PAGEHAND_RUNTIME_DIR: join(folder, 'never') }
  for (const [flag, value, why] of [
    ['--deny', 'clik', 'there is no "clik" to deny'],
    ['--allow-host', 'http://a.example', 'is not a host'],
    ['--deny-host', '', 'is not a host'],
  ] as const) {
    expect(pagehand(['open', 'http://shop.example/', flag, value], { more })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(why),
    })
    expect(pagehand(['batch', flag, value], { input: 'open http://shop.example/\n', more })).toMatchObject({ code: 2, out: '' })
  }
  expect(pagehand(['status'], { more }).out).toBe('nothing is running\n')
})

test('a failed command prints to stderr and exits with 1, and wrong usage exits with 2', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  expect(pagehand(['click', 'e1'])).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^unsupported_action: /) })
  expect(pagehand(['click', 'the button'])).toMatchObject({ code: 2, err: expect.stringMatching(/^invalid_ref: REF is "the button"/) })
  expect(pagehand(['click'])).toMatchObject({ code: 2, err: 'pagehand: REF is missing. Run: pagehand help click\n' })
  expect(pagehand(['click', 'e1', 'e2'])).toMatchObject({ code: 2, err: expect.stringContaining('unexpected argument e2') })
  expect(pagehand(['click', 'e1', '--hard'])).toMatchObject({ code: 2, err: expect.stringContaining('unknown option --hard') })
  expect(pagehand(['fly'])).toMatchObject({ code: 2, err: expect.stringContaining('unknown command fly') })
})

test('flags are accepted in kebab case, with no- and with =', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  expect(pagehand(['snapshot', '--no-interactive-only']).out).toContain('- heading "Hello" [level=1] [ref=')
  expect(pagehand(['snapshot', '--interactive-only=false', '--format', 'flat']).out).toMatch(/^\[\d+\] heading "Hello"/m)
  pagehand(['open', 'http://shop.example/long'])
  const { out } = pagehand(['snapshot', '--max-chars', '1000'])
  expect(out.length).toBeLessThanOrEqual(1_001)
  const [, rest = ''] = /(--after e\d+)/.exec(out) ?? []
  expect(pagehand(['snapshot', ...rest.split(' ')]).out).toContain(`after=${rest.split(' ')[1]}`)
})

test('an invalid flag value exits with 2 and names the flag', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  for (const [words, why] of [
    [['snapshot', '--max-chars', 'many'], '--max-chars must be a whole number'],
    [['snapshot', '--max-chars', '3'], '--max-chars must be at least 200'],
    [['snapshot', '--format', 'xml'], '--format is one of tree, lines, flat, json, not xml'],
    [['open', 'http://shop.example/', '--viewport', 'large'], '--viewport is a size such as 1280x720, not large'],
    [['open', 'http://shop.example/', '--profile', '../x'], '--profile is a name of letters'],
    [['scroll', 'sideways'], 'DIRECTION must be one of up, down, left, right'],
    [['tabs', 'foo'], 'OPERATION must be one of list, new, select, close'],
    [['dialog', 'maybe'], 'ACCEPT is accept or dismiss, not maybe'],
    [['wait', '--ms', '1', '--text-gone', 'x'], '--ms and --text-gone are 2 conditions'],
  ] as const)
    expect(pagehand(words), words.join(' ')).toMatchObject({ code: 2, out: '', err: expect.stringContaining(why) })
})

test('notes name flags that can be copied verbatim', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/text'])
  expect(pagehand(['snapshot']).out).toMatch(/^… \d+ texts or pictures not shown: --no-interactive-only$/m)
  expect(pagehand(['snapshot', '--no-interactive-only']).out).toContain('Tea 29 costs four')
  expect(pagehand(['snapshot', '--format', 'lines']).out).toMatch(/in this format: --format tree$/m)
  pagehand(['open', 'http://shop.example/long'])
  const [, next = ''] = /… \d+ more: (--offset \d+)/.exec(pagehand(['observe', '--max-chars', '400']).out) ?? []
  expect(pagehand(['observe', '--max-chars', '400', ...next.split(' ')])).toMatchObject({ code: 0 })
  expect(next).toMatch(/^--offset \d+$/)
})

test('a repeated snapshot prints the snapshot again', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/long'])
  const [first, second, third] = [1, 2, 3].map(() => pagehand(['snapshot']).out.split('\n').slice(1, -2))
  expect(first?.length).toBeGreaterThan(100)
  expect(second).toEqual(first)
  expect(third).toEqual(first)
})

test('--json has the data of the result, and --format json is JSON', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  const dataOf = (...words: string[]) => JSON.parse(pagehand([...words, '--json']).out).data
  expect(dataOf('open', 'http://shop.example/')).toMatchObject({ page: { url: 'http://shop.example/' } })
  expect(dataOf('snapshot')).toMatchObject({ tree: { role: 'document' }, meta: {} })
  expect(dataOf('query', 'e1', 'attrs')).toMatchObject({ value: { href: '/next' } })
  expect(dataOf('screenshot')).not.toHaveProperty('base64')
  expect(dataOf('status')).toMatchObject({
    pid: expect.any(Number),
    sessions: expect.arrayContaining([
      expect.objectContaining({ name: 'default', status: { running: true, url: 'http://shop.example/' } }),
    ]),
  })
  expect(JSON.parse(pagehand(['snapshot', '--format', 'json']).out)).toMatchObject({ nodes: expect.any(Array) })
})

test('status answers while a command is running, and Ctrl-C aborts that command in the daemon', { timeout: 60_000 }, async () => {
  const slow = ['--session', 'slow']
  pagehand(['open', 'http://shop.example/', ...slow])
  const waiting = spawn(process.execPath, [cli, 'wait', '--text', 'never', '--timeout-ms', '100000', ...slow], { env: env() })
  const ended = new Promise(resolve => waiting.on('exit', (_, signal) => resolve(signal)))
  const running = () => pagehand(['status']).out
  await until(() => /session slow\nrunning: wait for [\d.]+ s\n/.test(running()), { what: 'the wait in the status' })
  waiting.kill('SIGINT')
  expect(await ended).toBe('SIGINT')
  await until(() => !/running: wait/.test(running()), { what: 'the end of the wait' })
  expect(pagehand(['snapshot', ...slow])).toMatchObject({ code: 0 })
  pagehand(['stop', ...slow])
})

test('--json prints the whole answer, even on failure', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  expect(JSON.parse(pagehand(['snapshot', '--json']).out)).toMatchObject({
    ok: true,
    text: expect.stringContaining('[ref=e1]'),
    refs: ['e1', 'e2'],
  })
  const failed = pagehand(['click', 'e1', '--json'])
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.out)).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
})

test('a screenshot is saved as evidence, or only to the file given by --out', { timeout: 60_000 }, () => {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const more = { PAGEHAND_RUNTIME_DIR: join(folder, 'pictures'), TMPDIR: temporary }
  pagehand(['open', 'http://shop.example/'], { more })
  const file = join(folder, 'shot.png')
  const { out } = pagehand(['screenshot', '--out', file], { more })
  expect(out.split('\n')[0]).toBe(`ok: screenshot 2x3 image/png, 1 KB, saved ${file}`)
  expect(readFileSync(file).toString('base64')).toBe('iVBORw0KGgo=')
  expect(JSON.parse(pagehand(['screenshot', '--out', file, '--json'], { more }).out)).toMatchObject({ picture: { path: file } })
  expect(readdirSync(temporary)).toEqual([])
  const { picture } = JSON.parse(pagehand(['screenshot', '--label', 'my cart/../x', '--json'], { more }).out)
  expect(readFileSync(picture.path).toString('base64')).toBe('iVBORw0KGgo=')
  expect(picture.path).toMatch(/\d{3}-my-cart-x\.png$/)
  expect(picture).not.toHaveProperty('base64')
  pagehand(['stop'], { more })
})

test('a screenshot that cannot be written exits with 1 and one line with the next step', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  const file = join(folder, 'missing', 'x.png')
  const { code, out, err } = pagehand(['screenshot', '--out', file])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    `invalid_input: --out ${file} cannot be written: no such file or directory (ENOENT). Name a file in a folder that you can write to.\n`,
  )
  expect(JSON.parse(pagehand(['screenshot', '--out', file, '--json']).out)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('batch runs many commands and stops at the first failure', { timeout: 60_000 }, () => {
  const lines = '# a comment\nopen http://shop.example/\n{"name":"query","ref":"e1","kind":"text"}\nclick "e1"\nsnapshot\n'
  const stopped = pagehand(['batch'], { input: lines })
  expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining('unsupported_action') })
  expect(stopped.out).toContain('text of e1: "Next"')
  expect(stopped.out).not.toContain('[snapshot]')
  expect(pagehand(['batch', '--keep-going'], { input: lines }).out).toContain('[snapshot]')
  expect(pagehand(['batch', '--json'], { input: 'back\nfly away\n' })).toMatchObject({ code: 1 })
  expect(pagehand(['batch'], { input: 'fly away\n' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('line 1: unknown command fly'),
  })
  expect(pagehand(['batch'], { input: 'status\n' }).err).toContain('status: it is not a command on a page; run pagehand status by itself')
  expect(pagehand(['batch', '--keep-going'], { input: 'fly away\nopen http://shop.example/\nsnapshot\n' })).toMatchObject({
    code: 2,
    out: expect.stringContaining('[ref=e1]'),
    err: 'pagehand batch: line 1: unknown command fly\n',
  })
})

test('the socket is accessible to its owner only', { timeout: 60_000 }, () => {
  pagehand(['open', 'http://shop.example/'])
  expect(statSync(runtime).mode & 0o777).toBe(0o700)
  const [socket] = readdirSync(runtime)
  expect(statSync(join(runtime, socket ?? '')).mode & 0o777).toBe(0o600)
})

test('a runtime folder that others may enter is refused with one line', { timeout: 60_000 }, () => {
  const open = join(folder, 'open')
  mkdirSync(open)
  chmodSync(open, 0o755)
  const result = pagehand(['open', 'http://shop.example/'], { more: { PAGEHAND_RUNTIME_DIR: open } })
  expect(result).toMatchObject({ code: 1, err: expect.stringMatching(/^pagehand: .*other users can enter it.*\n$/) })
  expect(readdirSync(open)).toEqual([])
})

test('stop ends the daemon, and a leftover socket of a killed one does not block the next', { timeout: 60_000 }, async () => {
  pagehand(['open', 'http://shop.example/'])
  const first = pidOf(pagehand(['status']))
  expect(pagehand(['stop']).out).toMatch(/^ok: stopped/)
  await until(() => isGone(first), { what: 'the end of the host' })
  expect(pagehand(['status'])).toMatchObject({ code: 0, out: 'nothing is running\n' })
  pagehand(['open', 'http://shop.example/'])
  const second = pidOf(pagehand(['status']))
  process.kill(second, 'SIGKILL')
  await until(() => isGone(second), { what: 'the end of the killed host' })
  expect(readdirSync(runtime).filter(name => name.endsWith('.sock'))).toHaveLength(1)
  expect(pagehand(['open', 'http://shop.example/'])).toMatchObject({ code: 0 })
})

test('an idle daemon exits by itself', { timeout: 60_000 }, async () => {
  const own = join(folder, 'idle')
  const more = { PAGEHAND_RUNTIME_DIR: own, TEST_IDLE_MS: '300' }
  const { out } = pagehand(['batch', '--json'], { input: 'open http://shop.example/\n', more })
  expect(out).toContain('"ok":true')
  await until(() => !existsSync(own) || readdirSync(own).length === 0, { withinMs: 30_000, what: 'the end of the idle host' })
})

test('clients that start at the same time share one daemon', { timeout: 60_000 }, async () => {
  pagehand(['stop'])
  const started = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [cli, 'open', 'http://shop.example/'], { env: env(), stdio: 'ignore' }),
  )
  const codes = await Promise.all(started.map(child => new Promise(resolve => child.on('exit', resolve))))
  expect(codes).toEqual([0, 0, 0, 0])
  expect(readdirSync(runtime).filter(name => name.endsWith('.sock'))).toHaveLength(1)
})

test('a daemon survives malformed requests', { timeout: 60_000 }, async () => {
  pagehand(['open', 'http://shop.example/'])
  const [name] = readdirSync(runtime)
  for (const nonsense of ['not json\n', '{}\n', 'null\n', `${'x'.repeat(1_100_000)}`]) {
    const socket = connect(join(runtime, name ?? ''))
    socket.on('error', () => {})
    socket.end(nonsense)
    await new Promise(resolve => socket.on('close', resolve).resume())
  }
  expect(pagehand(['snapshot'])).toMatchObject({ code: 0 })
})

test('help lists every command and every option of a command', () => {
  const { out, code } = pagehand(['help'])
  expect(code).toBe(0)
  for (const command of [
    'open URL',
    'snapshot',
    'click REF',
    'fill REF VALUE',
    'select REF VALUES…',
    'wait',
    'query REF KIND',
    'screenshot',
    'tabs',
    'batch',
    'html',
    'mcp',
    'doctor',
    'install',
    'status',
    'stop',
  ])
    expect(out).toContain(`  ${command}`)
  const { out: one } = pagehand(['help', 'wait'])
  for (const flag of [
    '--ms N',
    '--selector SELECTOR',
    '--text TEXT',
    '--text-gone TEXT',
    '--url URL',
    '--load domcontentloaded|load',
    '--timeout-ms N',
    '--session NAME',
    '--json',
  ])
    expect(one).toContain(flag)
  expect(pagehand(['wait', '--help']).out).toBe(one)
  expect(pagehand([])).toMatchObject({ code: 2, out })
  expect(pagehand(['--version']).out).toMatch(/^\d+\.\d+\.\d+/)
})

test('every command that is not a page verb has its own help with flags and exit codes', () => {
  const { out: overview } = pagehand(['help'])
  for (const [command, ...flags] of [
    ['batch', '--keep-going', '--session'],
    ['mcp', '--tools', '--http'],
    ['status', '--json'],
    ['stop', '--session'],
    ['doctor', '--json'],
    ['install', '@sparticuz/chromium'],
    ['completion', 'bash', 'zsh', 'fish'],
    ['report', 'FOLDER'],
  ] as const) {
    const { code, out } = pagehand(['help', command])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(new RegExp(`^pagehand ${command}\\b`)) })
    for (const flag of [...flags, 'Exit codes: 0']) expect(out, command).toContain(flag)
    expect(pagehand([command, '--help']).out).toBe(out)
    expect(overview).toContain(`\n  ${command}`)
  }
  expect(pagehand(['help', 'dialog']).out).toMatch(/ACCEPT +accept .* or dismiss/)
  expect(pagehand(['help', 'screenshot']).out).toMatch(/--out FILE +write the screenshot/)
})

test('the bash completion offers commands and their flags', () => {
  const script = join(folder, 'completion.bash')
  writeFileSync(script, pagehand(['completion', 'bash']).out)
  const complete = (words: string) =>
    spawnSync(
      'bash',
      ['-c', `. "${script}"; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _pagehand; echo "\${COMPREPLY[@]}"`],
      { encoding: 'utf8' },
    ).stdout.trim()
  expect(complete('pagehand sn')).toBe('snapshot')
  expect(complete('pagehand snapshot --max-c')).toBe('--max-chars')
  expect(complete('pagehand screenshot --o')).toBe('--out')
  for (const shell of ['zsh', 'fish']) expect(pagehand(['completion', shell]).out).toContain('snapshot')
  expect(pagehand(['completion', 'tcsh'])).toMatchObject({ code: 2 })
})

test('output is not colored when it is not a terminal', { timeout: 60_000 }, () => {
  for (const words of [['help'], ['open', 'http://shop.example/'], ['click', 'e1'], ['status']]) {
    const { out, err } = pagehand(words)
    expect(out + err).not.toContain('\u001b[')
  }
})
