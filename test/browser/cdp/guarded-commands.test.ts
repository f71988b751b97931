// With the default approvals nothing is operated or sent that was not judged, and ordinary pages go on to work.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../../../src/contract/approval.ts'
import { type AnyRun, wrap } from '../../../src/contract/run.ts'
import { fileRunStore, recordRun } from '../../../src/evidence.ts'
import { type ApprovalPolicy, approvalLayer } from '../../../src/tools.ts'
import { serve } from '../../support/http-server.ts'
import { openTestSession } from '../../support/test-session.ts'

/** What a payment service shows in its frame. */
const deleteFrame = `<body style=margin:0><form method=post action=/send><button style="width:100%;height:150px">Delete account</button></form>
<script>for(const type of ['pointerdown','drop'])addEventListener(type,()=>fetch('/send',{method:'POST'}))
addEventListener('dragover',event=>event.preventDefault())</script>`

interface SiteOptions {
  readonly policy?: ApprovalPolicy
  /** what a person answers; nobody answers without it */
  readonly approved?: true
}

/** A site on loopback, and a run on it with approvals. `sent`: the requests that changed something there. */
async function openSite(html: string, { policy, approved }: SiteOptions = {}) {
  const sent: string[] = []
  const site = await serve((request, response) => {
    if (request.method === 'POST') sent.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><meta charset=utf-8><title>Site</title>${request.url === '/frame' ? deleteFrame : html}`)
  })
  const page = await openTestSession({}, { allowEval: true })
  await page.do('open', { url: site.url })
  const store = fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-site-')) })
  const journal = await store.create()
  const asked: ApprovalRequest[] = []
  const asking = approvalLayer({
    journal,
    sites: [new URL(site.url).host],
    picture: false,
    approve: async request => {
      asked.push(request)
      return approved ? { approved, scope: 'once' } : 'pending'
    },
    ...(policy && { policy }),
  })
  const run = wrap(page.session.run, asking, recordRun(journal).layer) as AnyRun
  return {
    sent,
    asked,
    page,
    /** the code of the failure, or ok */
    act: async (name: string, args: object = {}) => {
      const result = await run({ name, ...args })
      return result.ok ? 'ok' : result.error.code
    },
    fails: async (name: string, args: object = {}) => {
      const result = await run({ name, ...args })
      return result.ok ? '' : result.error.message
    },
    value: async (js: string) => (await page.do('evaluate', { js })).value,
    async [Symbol.asyncDispose]() {
      await journal.close()
      await page[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

const paymentCard = (frame: string) => `<style>iframe,object,embed{display:block;width:480px;height:160px;border:0}</style>
<div draggable=true tabindex=0 role=button aria-label=Item style="width:60px;height:30px">Item</div>
<section tabindex=0 aria-label=Payment style="width:480px">${frame}</section>`
const frames: readonly string[] = ['<iframe src=/frame></iframe>', '<object data=/frame></object>', '<embed src=/frame>']

test.each(frames)('a press on a container is asked about if it would go to %s in it (TRUST G2)', async frame => {
  await using site = await openSite(paymentCard(frame))
  const ref = await site.page.ref('Payment')
  for (const name of ['click', 'dblclick', 'longpress']) expect(await site.act(name, { ref }), name).toBe('approval_required')
  expect(await site.act('drag', { ref: await site.page.ref('button "Item"'), to: ref })).toBe('approval_required')
  expect(site.asked.map(({ classes }) => classes.includes('submit'))).toEqual([true, true, true, true])
  expect(site.sent).toEqual([])
})

test('a policy that denies sending denies a press that would go to a frame (TRUST G2)', async () => {
  await using site = await openSite(paymentCard(frames[0] ?? ''), { policy: { classes: { submit: 'deny' } } })
  expect(await site.act('click', { ref: await site.page.ref('Payment') })).toBe('approval_denied')
  expect(site.sent).toEqual([])
})

test('a press does not go to a frame that comes under it after it was judged (TRUST G2)', async () => {
  const html = `<section id=card tabindex=0 aria-label=Card style="width:300px;height:150px">Tea</section>`
  await using site = await openSite(html)
  const ref = await site.page.ref('Card')
  await site.page.do('inspect', { ref, guard: true })
  await site.value(`void (card.innerHTML = '<iframe src=/frame style="width:300px;height:150px;border:0"></iframe>')`)
  expect(await site.page.fails('click', { ref })).toMatchObject({ code: 'approval_stale' })
  expect(site.sent).toEqual([])
})

test('a card with a map in a frame is clicked beside the map, and nobody is asked', async () => {
  const html = `<section tabindex=0 aria-label=Card style="width:400px;padding:20px" onclick="clicks++"><h2>Green tea</h2>
<iframe src=/frame style="display:block;width:400px;height:160px;border:0"></iframe><p>Shop</p></section><script>clicks=0</script>`
  await using site = await openSite(html)
  expect(await site.act('click', { ref: await site.page.ref('Card') })).toBe('ok')
  expect([await site.value('clicks'), site.asked.length, site.sent]).toEqual(['1', 0, []])
})

const underPointer = (second: string) =>
  `<div id=one><button type=button style="width:200px;height:50px" onclick="one.hidden=true;two.hidden=false">Next</button></div><div id=two hidden>${second}</div>`
const secondPresses: readonly [string, string][] = [
  ['a button that pays', underPointer('<form method=post action=/send><button style="width:200px;height:50px">Pay $500</button></form>')],
  [
    'a script button',
    underPointer(`<button type=button style="width:200px;height:50px" onclick="fetch('/send',{method:'POST'})">Delete</button>`),
  ],
  [
    'the same button, which says something else now',
    `<button type=button style="width:200px;height:50px" onclick="if(this.textContent==='Delete')fetch('/send',{method:'POST'});this.textContent='Delete'">Next</button>`,
  ],
]

test.each(secondPresses)('the second press of a double click does not go to %s (TRUST G2)', async (_, html) => {
  await using site = await openSite(html)
  expect(await site.act('dblclick', { ref: await site.page.ref('button "Next"') })).toBe('approval_stale')
  expect(site.sent).toEqual([])
})

const changes: readonly [string, string][] = [
  ['type', `it.type = 'submit'`],
  ['action', `it.type = 'submit'; document.forms[0].action = '/other'`],
  ['words', `it.textContent = 'Delete'`],
]
test.each(changes)('a button whose %s changed after it was judged is not pressed (TRUST G2)', async (_, js) => {
  await using site = await openSite('<form method=post action=/send><button id=it type=button>Next</button></form>')
  const ref = await site.page.ref('button "Next"')
  await site.page.do('inspect', { ref, guard: true })
  await site.value(`void (()=>{${js}})()`)
  expect(await site.page.fails('click', { ref })).toMatchObject({ code: 'approval_stale' })
  expect(site.sent).toEqual([])
})

test('a cell is edited by a double click', async () => {
  const html = `<table><tr><td tabindex=0 style="width:200px;height:40px" ondblclick="this.innerHTML='<input aria-label=Cell>'">Tea</td></tr></table>`
  await using site = await openSite(html)
  expect(await site.act('dblclick', { ref: await site.page.ref('Tea') })).toBe('ok')
  expect([await site.value('!!document.querySelector("input")'), site.asked.length]).toEqual(['true', 0])
})

const scriptLinks = ['#', 'javascript:void 0', '/#top']
test.each(scriptLinks)('a link to %s whose words cannot be understood, or show an amount, is asked about (TRUST G2)', async href => {
  for (const words of ['გადახდა', '$500']) {
    await using site = await openSite(`<a href="${href}" onclick="fetch('/send',{method:'POST'})">${words}</a>`)
    expect(await site.act('click', { ref: await site.page.ref('link') })).toBe('approval_required')
    expect(site.sent).toEqual([])
  }
})

const chat = (then: string) =>
  `<form method=post action=/send><textarea name=m aria-label=Comment ${then}>Hi</textarea><button>Post</button></form>`
const surprises: readonly [string, string, object, string][] = [
  ['fill', 'Comment', { value: 'spam' }, chat('oninput="this.form.requestSubmit()"')],
  [
    'fill',
    'To',
    { value: 'eve' },
    '<form method=post action=/send><input name=to aria-label=To oninput="this.form.requestSubmit()"><button>Go</button></form>',
  ],
  [
    'check',
    'Public',
    {},
    '<form method=post action=/send><input type=checkbox aria-label=Public onchange="this.form.requestSubmit()"></form>',
  ],
  [
    'select',
    'Plan',
    { values: ['2'] },
    '<form method=post action=/send><select aria-label=Plan onchange="this.form.requestSubmit()"><option>1<option>2</select></form>',
  ],
  ['click', 'Next', {}, '<form method=post action=/send><button type=button onclick="this.form.requestSubmit()">Next</button></form>'],
  ['click', 'Next', {}, `<form method=post action=/send><button type=button onpointerdown="this.type='submit'">Next</button></form>`],
]

test.each(surprises)('%s on %s %o sends no form that nobody was asked about (TRUST G1)', async (name, label, args, html) => {
  await using site = await openSite(html)
  const ref = await site.page.ref(label)
  const message = await site.fails(name, { ref, ...args })
  expect(message).toContain('a form that nobody was asked about')
  expect([site.sent, site.asked.length]).toEqual([[], 0])
})

test('a script button whose form was stopped asks when it is clicked again, and sends it then', async () => {
  const html = '<form method=post action=/send><button type=button onclick="this.form.requestSubmit()">Next</button></form>'
  await using site = await openSite(html, { approved: true })
  const ref = await site.page.ref('Next')
  expect(await site.act('click', { ref })).toBe('approval_stale')
  expect([site.sent, site.asked.length]).toEqual([[], 0])
  expect(await site.act('click', { ref })).toBe('ok')
  expect([site.sent, site.asked.length]).toEqual([['POST /send'], 1])
})

const approvedButtons: readonly [string, string][] = [
  ['a submit button', '<form method=post action=/send><input name=to aria-label=To value=alice><button>Send</button></form>'],
  [
    'a script button that sends a form',
    '<form id=f method=post action=/send></form><button type=button onclick="f.requestSubmit()">Pay now</button>',
  ],
]
test.each(approvedButtons)('%s sends what a person has approved (S3-05)', async (_, html) => {
  await using site = await openSite(html, { approved: true })
  expect(await site.act('click', { ref: await site.page.ref('button') })).toBe('ok')
  expect([site.sent, site.asked.length]).toEqual([['POST /send'], 1])
})

test('a search field that sends a GET form to its own site by a script goes on to work', async () => {
  const html = `<form action=/found><input name=q aria-label=Query oninput="this.form.requestSubmit()"></form>`
  await using site = await openSite(html)
  expect(await site.act('fill', { ref: await site.page.ref('Query'), value: 'tea' })).toBe('ok')
  await site.page.do('wait', { url: '/found?q=tea' })
  expect(site.asked.length).toBe(0)
})

test('a list that filters by a script, without a form, goes on to work', async () => {
  const html = `<select aria-label=Colour onchange="out.textContent=this.value"><option>red<option>blue</select><p id=out></p>`
  await using site = await openSite(html)
  expect(await site.act('select', { ref: await site.page.ref('Colour'), values: ['blue'] })).toBe('ok')
  expect([await site.value('out.textContent === "blue"'), site.asked.length]).toEqual(['true', 0])
})
