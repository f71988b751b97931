import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { logError } from '../../apps/studio/server/log-error.ts'
import { PrintableStream } from '../../src/surfaces/terminal.ts'
import { fc, test as property } from '../support/property.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Files that write to the terminal themselves. */
const writers: readonly string[] = [
  // the one place
  'src/surfaces/terminal.ts',
  // the questions of `pagehand approve`, whose words are made printable first
  'src/surfaces/cli/controlling-terminal.ts',
  // its counterpart in the studio, which knows the package only by its public entries
  'apps/studio/server/log-error.ts',
  // the start and the end of the app; a preload script has no terminal
  'apps/desktop/main/electron.ts',
  'apps/desktop/preload.ts',
  // a server for development
  'apps/studio/web/dev/fake-server.ts',
]
const isWriting = /\bprocess\.(stdout|stderr)\b|\bconsole\.(log|error|warn|info|debug|table|dir|trace)\b|\b(fs\.)?writeSync\((1|2)\b/

test('programs write to the terminal only through the printable streams (TRUST A1)', () => {
  const files = ['src', 'apps'].flatMap(folder =>
    (readdirSync(root + folder, { recursive: true }) as string[]).map(file => `${folder}/${file.replaceAll('\\', '/')}`),
  )
  const sources = files.filter(file => /\.(ts|tsx|mts)$/.test(file) && !file.endsWith('.d.ts') && !file.includes('node_modules'))
  const found = sources.filter(file =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .some(line => isWriting.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line)),
  )
  expect(sources.length).toBeGreaterThan(500)
  expect(found.sort()).toEqual([...writers].sort())
})

const written = (write: (stream: PrintableStream) => unknown, isTTY = true): string => {
  let text = ''
  write(new PrintableStream(() => ({ isTTY, write: given => (text += given) })))
  return text
}
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\udb40[\udc00-\udfff]/

test.each([
  ['an escape sequence that sets the clipboard', '\u001b]52;c;Y3VybCBldmls\u0007'],
  ['a C1 sequence', '\u009d0;title\u009c'],
  ['a line that is written over', 'denied\rallowed'],
  ['text that is turned around', '\u202eevil\u202c'],
  ['invisible tag characters', '\u{e0063}\u{e0075}\u{e0072}\u{e006c}'],
])('the printable stream escapes %s (TRUST A1)', (_, text) => {
  for (const write of [
    (stream: PrintableStream) => stream.write(`1. click "${text}"\n`),
    (stream: PrintableStream) => stream.writeColored(31, text),
  ])
    expect(written(write).replace(/^\u001b\[31m|\u001b\[0m$/g, '')).not.toMatch(unsafe)
  expect(written(stream => stream.write(`密码\t"${text}"\n`))).toMatch(/^密码\t".*\\u.*"\n$/s)
})

property('whatever is written, the terminal gets text', [fc.string({ unit: 'binary' })], text => {
  expect(written(stream => stream.write(text))).not.toMatch(unsafe)
  expect(written(stream => stream.writeColored(32, text), false)).not.toMatch(unsafe)
})

test('errors of the studio are text on the terminal (TRUST A1)', () => {
  let text = ''
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(given => {
    text += given
    return true
  })
  try {
    logError(new Error('no such page: \u001b]0;x\u0007\u202e'), 'failed:')
    logError({ page: '\u009b2J' })
  } finally {
    write.mockRestore()
  }
  expect(text).toContain('no such page: \\u{1b}]0;x\\u{7}\\u{202e}')
  expect(text).not.toMatch(unsafe)
})
