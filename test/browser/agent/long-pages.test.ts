import { expect, test } from 'vitest'
import { agentTools } from '../../../src/tools.ts'
import { openCdpPage } from '../../support/cdp-page.ts'

const links = (count: number) => Array.from({ length: count }, (_, n) => `<li><a href="#t${n}">Topic ${n}</a>`).join('')
const form = `<h1>Order</h1><form action="/sent"><label>Full name <input name=name></label><button>Confirm</button></form>`

test('on a page with thousands of links, the answer to open-url names the controls for the task below them (S3-13)', async () => {
  await using page = await openCdpPage('', { files: { 'long.html': `<title>Long</title><ul>${links(2_500)}</ul>${form}` } })
  const { execute } = agentTools(page.session.run, { task: 'order with the full name Ada, and confirm' })
  const text = (await execute('open-url', { url: new URL('long.html', page.url).href })).data?.text ?? ''
  expect(text).toContain('elsewhere on the page, for your task:')
  expect(text).toMatch(/^- button "Confirm" \[ref=e\d+\]/m)
  expect(text.length).toBeLessThan(3_000)
  const observed = (await execute('browser-observe', { task: 'confirm' })).data?.text ?? ''
  expect(observed).toMatch(/found=2502 matching=1\n- button "Confirm"/)
})

test('on a page with thousands of links, the answer has the text that the task asks for (S3-13)', async () => {
  const account = '<h1>Your account</h1><p>Welcome back.</p><dl><dt>Balance</dt><dd>$1,204.50</dd></dl>'
  await using page = await openCdpPage('', { files: { 'long.html': `<title>Long</title><ul>${links(2_500)}</ul>${account}` } })
  const { execute } = agentTools(page.session.run, { task: 'log in as ada@bank.test, tell me the balance' })
  const text = (await execute('open-url', { url: new URL('long.html', page.url).href })).data?.text ?? ''
  expect(text).toMatch(/^texts on the page, for your task:\n- definition under "Balance".*"\$1,204\.50"$/m)
  expect(text).not.toContain('Welcome back')
  expect(text.length).toBeLessThan(3_000)
})

test('after scrolling on a long page, an answer does not say that elements appeared which were there before', async () => {
  const script = `document.querySelector('button').onclick = () => { document.querySelector('output').textContent = 'Ready' }`
  const html = `<ul>${links(1_500)}</ul><button>Start</button><output></output><ul>${links(1_500)}</ul><script>${script}</script>`
  await using page = await openCdpPage(html)
  const { execute } = agentTools(page.session.run, { task: 'start' })
  await execute('browser-snapshot')
  const [ref = ''] = (await execute('browser-observe', { task: 'start' })).data?.refs ?? []
  const text = (await execute('browser-act', { action: 'click', ref })).data?.text ?? ''
  expect(text).toContain('another part of the page is in view; refs of other parts still hold')
  expect(text).toContain('Ready')
  expect(text).not.toMatch(/^[+-] link|vanished/m)
  const scrolled = (await execute('browser-act', { action: 'scroll', direction: 'down', amount: 400 })).data?.text ?? ''
  expect(scrolled).not.toMatch(/^[+-] link|vanished/m)
})

test('actions of one call stop where the page changes, and the answer says how many were carried out (S3-16)', async () => {
  await using page = await openCdpPage(`<label>Name <input></label><a href="next.html">Go</a><button>Last</button>`, {
    files: { 'next.html': '<button>Other</button>' },
  })
  const { execute } = agentTools(page.session.run)
  await execute('browser-snapshot')
  const [field, link, button] = await Promise.all(['textbox', 'link', 'button'].map(role => page.ref(role)))
  const next = [
    { action: 'click', ref: link },
    { action: 'click', ref: button },
  ]
  const { data } = await execute('browser-act', { action: 'fill', ref: field, text: 'Ada', next })
  expect(data?.text).toContain('note: stopped after 2 of 3 actions, because the page changed. 1 not carried out.')
  expect(data?.text).toContain('button "Other"')
})
