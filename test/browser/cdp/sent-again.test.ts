import { expect, test } from 'vitest'
import { explain } from '../../../src/tools.ts'
import { serve } from '../../support/http-server.ts'
import { openTestSession } from '../../support/test-session.ts'

/** A shop that counts its orders; one kind of order redirects to a receipt. */
async function openShop({ cache = 'no-store', script = '' } = {}) {
  const orders: string[] = []
  const server = await serve((request, response) => {
    const { method = '', url = '' } = request
    if (method === 'POST') orders.push(url)
    if (url === '/redirect') return response.writeHead(303, { location: '/receipt' }).end()
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': cache })
    response.end(`<title>${method} ${url}</title><form method=post action=/buy><button>Pay now</button></form>
<form method=post action=/redirect><button>Order</button></form><form action=/search><button>Search</button></form><a href=/next>Next</a>${script}`)
  })
  const session = await openTestSession()
  const sites = [new URL(server.url).host]
  await session.do('open', { url: server.url })
  return {
    session,
    orders,
    judge: async (name: string) => {
      const { classes, rule, reasonCodes } = await explain(session.session.run, { name }, { sites })
      return { classes: classes.join(' '), rule, reasonCodes }
    },
    click: async (query: string) => session.do('click', { ref: await session.ref(query) }),
    title: async () => (await session.do('wait', { load: 'load' })).page.title,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

test('reloading a page that was sent for by a form is judged like sending the form (TRUST G7)', async () => {
  await using shop = await openShop()
  expect(await shop.judge('reload')).toMatchObject({ classes: 'write', rule: 'allow' })
  await shop.click('button "Search"')
  expect(await shop.judge('reload')).toMatchObject({ classes: 'write', rule: 'allow' })
  // an inspection, as approvals make it, tells the words of the button
  await shop.session.do('inspect', { ref: await shop.session.ref('button "Pay now"') })
  await shop.click('button "Pay now"')
  expect(await shop.judge('reload')).toEqual({
    classes: 'write submit pay',
    rule: 'ask',
    reasonCodes: ['reload', 'send_again', 'words_pay'],
  })
  await shop.session.do('reload')
  expect(shop.orders).toEqual(['/buy', '/buy'])
  expect(await shop.judge('reload')).toMatchObject({ classes: 'write submit pay', rule: 'ask' })
  await shop.click('button "Order"')
  expect(await shop.title()).toBe('GET /receipt')
  expect(await shop.judge('reload')).toMatchObject({ classes: 'write', rule: 'allow' })
})

/** keeps a page out of the memory that the browser has for going back */
const lock = "<script>navigator.locks.request('x', () => new Promise(() => {}))</script>"

test.each([
  ['no-store', ''],
  ['no-store', lock],
  ['max-age=60', lock],
  ['no-cache', lock],
])('going back and forward to the answer to a form never sends it again: %s %s (TRUST G7)', async (cache, script) => {
  await using shop = await openShop({ cache, script })
  await shop.click('button "Pay now"')
  await shop.click('link "Next"')
  for (const direction of ['back', 'forward', 'back'] as const) {
    expect(await shop.judge(direction)).toMatchObject({ classes: 'move', rule: 'allow' })
    // a page that the browser has not kept is not loaded
    const result = await shop.session.session.run({ name: direction })
    if (!result.ok) expect(result.error.message).toContain('ERR_CACHE_MISS')
    expect(await shop.judge('reload')).toMatchObject({ rule: direction === 'back' ? 'ask' : 'allow' })
  }
  expect(shop.orders).toEqual(['/buy'])
})
