// An approval in a real browser: what is sent under it is what a person was shown, whoever changes the page.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Approve } from '../../../src/contract/approval.ts'
import { type AnyRun, wrap } from '../../../src/contract/run.ts'
import { fileRunStore, recordRun } from '../../../src/evidence.ts'
import { approvalLayer } from '../../../src/tools.ts'
import { serve } from '../../support/http-server.ts'
import { openTestSession, type TestSession } from '../../support/test-session.ts'

const transfer = `<form method=post action=/send><label>To <input name=to value=alice></label>
<label>Amount <input name=amount value=5></label><input type=hidden name=token value=t0k3n><button>Send money</button></form>`
const byScript = `<main><label>To <input id=to value=alice></label><label>Amount <input id=amount value=5></label>
<button type=button onclick="fetch('/send',{method:'POST',body:'to='+to.value+'&amount='+amount.value})">Send money</button></main>`
const yes = { approved: true, scope: 'once', by: 'ann', at: '2026-01-01T00:00:00.000Z' } as const

/** A bank on loopback, and a run on it with approvals; `page` operates the page past the run, as its scripts or a person do. */
async function openBank(html: string, approve: Approve) {
  const bodies: string[] = []
  const bank = await serve((request, response) => {
    let body = ''
    request.on('data', part => {
      body += part
    })
    request.on('end', () => {
      if (request.method === 'POST' || request.url?.startsWith('/send')) bodies.push(`${request.method} ${request.url} ${body}`)
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Bank</title>${html}`)
    })
  })
  const page = await openTestSession({}, { allowEval: true })
  await page.do('open', { url: bank.url })
  const store = fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-bank-')) })
  const journal = await store.create()
  const asking = approvalLayer({ journal, sites: [new URL(bank.url).host], approve, picture: false })
  const run = wrap(page.session.run, asking, recordRun(journal).layer) as AnyRun
  return {
    bodies,
    page,
    run,
    store,
    journal,
    bank,
    change: (js: string) => page.do('evaluate', { js }),
    async [Symbol.asyncDispose]() {
      await journal.close()
      await page[Symbol.asyncDispose]()
      await bank[Symbol.asyncDispose]()
    },
  }
}

const refs = async (page: TestSession) => ({ button: await page.ref('button "Send money"'), amount: await page.ref('textbox "Amount"') })
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code)
const pending: Approve = async () => 'pending'
const dataOf = (request: ApprovalRequest | undefined) => request?.data?.fields.map(({ label, value }) => `${label} ${value}`)

test.each([
  ['a form', transfer],
  ['a script', byScript],
])(
  'an amount that the run changes after the question about %s is asked about again, and the first answer sends nothing (TRUST G1)',
  async (_, html) => {
    await using bank = await openBank(html, pending)
    const { button, amount } = await refs(bank.page)
    expect(codeOf(await bank.run({ name: 'click', ref: button }))).toBe('approval_required')
    const [first] = await bank.store.approvals({ pending: true })
    expect(dataOf(first?.request)).toEqual(['To alice', 'Amount 5'])
    expect(codeOf(await bank.run({ name: 'fill', ref: amount, value: '5000' }))).toBe('ok')
    await bank.store.decide(first?.request.id ?? '', yes)
    expect(codeOf(await bank.run({ name: 'click', ref: button }))).toMatch(/^approval_(stale|required)$/)
    expect(bank.bodies).toEqual([])
    const [second] = await bank.store.approvals({ pending: true })
    expect(dataOf(second?.request)).toEqual(['To alice', 'Amount 5000'])
  },
)

const changes: { readonly [what: string]: string } = {
  'a value': `document.forms[0].amount.value = '5000'`,
  'a hidden field that is added': `document.forms[0].insertAdjacentHTML('beforeend', '<input type=hidden name=amount2 value=9999>')`,
  'a hidden value': `document.forms[0].token.value = 'other'`,
  'the method': `document.forms[0].method = 'get'`,
  'the encoding': `document.forms[0].enctype = 'text/plain'`,
  'the action': `document.forms[0].action = '/send/all'`,
  'a name': `document.forms[0].amount.name = 'amount2'`,
  'the button': `document.querySelector('button').name = 'all'; document.querySelector('button').value = 'yes'`,
}

test.each(Object.entries(changes))(
  '%s that the page changes while a person is asked makes the approval stale (TRUST G1)',
  async (_, js) => {
    await using bank = await openBank(transfer, async () => {
      await bank.change(js)
      return { approved: true, scope: 'once' }
    })
    const { button } = await refs(bank.page)
    expect(codeOf(await bank.run({ name: 'click', ref: button }))).toBe('approval_stale')
    expect(bank.bodies).toEqual([])
  },
)

test.each([
  ['to another origin', (other: string) => `document.forms[0].action = ${JSON.stringify(other)} + 'send'`],
  ['with another method', () => `document.forms[0].method = 'get'`],
])('a form that its button would send %s once it is pressed is not sent (TRUST G1)', async (_, js) => {
  await using bank = await openBank(transfer, async () => ({ approved: true, scope: 'once' }))
  await bank.change(`document.querySelector('button').addEventListener('pointerdown', () => { ${js(bank.bank.other)} })`)
  const { button } = await refs(bank.page)
  expect(codeOf(await bank.run({ name: 'click', ref: button }))).toBe('approval_stale')
  expect(bank.bodies).toEqual([])
})

test('what was approved is sent once, by a click and by Enter (S3-05)', async () => {
  const asked: ApprovalRequest[] = []
  await using bank = await openBank(transfer, async request => {
    asked.push(request)
    return { approved: true, scope: 'once' }
  })
  const { button } = await refs(bank.page)
  expect(codeOf(await bank.run({ name: 'click', ref: button }))).toBe('ok')
  const { amount } = await refs(bank.page)
  expect(codeOf(await bank.run({ name: 'press', ref: amount, key: 'Enter' }))).toBe('ok')
  expect(bank.bodies).toEqual(Array(2).fill('POST /send to=alice&amount=5&token=t0k3n'))
  expect(asked.map(request => [dataOf(request), request.data?.hidden, request.method])).toEqual(
    Array(2).fill([['To alice', 'Amount 5'], 1, 'post']),
  )
})

test('a run that goes on in another browser asks again, and an empty form is not sent under the approval of a filled one (TRUST G1)', async () => {
  await using bank = await openBank(transfer, pending)
  const { button, amount } = await refs(bank.page)
  await bank.run({ name: 'fill', ref: amount, value: '7' })
  expect(codeOf(await bank.run({ name: 'click', ref: button }))).toBe('approval_required')
  const [first] = await bank.store.approvals({ pending: true })
  await bank.journal.close()
  await bank.store.decide(first?.request.id ?? '', yes)
  await using other = await openTestSession()
  await other.do('open', { url: bank.bank.url })
  const journal = await bank.store.open(bank.journal.id)
  const asking = approvalLayer({ journal, sites: [new URL(bank.bank.url).host], approve: pending, picture: false })
  const run = wrap(other.session.run, asking, recordRun(journal).layer) as AnyRun
  const now = await refs(other)
  expect(codeOf(await run({ name: 'click', ref: now.button }))).toBe('approval_required')
  expect((await bank.store.approvals()).map(record => [record.state, record.staleBecause, ...(dataOf(record.request) ?? [])])).toEqual([
    ['stale', 'browser', 'To alice', 'Amount 7'],
    ['pending', undefined, 'To alice', 'Amount 5'],
  ])
  expect(bank.bodies).toEqual([])
  await journal.close()
})
