// On a desktop: whatever a session does in the browser of the user, no window comes to the front and no other tab is shown.
import { describe, expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { noDesktop, startDesktop } from '../../support/desktop.ts'
import { findExtensionBrowser, noExtensionBrowser } from '../../support/extension-browser.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { startLending } from '../../support/lending.ts'
import { until } from '../../support/processes.ts'
import { type TestSession, wrapSession } from '../../support/test-session.ts'
import { startUserBrowser } from '../../support/user-browser.ts'

const chrome = process.env.PAGEHAND_HEADED_CHROME ?? findExtensionBrowser()
const reason = noDesktop ?? (chrome === undefined ? noExtensionBrowser : undefined)
if (reason) process.stdout.write(`The tests of the focus are skipped: ${reason}\n`)

const html = `<title>ours</title><h1>Still</h1><button onclick="document.title=\`pressed\`">Go</button><input aria-label=Name>
  <button onclick="window.open('/popup')">Pop up</button><button onclick="confirm('Sure?')">Ask</button>
  <select aria-label=Size><option>S<option>M</select>`

/** Reads the page, takes screenshots, clicks and types. */
async function useTab(commands: TestSession): Promise<void> {
  // a still page draws no second frame by itself
  for (const _ of [1, 2, 3]) expect(await commands.do('screenshot')).toMatchObject({ mime: 'image/png' })
  expect(await commands.do('click', { ref: await commands.ref('button "Go"') })).toMatchObject({ trusted: true })
  await commands.do('fill', { ref: await commands.ref('textbox "Name"'), value: 'tea' })
  await commands.do('select', { ref: await commands.ref('combobox "Size"'), values: ['M'] })
  await commands.session.run({ name: 'click', ref: await commands.ref('button "Ask"') })
  await commands.do('dialog', { accept: true })
  expect(await commands.text()).toContain('[value="tea"]')
}

describe.skipIf(reason !== undefined)('a session in the browser of the user', { timeout: 120_000 }, () => {
  test('reads, clicks, types and takes screenshots in its own tabs over a debugging port, and takes no focus (S4-10)', async () => {
    await using desktop = await startDesktop()
    const options = { executablePath: chrome as string, headless: false, env: desktop.env }
    await using daily = await startUserBrowser(['--no-first-run', '--disable-gpu'], options)
    // a new window comes to the front, which may take a while
    await until(() => /Chrom/.test(desktop.front()), { withinMs: 30_000, what: 'the window of the browser in front' })
    await desktop.showOther()
    await using server = await serve(sendHtml(html))
    await using session = await openSession({ attach: { port: daily.port } })
    const commands = wrapSession(session)
    await commands.do('open', { url: server.url })
    await useTab(commands)
    await commands.do('tabs', { operation: 'new', url: server.url })
    await commands.do('tabs', { operation: 'select', tab: 't1' })
    await useTab(commands)
    expect(desktop.isBrowserShown()).toBe(true)
    desktop.minimize()
    await until(() => !desktop.isBrowserShown(), { what: 'the end of the window' })
    await useTab(commands)
    expect(desktop.isBrowserShown()).toBe(false)
    expect(new Set(desktop.focused())).toEqual(new Set(['Other']))
    // a tab that is activated does come to the front, and is noticed here
    const [tab] = await daily.targets()
    await fetch(`http://127.0.0.1:${daily.port}/json/activate/${tab?.id}`)
    await until(() => desktop.focused().some(name => name !== 'Other'), { what: 'the focus of the browser' })
  })

  test('works in a lent tab and in its own through the extension, and the tab that the user looks at stays in front (S4-10)', async () => {
    await using desktop = await startDesktop()
    await using lending = await startLending({ desktop: desktop.env, html })
    const lent = await lending.lend('lent')
    // the user looks at another tab, and then at another program
    const mine = await lending.browser.openTab(`${lending.url}mine`)
    await until(() => /Chrom/.test(desktop.front()), { withinMs: 30_000, what: 'the window of the browser in front' })
    await desktop.showOther()
    const activeTabs = () => lending.browser.evaluate<number[]>('return (await chrome.tabs.query({ active: true })).map(tab => tab.id)')
    expect(await activeTabs()).toEqual([mine.tabId])
    await using session = await lending.open()
    const commands = wrapSession(session)
    await useTab(commands)
    await commands.do('tabs', { operation: 'new', url: `${lending.url}own` })
    await useTab(commands)
    expect(desktop.isBrowserShown()).toBe(true)
    desktop.minimize()
    await until(() => !desktop.isBrowserShown(), { what: 'the end of the window' })
    await useTab(commands)
    await commands.do('tabs', { operation: 'select', tab: 't1' })
    await useTab(commands)
    expect(desktop.isBrowserShown()).toBe(false)
    expect(await activeTabs()).toEqual([mine.tabId])
    expect(new Set(desktop.focused())).toEqual(new Set(['Other']))
    expect(await lending.find(lent)).toBeDefined()

    // Chrome shows the window of a page that opens one; the extension puts it back
    const { notes } = await commands.do('click', { ref: await commands.ref('button "Pop up"') })
    expect(notes).toEqual([expect.stringMatching(/^Tab t3 opened at .*may have brought the browser to the front\.$/)])
    await expect.poll(() => desktop.isBrowserShown()).toBe(false)
    await expect.poll(() => desktop.front()).toBe('Other')
    expect(await activeTabs()).toEqual([mine.tabId])
  })
})
