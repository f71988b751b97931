import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { commandSpecs } from '../../../src/surfaces/cli/commands.generated.ts'
import { completion } from '../../../src/surfaces/cli/completion.ts'
import { programCommands } from '../../../src/surfaces/cli/help.ts'
import { parseCommandLine, parseJsonCommand } from '../../../src/surfaces/cli/run-command.ts'
import { programNames } from '../../../src/surfaces/cli/suggest-command.ts'
import { sessionFlags } from '../../../src/surfaces/flags/session-flags.ts'
import { suggest } from '../../../src/surfaces/flags/suggest.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-'))
const file = join(folder, 'page one.html')
writeFileSync(file, '')
afterAll(() => rmSync(folder, { recursive: true }))

const urlOf = (url: string) => {
  const parsed = parseCommandLine('open', [url])
  return parsed.ok ? parsed.args.url : parsed.why
}

test.each([
  ['localhost:8123', 'http://localhost:8123'],
  ['localhost', 'http://localhost'],
  ['app.localhost:3000/x', 'http://app.localhost:3000/x'],
  ['127.0.0.1:8123/a?b#c', 'http://127.0.0.1:8123/a?b#c'],
  ['192.168.1.4', 'http://192.168.1.4'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['devbox:3000', 'http://devbox:3000'],
  ['example.org', 'https://example.org'],
  ['example.org:8443/x', 'https://example.org:8443/x'],
  ['https://example.org/x.html', 'https://example.org/x.html'],
  ['about:blank', 'about:blank'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  [file, pathToFileURL(file).href],
  [join(folder, 'gone.html'), `there is no file ${join(folder, 'gone.html')}`],
  ['./gone', 'there is no file ./gone'],
  ['gone.html', 'there is no file gone.html'],
])('open %s means %s', (given, meant) => {
  expect(urlOf(given)).toBe(meant)
})

test('the operation, the tab and the URL of tabs can be written without flags', () => {
  expect(parseCommandLine('tabs', ['list'])).toMatchObject({ ok: true, args: { operation: 'list' } })
  expect(parseCommandLine('tabs', ['close', 't2'])).toMatchObject({ ok: true, args: { operation: 'close', tab: 't2' } })
  expect(parseCommandLine('tabs', ['new', 'localhost:1234'])).toMatchObject({
    ok: true,
    args: { operation: 'new', url: 'http://localhost:1234' },
  })
  expect(parseCommandLine('tabs', ['close', 't2', 't3'])).toMatchObject({ ok: false, why: 'unexpected argument t3' })
})

test('dialog takes the words of its help and names them in its error', () => {
  for (const word of ['accept', 'ok', 'yes', 'true']) expect(parseCommandLine('dialog', [word])).toMatchObject({ args: { accept: true } })
  for (const word of ['dismiss', 'cancel', 'no', 'false'])
    expect(parseCommandLine('dialog', [word])).toMatchObject({ args: { accept: false } })
  expect(parseCommandLine('dialog', ['maybe'])).toEqual({ ok: false, why: 'ACCEPT is accept or dismiss, not maybe' })
})

test('a misspelled command or option gets a suggestion', () => {
  const whyOf = (command: string, ...words: string[]) => {
    const parsed = parseCommandLine(command, words)
    return parsed.ok ? '' : parsed.why
  }
  expect(whyOf('snapshto')).toBe('unknown command snapshto; did you mean snapshot?')
  expect(whyOf('clik', 'e1')).toBe('unknown command clik; did you mean click?')
  expect(whyOf('goto', 'x')).toBe('unknown command goto; did you mean open?')
  expect(whyOf('--json', 'snapshot')).toBe('--json must follow the command: pagehand snapshot --json')
  expect(whyOf('--jsn')).toBe('unknown command --jsn')
  expect(whyOf('fly')).toBe('unknown command fly')
  expect(whyOf('snapshot', '--max-char', '500')).toBe('unknown option --max-char; did you mean --max-chars?')
  expect(whyOf('snapshot', '--no-interactiv-only')).toBe('unknown option --no-interactiv-only; did you mean --no-interactive-only?')
  expect(suggest('screen', ['scroll', 'screenshot'])).toBe('screenshot')
})

test('every command of the program can be suggested', () => {
  expect(Object.keys(programCommands).map(usage => usage.split(' ')[0])).toEqual([...programNames])
})

test('a JSON command accepts the names of the command line, and rejects unknown keys by name', () => {
  expect(parseJsonCommand({ name: 'scroll-into-view', ref: 'e1' }, [])).toMatchObject({ ok: true, verb: 'scrollIntoView' })
  expect(parseJsonCommand({ name: 'evaluate', js: '1' }, ['--json'])).toMatchObject({ ok: true, verb: 'evaluate', json: true })
  expect(parseJsonCommand({ name: 'open', url: 'localhost:1' }, [])).toMatchObject({ args: { url: 'http://localhost:1' } })
  expect(parseJsonCommand({ name: 'click', reff: 'e1' }, [])).toEqual({
    ok: false,
    why: 'unknown key "reff": click takes ref, button, modifiers; did you mean ref?',
  })
  expect(parseJsonCommand({ cmd: 'click' }, [])).toMatchObject({ ok: false, why: expect.stringContaining('"name" is missing') })
  expect(parseJsonCommand({ name: 'snapshoot' }, [])).toMatchObject({ ok: false, why: expect.stringContaining('did you mean snapshot?') })
  expect(parseJsonCommand([], [])).toMatchObject({ ok: false })
})

test('the completion offers the negative form of options that are on by default', () => {
  for (const shell of ['bash', 'fish']) {
    const script = completion(shell) ?? ''
    expect(script).toContain('no-interactive-only')
    expect(script).not.toMatch(/(--|-l )interactive-only/)
    expect(script).toContain('no-private-hosts')
  }
})

test('every option of every command has a sentence in its help', () => {
  const options = [
    ...Object.entries(sessionFlags),
    ...Object.entries(commandSpecs).flatMap(([command, { fields }]) =>
      Object.entries(fields).map(([field, spec]) => [`${command} ${field}`, spec] as const),
    ),
  ]
  for (const [name, { description }] of options) expect(description, name).toMatch(/\w+/)
})

test('a field of fill-form that is not REF=VALUE is refused with the right spelling', () => {
  expect(parseCommandLine('fill-form', ['e1=tea', 'e2='])).toMatchObject({ ok: true })
  for (const word of ['tea', '[{"ref":"e1","value":"tea"}]', '=tea'])
    expect(parseCommandLine('fill-form', ['e1=tea', word])).toEqual({
      ok: false,
      why: `FIELDS are written REF=VALUE, such as e3=tea, not ${word}`,
    })
})
