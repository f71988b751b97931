import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, openSession } from '../../../src/browser.ts'
import { takenBackReason } from '../../../src/contract/relay-reasons.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { type LendingRelay, startLendingRelay } from '../../support/lending-relay.ts'
import { until } from '../../support/processes.ts'
import { wrapSession } from '../../support/test-session.ts'
import { startUserBrowser, type UserBrowser } from '../../support/user-browser.ts'

let daily: UserBrowser
beforeAll(async () => {
  daily = await startUserBrowser()
})
afterAll(() => daily[Symbol.asyncDispose]())

const newTab = async (url: string) => {
  const { id } = (await (await fetch(`http://127.0.0.1:${daily.port}/json/new?${url}`, { method: 'PUT' })).json()) as { id: string }
  await until(async () => (await find(id))?.url === url, { what: url })
  return (await find(id)) as NonNullable<Awaited<ReturnType<typeof find>>>
}
const find = async (id: string) => (await daily.targets()).find(target => target.id === id)

async function startRelay(): Promise<LendingRelay> {
  return startLendingRelay({ browserPort: daily.port })
}

test('a relay like that of OpenClaw works through attach: a lent tab is read, operated and given back (S4-10 S4-36)', async () => {
  await using server = await serve(sendHtml('<title>mine</title><h1>Inbox</h1><button onclick="document.title=`sent`">Send</button>'))
  await using relay = await startRelay()
  await newTab(`${server.url}private`)
  const tab = await newTab(server.url)
  await relay.lend(tab)
  const session = await openSession({ attach: { endpoint: relay.endpoint } })
  const commands = wrapSession(session)
  // a target has the URL before its document is committed
  const tabs = async () => (await commands.do('tabs', { operation: 'list' })).tabs
  await expect.poll(tabs).toMatchObject([{ tab: 't1', url: server.url, selected: true }])
  expect(await commands.text()).toContain('button "Send"')
  await commands.do('click', { ref: await commands.ref('button "Send"') })
  expect(await commands.do('screenshot')).toMatchObject({ mime: 'image/png' })
  expect((await commands.do('reload')).page).toMatchObject({ title: 'mine', status: 200 })
  expect(JSON.stringify(session.status())).not.toContain('relay-token-1')
  await session.close()
  expect(await find(tab.id)).toMatchObject({ url: server.url })
  const methods = relay.calls.map(({ method }) => method)
  for (const method of ['Target.createTarget', 'Target.closeTarget', 'Target.activateTarget', 'Page.bringToFront', 'Browser.close'])
    expect(methods).not.toContain(method)
})

test('of a relay that shares the whole browser, no tab is attached to', async () => {
  await using server = await serve(sendHtml('<title>mine</title>'))
  await using relay = await startRelay()
  for (let n = 0; n < 21; n++) await relay.lend(await newTab(`${server.url}${n}`))
  await using session = await openSession({ attach: { endpoint: relay.endpoint } })
  const commands = wrapSession(session)
  const { tabs, notes } = await commands.do('tabs', { operation: 'list' })
  expect(tabs).toMatchObject([{ url: 'about:blank', selected: true }])
  expect(notes).toEqual([expect.stringMatching(/shares 21 tabs.*has its own tab/)])
  expect(relay.calls.filter(({ method }) => method === 'Target.attachToTarget')).toHaveLength(1)
})

test('without a lent tab a session opens its own and closes it; a tab that is lent later is announced', async () => {
  await using server = await serve(sendHtml('<title>mine</title><button>Go</button>'))
  await using relay = await startRelay()
  const session = await openSession({ attach: { endpoint: relay.endpoint } })
  const commands = wrapSession(session)
  await commands.do('open', { url: `${server.url}own` })
  const tab = await newTab(`${server.url}later`)
  await relay.lend(tab)
  const notes: string[] = []
  const list = async () => {
    const listed = await commands.do('tabs', { operation: 'list' })
    notes.push(...(listed.notes ?? []))
    return listed.tabs
  }
  await until(async () => (await list()).length === 2 && notes.length > 0, { what: 'the lent tab' })
  expect(notes).toEqual([expect.stringMatching(/^The user lent tab t2, which shows .*later/)])
  await commands.do('tabs', { operation: 'select', tab: 't2' })
  expect((await commands.do('snapshot')).meta.url).toBe(`${server.url}later`)
  // closing means giving back
  const closed = await commands.do('tabs', { operation: 'close', tab: 't2' })
  expect(closed.notes).toEqual([expect.stringMatching(/t2 was given back to the user; it is still open/)])
  expect(await find(tab.id)).toBeDefined()
  await session.close()
  expect((await daily.targets()).filter(({ url }) => url === `${server.url}own`)).toEqual([])
})

