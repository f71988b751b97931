// What an action says about a form must be what the server received: "not sent" invites a second payment.
import { expect, test } from 'vitest'
import { webTools } from '../../../src/tools.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { openTestSession } from '../../support/test-session.ts'

const form = (content: string, attributes = '') =>
  `<!doctype html><title>Pay</title><form id=f action=/pay method=post ${attributes}><input name=q aria-label=Amount required>${content}</form>`
const pay = "fetch('/pay', { method: 'POST' })"
const reject = "f.q.setCustomValidity('Declined'); f.q.focus(); f.q.checkValidity()"

/** Opens the page with a field "Amount" and a button "Pay", and keeps what its server received besides. */
async function openPayment(html: string) {
  const received: string[] = []
  const server = await serve((request, response) => {
    if (request.url === '/') return sendHtml(html)(request, response)
    if (request.url !== '/favicon.ico') received.push(`${request.method} ${request.url}`)
    response.writeHead(request.url === '/none' ? 204 : 200).end()
  })
  const session = await openTestSession()
  await session.do('open', { url: server.url })
  const { execute } = webTools(session.session.run)
  return {
    received,
    click: async () => (await session.do('click', { ref: await session.ref('button "Pay"') })).effect,
    fill: async (value: string) => session.do('fill', { ref: await session.ref('Amount'), value }),
    fillAndSubmit: async (value: string) => execute('web_fill', { fields: [{ ref: await session.ref('Amount'), value }], submit: true }),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

test.each([
  [
    'sends its form itself and rejects a field afterwards',
    form('<button>Pay</button>', `onsubmit="event.preventDefault(); ${pay}; ${reject}"`),
    '5',
  ],
  [
    'hides the submit event, sends its form itself and rejects a field',
    `${form('<button>Pay</button>')}<script>addEventListener('submit', e => { e.stopImmediatePropagation(); e.preventDefault(); ${pay}; ${reject} }, true)</script>`,
    '5',
  ],
  [
    'sends an invalid form all the same',
    `${form('<button>Pay</button>', 'target=w')}<iframe name=w hidden></iframe><script>f.q.oninvalid = e => { e.preventDefault(); f.submit() }</script>`,
    '',
  ],
  [
    'sends an invalid form a moment later',
    `${form('<button>Pay</button>', 'target=w')}<iframe name=w hidden></iframe><script>f.q.oninvalid = e => { e.preventDefault(); setTimeout(() => f.submit()) }</script>`,
    '',
  ],
  [
    'sends an invalid form by a beacon',
    `${form('<button>Pay</button>')}<script>f.q.oninvalid = e => { e.preventDefault(); navigator.sendBeacon('/pay') }</script>`,
    '',
  ],
])('a page that %s is not said to have sent nothing', async (_, html, value) => {
  await using page = await openPayment(html)
  const { text, error } = await page.fillAndSubmit(value)
  await expect.poll(() => page.received).toEqual(['POST /pay'])
  expect(error).toBeUndefined()
  expect(text).toMatch(/^ok: 1 field set, then submit by e\d+\n/)
  expect(text).not.toMatch(/not sent|try another|again/)
})

test('an invalid form that is sent into a new tab is not said to be unsent', async () => {
  await using page = await openPayment(
    `${form('<button>Pay</button>', 'target=_blank')}<script>f.q.oninvalid = e => { e.preventDefault(); f.submit() }</script>`,
  )
  expect(await page.click()).not.toHaveProperty('invalid')
  await expect.poll(() => page.received).toEqual(['POST /pay'])
})

test('a field that a click rejects is not the reason that a form was not sent if the click sent a request', async () => {
  await using page = await openPayment(
    form(`<button type=button onclick="${pay}; f.q.setCustomValidity('Declined'); f.q.reportValidity()">Pay</button>`),
  )
  expect(await page.click()).not.toHaveProperty('invalid')
  await expect.poll(() => page.received).toEqual(['POST /pay'])
})

test('an event that the page itself dispatches neither rejects nor sends a form', async () => {
  await using rejected = await openPayment(
    form(`<button type=button onclick="f.q.setCustomValidity('No'); f.q.focus(); f.q.dispatchEvent(new Event('invalid'))">Pay</button>`),
  )
  expect(await rejected.click()).not.toHaveProperty('invalid')
  await using sent = await openPayment(
    form(`<button type=button onclick="f.dispatchEvent(new SubmitEvent('submit', { bubbles: true }))">Pay</button>`),
  )
  await sent.fill('5')
  expect(await sent.click()).not.toHaveProperty('submitted')
  expect([...rejected.received, ...sent.received]).toEqual([])
})

test('a form that the browser sends is sent, and one that it validates first is not, whatever images the page loads', async () => {
  await using page = await openPayment(
    `${form('<button formaction=/none>Pay</button>')}<script>f.q.oninvalid = () => document.body.append(Object.assign(new Image(), { src: '/icon' }))</script>`,
  )
  expect(await page.click()).toMatchObject({ invalid: { field: expect.stringMatching(/^e\d+$/) } })
  expect((await page.fillAndSubmit('')).error?.code).toBe('not_committed')
  await page.fill('5')
  expect(await page.click()).toMatchObject({ submitted: true })
  await expect.poll(() => page.received).toContain('POST /none')
})
