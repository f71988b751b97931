import { expect, test } from 'vitest'
import { findNode, openScriptPage } from '../../support/script-page.ts'

test.each([
  ['a password', '<input type=password value="SENTINEL">'],
  ['a current password', '<input autocomplete="section-a current-password" value="SENTINEL">'],
  ['a new password', '<input autocomplete=new-password value="SENTINEL">'],
  ['a one-time code', '<input autocomplete=one-time-code value="SENTINEL">'],
  ['a card number', '<input autocomplete=cc-number value="SENTINEL">'],
  ['a hidden field', '<form><input type=hidden name=csrf value="SENTINEL"><button>b</button></form>'],
  ['a password inside a label', '<label>Old <input type=password value="SENTINEL"> and new <input></label>'],
  ['a password in a text field, recognized by its name', '<input type=text name=user_password value="SENTINEL">'],
])('the value is never exposed: %s (X0-11 TRUST A4)', async (_, html) => {
  await using page = await openScriptPage(html)
  for (const options of [
    {},
    { interactiveOnly: false },
    { includeHidden: true, interactiveOnly: false },
    { includeAttrs: ['value', 'name'] },
  ])
    expect(JSON.stringify(await page.rawSnapshot(options))).not.toContain('SENTINEL')
})

test('a password field stays redacted and keeps its ref after a show-password toggle (X0-11 TRUST A4)', async () => {
  await using page = await openScriptPage('<input id=i type=password value="SENTINEL">')
  expect(findNode(await page.snapshot(), { role: 'textbox' })).toMatchObject({ ref: 'e1', value: '[redacted]' })
  await page.evaluate('i.type = "text"')
  expect(findNode(await page.snapshot(), { role: 'textbox' })).toMatchObject({ ref: 'e1', value: '[redacted]' })
})

test('secrets are redacted in every kind of field (TRUST A4)', async () => {
  await using page =
    await openScriptPage(`<textarea role=combobox autocomplete=one-time-code>SENTINEL</textarea><select autocomplete=cc-exp-month><option>SENTINEL</select>
    <div contenteditable>Hi <span style="display:none">SENTINEL</span></div><input type=password value=SENTINEL>`)
  for (const options of [{}, { interactiveOnly: false }]) expect(JSON.stringify(await page.rawSnapshot(options))).not.toContain('SENTINEL')
  expect(await page.rawSnapshot({ includeAttrs: ['VALUE'] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})
