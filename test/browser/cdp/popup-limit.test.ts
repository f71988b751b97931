import { expect, test } from 'vitest'
import { serve } from '../../support/http-server.ts'
import { openTestSession } from '../../support/test-session.ts'

test('of fifty windows that one click opens, at most five send a request (B2)', async () => {
  const requested = new Set<string>()
  await using server = await serve((request, response) => {
    const { pathname } = new URL(`${request.url}`, 'http://localhost')
    if (pathname.startsWith('/window')) requested.add(pathname)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      pathname === '/'
        ? `<title>Opener</title><button onclick="for (let i = 0; i < 50; i++) window.open('/window-' + i)">Open</button>`
        : `<title>Window</title><script>fetch(location.pathname + '/fetched')</script>`,
    )
  })
  await using page = await openTestSession()
  await page.do('open', { url: server.url })
  const { notes = [] } = await page.do('click', { ref: await page.ref('Open') })
  const tabs = await page.do('tabs', {})
  expect(tabs.tabs.length).toBeLessThanOrEqual(6)
  // a window that is being closed would have sent its request before the windows that stay have loaded, and before another page opens
  await page.do('open', { url: `${server.url}last` })
  const windows = new Set([...requested].map(path => path.split('/')[1]))
  expect([...windows].length, `${[...requested].join(' ')} ${notes.join(' ')}`).toBeLessThanOrEqual(5)
  expect([...windows].length).toBeGreaterThan(0)
})
