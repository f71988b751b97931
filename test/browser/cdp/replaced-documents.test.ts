import { expect, test } from 'vitest'
import { hookCalls } from '../../support/call-hook.ts'
import { sharedBrowser } from '../../support/open-page.ts'
import { isOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

// a snapshot reads listeners and closed shadow roots by separate calls
const html = (title: string) => `<title>${title}</title><button onclick="1">${title}</button><x-box></x-box>
  <script>customElements.define('x-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<button>In</button>' } })</script>`

const openHooked = async () => {
  const hooked = hookCalls((await sharedBrowser()).chromium)
  const session = await openTestSession(
    { html: html('first'), files: { 'next.html': html('next') } },
    { browser: hooked.browser, deadlines: { snapshot: 30_000 } },
  )
  return { ...hooked, session }
}

// over the relay, the browser is not launched by the test
test.skipIf(isOverRelay)('a document that is replaced before any call of a snapshot gives the snapshot of its successor (F3)', async () => {
  const { session, connection, hook } = await openHooked()
  await using _ = session
  const calls = hook(() => {})
  await session.do('snapshot')
  const total = calls()
  expect(total).toBeGreaterThan(5)
  for (let at = 1; at <= total; at++) {
    hook(() => {})
    await session.do('open', { url: session.url })
    hook(async ({ number, sessionId }) => {
      if (number !== at) return
      // answered when the new document is there, and before the call is sent
      await connection.send('Page.navigate', { url: `${session.url}next.html` }, sessionId)
    })
    const { meta } = await session.do('snapshot')
    // the last calls come when the document is read
    expect(meta.title, `call ${at}`).toMatch(at < total - 2 ? /^next$/ : /^(first|next)$/)
  }
})

// what Chromium answers when a document is gone, depending on how far the call had come
for (const error of [
  'Cannot find context with specified id',
  'uniqueContextId not found',
  'Execution context was destroyed.',
  'Inspected target navigated or closed',
  'Cannot find default execution context',
  'Promise was collected',
  'Could not find object with given id',
  'Internal error',
])
  test.skipIf(isOverRelay)(`a snapshot that gets "${error}" while the page navigates reads the next document (F3)`, async () => {
    const { session, connection, hook } = await openHooked()
    await using _ = session
    let hasFailed = false
    hook(async ({ method, sessionId }) => {
      if (hasFailed || method !== 'Runtime.evaluate') return
      hasFailed = true
      await connection.send('Page.navigate', { url: `${session.url}next.html` }, sessionId)
      throw new Error(`${method}: ${error}`)
    })
    expect((await session.do('snapshot')).meta.title).toBe('next')
  })

test.skipIf(isOverRelay)('a page that navigates during each read says so, and not that its tab is gone (F3)', async () => {
  const { session, connection, hook } = await openHooked()
  await using _ = session
  let navigations = 0
  hook(async ({ method, sessionId }) => {
    if (method === 'Runtime.evaluate')
      await connection.send('Page.navigate', { url: `${session.url}next.html?${navigations++}` }, sessionId)
  })
  const { code, message, hint } = await session.fails('snapshot')
  expect([code, message]).toEqual(['snapshot_failed', 'The page navigated each time it was read.'])
  expect(hint).toBe('Wait a moment and take the snapshot again.')
  hook(() => {})
  expect((await session.do('snapshot')).meta.title).toBe('next')
})

test.skipIf(isOverRelay)('an action on a page that navigates before it begins says that the element is gone (F3)', async () => {
  const { session, connection, hook } = await openHooked()
  await using _ = session
  const ref = await session.ref('first')
  let hasNavigated = false
  hook(async ({ method, sessionId }) => {
    if (hasNavigated || method !== 'Runtime.evaluate') return
    hasNavigated = true
    await connection.send('Page.navigate', { url: `${session.url}next.html` }, sessionId)
  })
  const { code, message } = await session.fails('click', { ref })
  expect([code, message]).toEqual(['ref_not_found', `The page navigated before click began, and ${ref} is gone with it.`])
})
