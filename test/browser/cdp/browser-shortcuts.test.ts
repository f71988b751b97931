import { expect, test } from 'vitest'
import { modifierBits } from '../../../src/drivers/cdp/input/mouse.ts'
import { openCdpPage } from '../../support/cdp-page.ts'
import { openTestSession } from '../../support/test-session.ts'
import { startUserBrowser } from '../../support/user-browser.ts'

/** Keys that Chromium handles itself if a page does not: tabs, windows, pages of the browser, history, zoom, full screen, developer tools. */
const shortcuts = [
  ...[
    'w',
    't',
    'n',
    'j',
    'h',
    'u',
    'p',
    's',
    'o',
    'l',
    'd',
    'f',
    'g',
    'r',
    'k',
    'e',
    'F4',
    'F5',
    'Tab',
    'PageDown',
    'PageUp',
    '1',
    '9',
    '0',
    '+',
    '-',
  ].map(key => `Control+${key}`),
  ...['w', 't', 'n', 'q', 'i', 'j', 'c', 'b', 'o', 'd', 'r', 'Delete', 'Tab', 'a', 'm', 'g'].map(key => `Control+Shift+${key}`),
  ...['F4', 'ArrowLeft', 'ArrowRight', 'Home', 'd', 'f', 'e', 'Enter', 'F7'].map(key => `Alt+${key}`),
  ...[
    'F1',
    'F3',
    'F5',
    'F6',
    'F7',
    'F8',
    'F10',
    'F11',
    'F12',
    'Escape',
    'Shift+Escape',
    'Shift+F5',
    'Meta+w',
    'Meta+t',
    'Meta+q',
    'Meta+r',
  ],
]
const html = `<button>Here</button><script>
  window.keys = []
  window.id = Math.random()
  addEventListener('keydown', event => keys.push([event.altKey && 'Alt', event.ctrlKey && 'Control', event.metaKey && 'Meta', event.shiftKey && 'Shift', event.code].filter(Boolean).join('+')))
  history.pushState(1, '', '#next')
</script>`
const stateOf = '[location.href, window.id, devicePixelRatio, innerWidth, innerHeight, history.length].join(" ")'

test.each(['a model', 'a person in the live view'])(
  'no key of %s reaches a shortcut of the browser, and the page gets every key',
  async who => {
    await using page = await openCdpPage(html)
    const ref = await page.ref('Here')
    await page.do('focus', { ref })
    const before = await page.evaluate(stateOf)
    const { tabs } = await page.do('tabs')
    const live = page.session.live()
    const missing: string[] = []
    for (const key of shortcuts) {
      await page.evaluate('keys.length = 0')
      if (who === 'a model') await page.do('press', { key })
      else {
        const parts = key.split(/\+(?!$)/)
        const name = parts.pop() as string
        const code =
          name.length > 1
            ? name
            : /\d/.test(name)
              ? `Digit${name}`
              : name === '+'
                ? 'Equal'
                : name === '-'
                  ? 'Minus'
                  : `Key${name.toUpperCase()}`
        for (const kind of ['down', 'up'] as const) await live.key({ kind, key: name, code, modifiers: modifierBits(parts) })
      }
      const keys = await page.evaluate<string[]>('keys')
      if (!keys.length) missing.push(key)
      expect(await page.evaluate(stateOf), key).toBe(before)
    }
    expect(missing).toEqual([])
    expect((await page.do('tabs')).tabs).toHaveLength(tabs.length)
  },
)

test('no key closes or opens a tab of the browser of a user', async () => {
  await using user = await startUserBrowser()
  const port = `http://127.0.0.1:${user.port}`
  for (const name of ['one', 'two']) await fetch(`${port}/json/new?data:text/html,${name}`, { method: 'PUT' })
  const urls = async () =>
    (await user.targets())
      .filter(({ type }) => type === 'page')
      .map(({ url }) => url)
      .sort()
  await using page = await openTestSession({ html }, { attach: { port: user.port } })
  const before = await urls()
  for (const key of shortcuts) await page.do('press', { key })
  expect(await urls()).toEqual(before)
})

test('editing keys do in fields what they do for a person', async () => {
  const { pressed, expected } = editing
  await using page = await openCdpPage(
    '<form onsubmit="document.title = \'sent\'; return false"><input aria-label=Text id=text value="one two three"><textarea aria-label=Area id=area></textarea><button>Send</button></form>',
  )
  const ref = await page.ref('Text')
  const seen: string[] = []
  for (const keys of pressed) {
    await page.evaluate('text.value = "one two three"; text.focus(); text.setSelectionRange(4, 4)')
    for (const key of keys) await page.do('press', { key })
    seen.push(`${keys.join(' ')}: ${await page.evaluate('text.value + "|" + text.selectionStart + "-" + text.selectionEnd')}`)
  }
  expect(seen).toEqual(expected)
  await page.do('press', { ref, key: 'Tab' })
  expect(await page.evaluate('document.activeElement.id')).toBe('area')
  await page.do('press', { key: 'Enter' })
  expect(await page.evaluate('area.value')).toBe('\n')
  await page.do('press', { key: 'Shift+Tab' })
  await page.do('press', { key: 'Enter' })
  expect(await page.evaluate('document.title')).toBe('sent')
})

const rows: readonly (readonly [keys: string[], value: string, start: number, end?: number])[] = [
  [['x'], 'one xtwo three', 5],
  [['Shift+X'], 'one Xtwo three', 5],
  [['Delete'], 'one wo three', 4],
  [['Backspace'], 'onetwo three', 3],
  [['Control+Backspace'], 'two three', 0],
  [['Control+Delete'], process.platform === 'win32' ? 'one three' : 'one  three', 4],
  [['ArrowRight', 'ArrowRight'], 'one two three', 6],
  [['Control+ArrowRight'], 'one two three', 7],
  [['Home'], 'one two three', 0],
  [['End'], 'one two three', 13],
  [['Shift+End'], 'one two three', 4, 13],
  [['Shift+ArrowLeft'], 'one two three', 3, 4],
  [['Control+a'], 'one two three', 0, 13],
  [['x', 'Control+z'], 'one two three', 4],
]
const editing = {
  pressed: rows.map(([keys]) => keys),
  expected: rows.map(([keys, value, start, end = start]) => `${keys.join(' ')}: ${value}|${start}-${end}`),
}
