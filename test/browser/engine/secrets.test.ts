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

test.each([
  [
    'a password that was turned to text before the first snapshot',
    '<input id=f type=password value="SENTINEL"><script>f.type = "text"</script>',
  ],
  [
    'a password that a toggle replaced before the first snapshot',
    '<div id=d><input type=password value="SENTINEL"></div><script>d.innerHTML = \'<input value="SENT\' + \'INEL">\'</script>',
  ],
  ['characters masked by CSS', '<input name=x style="-webkit-text-security:disc" value="SENTINEL">'],
  ['a security code', '<label>CVV <input name=f1 value="SENTINEL"></label>'],
  ['a security code by name', '<input name=securityCode value="SENTINEL">'],
  ['a PIN', '<label for=i>PIN</label><input id=i value="SENTINEL">'],
  ['a PIN by name', '<input name=pin value="SENTINEL">'],
  ['a card number by label', '<label>Card number <input name=card value="SENTINEL"></label>'],
  ['a social security number', '<input aria-label="Social security number" value="SENTINEL">'],
  ['a social security number by name', '<input name=ssn value="SENTINEL">'],
  ['a token', '<input name=token value="SENTINEL">'],
  ['an API key', '<input name=apiKey value="SENTINEL">'],
  ['an API key in capitals', '<input id=APIKey value="SENTINEL">'],
  ['a passcode', '<input placeholder="Enter your passcode" value="SENTINEL">'],
  ['a verification code', '<input aria-label="Verification code *" value="SENTINEL">'],
  ['an editable one-time code', '<div contenteditable aria-label="One-time code">SENTINEL</div>'],
  ['a Chinese password', '<label>登录密码：<input name=f value="SENTINEL"></label>'],
  ['a Chinese verification code', '<input placeholder="请输入短信验证码" value="SENTINEL">'],
  ['a Chinese card number', '<input aria-label="银行卡号" value="SENTINEL">'],
  ['the document of a frame', '<iframe title=F srcdoc="<input type=password value=SENTINEL>"></iframe>'],
])('the value is exposed by no snapshot and no query: %s (M8 TRUST A4)', async (_, html) => {
  await using page = await openScriptPage(`<form aria-label=F>${html}<button>Go</button></form>`)
  const answers: unknown[] = []
  for (const options of [{}, { interactiveOnly: false }, { includeHidden: true, includeAttrs: ['value', 'srcdoc'] }])
    answers.push(await page.rawSnapshot(options))
  for (const ref of Object.keys((await page.snapshot({ interactiveOnly: false })).refs))
    for (const kind of ['text', 'value', 'attrs', 'html', 'outerHTML'] as const) answers.push(await page.query(ref, kind))
  expect(JSON.stringify(answers)).not.toContain('SENTINEL')
})

test.each([
  ['<input name=pinned value="shown">'],
  ['<input aria-label="Shopping list" value="shown">'],
  ['<input aria-label="Pinterest board" value="shown">'],
  ['<input aria-label="Token amount" value="shown">'],
  ['<input type=search name=token value="shown">'],
  ['<input aria-label="PIN code" autocomplete=postal-code value="shown">'],
  ['<input aria-label="Promo code" value="shown">'],
  ['<input name=passenger value="shown">'],
  ['<input aria-label="Secret Santa partner" value="shown">'],
  ['<input name=q value="shown"><input type=hidden name=q value="x">'],
  ['<input maxlength=1 value="s"><input aria-label=Name value="shown">'],
])('a field that only resembles a secret one is printed: %s (M8)', async html => {
  await using page = await openScriptPage(html)
  expect(JSON.stringify(await page.rawSnapshot({}))).toContain('shown')
})

test('the boxes of a split one-time code are secret, and keep their refs (M8 TRUST A4)', async () => {
  const boxes = ['4', '8', '2', '9', '1', '3'].map(digit => `<input maxlength=1 value="${digit}">`).join('')
  await using page = await openScriptPage(`<div>${boxes}</div>`)
  const json = JSON.stringify(await page.rawSnapshot({}))
  expect(json.match(/"ref":"e\d+"/g)?.map(each => each.slice(7, -1))).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6'])
  expect(json).toContain('"value":"[redacted]"')
  expect(json).not.toMatch(/"value":"\d"/)
})

test.each([
  ['[value^="9"]'],
  ['form:has(input[name=csrf][value^="9f"])'],
  ['[VALUE*=a]'],
  ['[ value = "a" ]'],
  ['[/* c */value^=a]'],
  ['[a="/*"][/**/value^=a]'],
  ['[\\76 alue^=a]'],
  ['[v\\61lue^=a]'],
  ['[*|value^=a]'],
  ['[|value^=a]'],
  ['iframe[srcdoc*=secret]'],
])('a selector that compares a secret is refused: %s (M9)', async selector => {
  await using page = await openScriptPage('<form><input type=hidden name=csrf value=9f1><input type=password value=abc></form>')
  expect(await page.rawSnapshot({ scope: selector })).toMatchObject({ ok: false, error: { code: 'invalid_selector' } })
  expect(await page.call('waitCheck', { selector })).toMatchObject({ ok: false, error: { code: 'invalid_selector' } })
})

test('autocomplete=new-password does not make a list secret: component libraries write it to prevent autofill (TRUST A4)', async () => {
  const field = (more: string) => `<input type=search role=combobox aria-haspopup=listbox autocomplete=new-password ${more}>`
  await using page = await openScriptPage(field('aria-label=Flavor value=Mint') + field('aria-label="New password" value=SENTINEL'))
  expect(findNode(await page.snapshot(), { name: 'Flavor' }).value).toBe('Mint')
  expect(JSON.stringify(await page.rawSnapshot())).not.toContain('SENTINEL')
})
