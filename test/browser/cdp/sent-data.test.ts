import { expect, test } from 'vitest'
import type { SentData, TargetFacts } from '../../../src/contract/target.ts'
import { openCdpPage } from '../../support/cdp-page.ts'
import { openScriptPage } from '../../support/script-page.ts'

const transfer = `<form method=post action=/send><label>To <input name=to value=alice></label><label>Amount <input name=amount value=5></label>
<input type=hidden name=token value=h1dden><label>PIN <input type=password name=pin value=4711></label><input name=empty aria-label=Empty>
<label>Speed <select name=speed><option value=s>Slow<option value=f selected>Fast</select></label><input name=off disabled value=x aria-label=Off>
<label><input type=checkbox name=gift checked> Gift</label><label><input type=checkbox name=news> News</label><textarea name=note aria-label=Note>hi</textarea>
<button name=do value=send>Send money</button></form><input form=f2 name=far aria-label=Far value=away><form id=f2 action=/far><button>Go far</button></form>`

const fields = [
  { label: 'To', value: 'alice' },
  { label: 'Amount', value: '5' },
  { label: 'PIN', value: '[secret]' },
  { label: 'Speed', value: 'Fast' },
  { label: 'Gift', value: 'checked' },
  { label: 'Note', value: 'hi' },
]

test('inspect lists what a form would send; secrets are named only, hidden fields are counted, disabled and empty ones are not sent (S3-20 TRUST A4)', async () => {
  await using page = await openCdpPage(transfer)
  const facts = (await page.do('inspect', { ref: await page.ref('button "Send money"') })) as TargetFacts
  expect(facts.submits?.data).toEqual({ digest: expect.stringMatching(/^[a-p]{32}$/), fields, hidden: 1 })
  expect(JSON.stringify(facts)).not.toMatch(/4711|h1dden/)
  const byEnter = (await page.do('inspect', { ref: await page.ref('textbox "To"') })) as TargetFacts
  expect(byEnter.enterSubmits?.data?.digest).toBe(facts.submits?.data?.digest)
  const far = (await page.do('inspect', { ref: await page.ref('button "Go far"') })) as TargetFacts
  expect(far.submits?.data?.fields).toEqual([{ label: 'Far', value: 'away' }])
})

test('the script of a WebView lists the same data, and has a digest only with a key (S3-20)', async () => {
  await using page = await openScriptPage(transfer)
  const ref = await page.ref('button "Send money"')
  expect(await page.call('inspect', { ref })).toMatchObject({ data: { submits: { data: { fields, hidden: 1 } } } })
  expect(JSON.stringify(await page.call('inspect', { ref }))).not.toContain('digest')
})

const changes: { readonly [what: string]: string } = {
  'a field': `document.forms[0].amount.value = '5000'`,
  'a secret': `document.forms[0].pin.value = '4712'`,
  'a hidden field': `document.forms[0].token.value = 'other'`,
  'a hidden field is added': `document.forms[0].insertAdjacentHTML('beforeend', '<input type=hidden name=amount2 value=9>')`,
  'a field outside is added': `document.body.insertAdjacentHTML('beforeend', '<form id=f></form>'); document.forms[0].id = 'g'; document.body.insertAdjacentHTML('beforeend', '<input form=g name=x value=y>')`,
  'the value behind a choice': `document.querySelector('option[selected]').value = 'express'`,
  'a checkbox': `document.forms[0].news.checked = true`,
  'a disabled field': `document.forms[0].off.disabled = false`,
  'the name of a field': `document.forms[0].to.name = 'cc'`,
  'the method': `document.forms[0].method = 'get'`,
  'the action': `document.forms[0].action = '/other'`,
  'the encoding': `document.forms[0].enctype = 'text/plain'`,
  'the value of the button': `document.querySelector('button').value = 'twice'`,
}

test.each(Object.entries(changes))('the digest of what is sent changes with %s (TRUST G1)', async (_, js) => {
  await using page = await openCdpPage(transfer)
  const ref = await page.ref('button "Send money"')
  const digest = async () => ((await page.do('inspect', { ref })) as TargetFacts).submits?.data?.digest
  const before = await digest()
  expect(await digest()).toBe(before)
  await page.evaluate(js)
  expect(await digest()).not.toBe(before)
})

test('fields that the caller sets are left out of the data (S3-05)', async () => {
  await using page = await openCdpPage(transfer)
  const [ref, amount] = [await page.ref('button "Send money"'), await page.ref('textbox "Amount"')]
  const data = async () => ((await page.do('inspect', { ref, except: [amount] })) as TargetFacts).submits?.data as SentData
  const before = await data()
  expect(before.fields.map(({ label }) => label)).not.toContain('Amount')
  await page.evaluate(`document.forms[0].amount.value = '5000'`)
  expect(await data()).toEqual(before)
  await page.evaluate(`document.forms[0].to.value = 'mallory'`)
  expect((await data()).digest).not.toBe(before.digest)
})

test('a button without a form reports the fields of the nearest form, dialog or landmark that has any (TRUST G1)', async () => {
  await using page = await openCdpPage(`<header><input aria-label=Search value=tea></header><main><label>To <input value=alice></label>
<div contenteditable aria-label=Message>See you</div><div role=combobox aria-label=Account tabindex=0>Savings</div><div role=switch aria-checked=true aria-label=Public tabindex=0></div>
<section><button type=button>Send</button></section></main><footer><button type=button>Post</button></footer>
<dialog open aria-label=Pay><input aria-label=Sum value=7><p><button type=button>Pay</button></p></dialog><a href="https://other.test/">Away</a>`)
  const data = async (query: string) => ((await page.do('inspect', { ref: await page.ref(query) })) as TargetFacts).data
  const main = [
    { label: 'To', value: 'alice' },
    { label: 'Message', value: 'See you' },
    { label: 'Account', value: 'Savings' },
    { label: 'Public', value: 'checked' },
  ]
  expect((await data('button "Send"'))?.fields).toEqual(main)
  expect((await data('button "Pay"'))?.fields).toEqual([{ label: 'Sum', value: '7' }])
  expect((await data('button "Post"'))?.fields).toEqual([{ label: 'Search', value: 'tea' }, ...main, { label: 'Sum', value: '7' }])
  expect(await data('link "Away"')).toBeUndefined()
  const before = await data('button "Send"')
  await page.evaluate(`document.querySelector('[contenteditable]').textContent = 'See me'`)
  expect((await data('button "Send"'))?.digest).not.toBe(before?.digest)
})
