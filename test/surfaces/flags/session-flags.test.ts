import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toSessionOptions } from '../../../src/programs/open-session.ts'
import { parseCommandLine } from '../../../src/surfaces/cli/run-command.ts'
import type { OpenOptions } from '../../../src/surfaces/flags/session-flags.ts'
import { browserFlags, formatFlags } from '../../../src/surfaces/flags/session-flags.ts'
import { parseMcpOptions } from '../../../src/surfaces/mcp/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-'))
afterAll(() => rmSync(folder, { recursive: true }))
const writeJson = (name: string, value: unknown): string => {
  const file = join(folder, name)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 })
  return file
}

/** How the command line and the MCP server open a session with these flags. */
const surfaces: { readonly [name: string]: (...words: string[]) => OpenOptions | string } = {
  cli: (...words) => {
    const parsed = parseCommandLine('open', ['http://a.example/', ...words])
    return parsed.ok ? parsed.options : parsed.why
  },
  mcp: (...words) => {
    const parsed = parseMcpOptions(words)
    return typeof parsed === 'string' ? parsed : parsed.browser
  },
}

const cookie = { name: 'a', value: '1', domain: 'a.example', path: '/' }
const saved = { cookies: [cookie], origins: [{ origin: 'http://a.example', localStorage: [['k', 'v']], indexedDB: [] }], report: [] }

for (const [surface, parse] of Object.entries(surfaces)) {
  const sessionOptions = (...words: string[]) => {
    const options = parse(...words)
    if (typeof options === 'string') throw new Error(options)
    return toSessionOptions(options)
  }

  test.each([
    [['--file-root', 'pages', '--file-root=/srv/x'], { fileRoots: [resolve('pages'), '/srv/x'] }],
    [['--upload-root', 'papers'], { uploadRoots: [resolve('papers')] }],
    [['--downloads', 'saved'], { downloads: { folder: resolve('saved') } }],
    [['--user-agent', 'Mozilla/5.0 (Test)'], { userAgent: 'Mozilla/5.0 (Test)' }],
    [['--device', 'iPhone 15'], { device: 'iPhone 15' }],
    [['--viewport', '800x600'], { viewport: { width: 800, height: 600 } }],
    [['--window', '800x600'], { viewport: { width: 800, height: 600 } }],
    [['--proxy', 'http://127.0.0.1:1'], { proxy: { server: 'http://127.0.0.1:1' } }],
    [['--profile', 'work'], { profile: 'work', createProfile: true }],
    [['--attach', 'http://127.0.0.1:9222'], { profile: 'chrome', attach: { endpoint: 'http://127.0.0.1:9222' } }],
    [['--headed'], { launch: { headless: false } }],
    [['--allow-eval'], { allowEval: true }],
  ])(`${surface}: %j reaches the session`, (words, expected) => {
    expect(sessionOptions(...words)).toMatchObject(expected)
  })

  test(`${surface}: --storage-state reads the files of pagehand and of Playwright, and names a file that is neither`, () => {
    const playwright = { cookies: [cookie], origins: [{ origin: 'http://a.example', localStorage: [{ name: 'k', value: 'v' }] }] }
    expect(sessionOptions('--storage-state', writeJson('own.json', saved))).toMatchObject({ storageState: saved })
    expect(sessionOptions('--storage-state', writeJson('other.json', playwright))).toMatchObject({ storageState: saved })
    expect(() => sessionOptions('--storage-state', join(folder, 'gone.json'))).toThrow('cannot be read')
    expect(() => sessionOptions('--storage-state', writeJson('text.json', 'cookies'))).toThrow('is not JSON')
    for (const value of [{}, null, 5, { cookies: 5 }])
      expect(() => sessionOptions('--storage-state', writeJson('wrong.json', value))).toThrow('has neither cookies nor origins')
  })

  test.each([
    [['--viewport', 'large'], '--viewport is a size such as 1280x720, not large'],
    [['--device', 'Nokia'], '--device is one of iPhone SE, iPhone 15, Pixel 8'],
    [['--user-agent', 'a\nb'], '--user-agent is a text of ASCII characters'],
    [['--downloads', 'x', '--attach', 'http://127.0.0.1:9222'], '--downloads is for a browser that pagehand starts'],
    [['--downloads', 'x', '--profile', 'chrome'], '--downloads is for a browser that pagehand starts'],
  ])(`${surface}: %j is refused before anything starts`, (words, why) => {
    expect(parse(...words)).toContain(why)
  })
}

test('a person may upload files of the working directory, and a model none unless a folder is named', () => {
  expect(toSessionOptions({ folder })).toMatchObject({ fileRoots: [folder], uploadRoots: [folder] })
  expect(toSessionOptions({})).toMatchObject({ uploadRoots: [] })
})

test('snapshot keeps its own --viewport, and --window is still the size of the viewport', () => {
  expect(parseCommandLine('snapshot', ['--viewport', 'visible', '--window', '800x600'])).toMatchObject({
    args: { viewport: 'visible' },
    options: { window: '800x600' },
  })
})

test('values with spaces are printed as a shell reads them', () => {
  expect(formatFlags(browserFlags, { device: 'iPhone 15', window: '800x600' })).toBe('--viewport 800x600 --device "iPhone 15"')
})