test('a tab that the user takes back is gone for the session, which continues in a new tab', async () => {
  await using server = await serve(sendHtml('<title>mine</title><button>Go</button>'))
  await using relay = await startRelay()
  const tab = await newTab(server.url)
  await relay.lend(tab)
  await using session = await openSession({ attach: { endpoint: relay.endpoint } })
  const commands = wrapSession(session)
  const ref = await commands.ref('button "Go"')
  relay.takeBack(tab.id)
  await until(async () => (await commands.do('tabs', { operation: 'list' })).tabs.length === 0, { what: 'the end of the loan' })
  for (const [verb, given] of [['click', { ref }], ['snapshot']] as const)
    expect(await commands.fails(verb, given)).toMatchObject({
      code: 'target_closed',
      message: expect.stringMatching(/the user took the lent tab back/),
    })
  expect((await commands.do('open', { url: `${server.url}own` })).page.title).toBe('mine')
  expect(await find(tab.id)).toMatchObject({ url: server.url })
})

test('a relay that tells the reason makes the difference between a tab that is taken back and one that is closed', async () => {
  await using server = await serve(sendHtml('<title>mine</title>'))
  await using relay = await startRelay()
  const tab = await newTab(server.url)
  await relay.lend(tab)
  await using session = await openSession({ attach: { endpoint: relay.endpoint } })
  const commands = wrapSession(session)
  relay.takeBack(tab.id, takenBackReason)
  await until(async () => (await commands.do('tabs', { operation: 'list' })).tabs.length === 0, { what: 'the end of the loan' })
  expect((await commands.fails('snapshot')).message).toBe('No tab is open: the user took the lent tab back.')
})

test('if the selected tab is taken back while others are lent, the answer names the tab that is selected then', async () => {
  await using server = await serve(sendHtml('<title>mine</title><button>Go</button>'))
  await using relay = await startRelay()
  const [first, second] = [await newTab(`${server.url}first`), await newTab(`${server.url}second`)]
  for (const tab of [first, second]) await relay.lend(tab)
  await using session = await openSession({ attach: { endpoint: relay.endpoint } })
  const commands = wrapSession(session)
  const selected = (await commands.do('tabs', { operation: 'list' })).tabs.find(tab => tab.selected)
  const [taken, left] = selected?.url === first.url ? [first, second] : [second, first]
  relay.takeBack(taken.id)
  const notes: string[] = []
  await until(
    async () => {
      const listed = await commands.do('tabs', { operation: 'list' })
      notes.push(...(listed.notes ?? []))
      return listed.tabs.length === 1
    },
    { what: 'the end of the loan' },
  )
  expect(notes).toEqual([
    expect.stringMatching(new RegExp(`^Tab ${selected?.tab} is gone\\. Tab t\\d is selected now, which shows "${left.url}"\\.$`)),
  ])
})

test('cookies are not put into the browser of the user through a relay', async () => {
  await using relay = await startRelay()
  const cookie = { name: 'a', value: 'b', domain: 'shop.example', path: '/' }
  const storageState = { cookies: [cookie], origins: [], report: [] } as never
  await expect(openSession({ attach: { endpoint: relay.endpoint }, storageState })).rejects.toMatchObject({
    code: 'disabled',
    message: expect.stringMatching(/logins of its user/),
  })
})

test('a wrong token of a relay is named, and never printed', async () => {
  await using relay = await startRelay()
  const endpoint = relay.endpoint.replace('relay-token-1', 'wrong-token-2')
  const error = await connect({ endpoint }).catch((reason: Error) => reason)
  expect(error).toMatchObject({ code: 'not_running', message: expect.stringMatching(/status 401.*token is missing or wrong/) })
  expect(String(error)).not.toContain('wrong-token-2')
})
