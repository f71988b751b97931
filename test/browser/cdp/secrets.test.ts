import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { NamedSecret } from '../../../src/browser.ts'
import { wrap } from '../../../src/contract/run.ts'
import { startRun } from '../../../src/evidence.ts'
import { webTools } from '../../../src/tools.ts'
import { openCdpPage } from '../../support/cdp-page.ts'
import { labelledSecrets } from '../../support/secret-forms.ts'
import { openTestSession } from '../../support/test-session.ts'

const shelf = mkdtempSync(join(tmpdir(), 'pagehand-secrets-'))
afterAll(() => rmSync(shelf, { recursive: true, force: true }))

/** 31 fields whose value is a secret; a script prepares some of them before anybody looks */
const fields: readonly (readonly [html: string, script?: string])[] = [
  ['<input id=F0 type=password aria-label=F0>'],
  ['<input id=F1 type=PASSWORD aria-label=F1>'],
  ['<input id=F2 autocomplete=current-password aria-label=F2>'],
  ['<input id=F3 autocomplete="section-a new-password" aria-label=F3>'],
  ['<input id=F4 autocomplete=one-time-code aria-label=F4>'],
  ['<input id=F5 autocomplete=cc-number aria-label=F5>'],
  ['<input id=F6 autocomplete=cc-csc aria-label=F6>'],
  ['<input id=F7 autocomplete=CC-Name aria-label=F7>'],
  ['<textarea id=F8 name=password aria-label=F8></textarea>'],
  ['<textarea id=F9 autocomplete=new-password aria-label=F9></textarea>'],
  ['<input id=F10 name=user_passwd aria-label=F10>'],
  ['<input id=F11 type=password aria-label=F11>', 'F11.type = "text"'],
  ['<span id=S12><input id=F12 type=password aria-label=F12></span>', 'S12.innerHTML = "<input id=F12 aria-label=F12>"'],
  [
    '<span id=S13><input type=password aria-label=F13></span>',
    'S13.firstChild.replaceWith(Object.assign(document.createElement("input"), { ariaLabel: "F13" }))',
  ],
  ['<input id=F14 style="-webkit-text-security: disc" aria-label=F14>'],
  ['<style>.mask { -webkit-text-security: circle }</style><input id=F15 class=mask aria-label=F15>'],
  ['<label>CVV F16 <input></label>'],
  ['<label>Security code F17 <input></label>'],
  ['<input name=pin aria-label=F18>'],
  ['<label>Card number F19 <input name=c></label>'],
  ['<label>Social security number F20 <input></label>'],
  ['<input name=ssn aria-label=F21>'],
  ['<input name=token aria-label=F22>'],
  ['<input name=apiKey aria-label=F23>'],
  ['<input name=client_secret aria-label=F24>'],
  ['<label>Passcode F25 <input></label>'],
  ['<label>One-time code F26 <input></label>'],
  ['<div contenteditable role=textbox aria-label="Verification code F27" style="height:20px"></div>'],
  ['<label>密码 F28 <input></label>'],
  ['<label>短信验证码 F29 <input></label>'],
  ['<label>银行卡号 F30 <input></label>'],
]
const sentinel = (index: number) => `s3ntinel${index}x47110815`

test('31 kinds of secret fields appear on no route: snapshot, query, difference, error, URL, title, console, evidence (M8 TRUST A4)', async ({
  task,
}) => {
  task.meta.tries = fields.length
  const html = `<!doctype html><title>Secrets</title><form action="done.html" aria-label=Form>${fields.map(([markup]) => markup).join('\n')}
    <button type=button onclick="echo()">Echo</button><button>Send</button></form><pre id=out></pre>
    <script>${fields.map(([, script]) => script ?? '').join('\n')}
    function echo() {
      const words = [...document.querySelectorAll('form input,form textarea,form [contenteditable]')].map(each => each.value ?? each.textContent)
      document.title = words.join(' '); out.textContent = words.map(word => word + ' ' + encodeURIComponent(word) + ' ' + btoa(word)).join('\\n')
      console.log(...words); console.error(new Error(words.join('-'))); history.replaceState(0, '', '?' + new URLSearchParams(words.map(word => ['w', word])))
    }</script>`
  await using page = await openTestSession({
    html,
    files: { 'done.html': '<!doctype html><title>Done</title><h1 id=h></h1><script>h.textContent = location.search</script>' },
  })
  const record = await startRun(shelf)
  const tools = record.tools(webTools(wrap(page.session.run, record.layer), { saveScreenshot: record.saveScreenshot }))
  const answers: string[] = []
  const call = async (name: string, args: object = {}) => void answers.push((await tools.execute(name, args)).text)
  const fieldRefs = async () => {
    const nodes = await page.nodes()
    return fields.map((_, index) => nodes.find(({ name = '' }) => ` ${name}`.endsWith(` F${index}`))?.ref ?? '')
  }
  const refs = await fieldRefs()
  for (const [index, ref] of refs.entries()) {
    const value = sentinel(index)
    await call(index % 2 ? 'web_type' : 'web_fill', index % 2 ? { ref, text: value } : { ref, value })
  }
  expect(answers.filter(text => /^\w+:/.test(text) && !text.startsWith('ok'))).toEqual([])
  expect(await fieldRefs()).toEqual(refs)
  await call('web_click', { ref: await page.ref('Echo') })
  await call('web_snapshot', { interactive_only: false })
  for (const ref of [await page.ref('form "Form"'), ...refs])
    for (const kind of ['text', 'value', 'attrs', 'html', 'outerHTML']) await call('web_query', { ref, kind })
  await call('web_wait', { text: sentinel(0).slice(0, 9), timeout_ms: 0 })
  await call('web_extract', { query: 's3ntinel' })
  await call('web_tabs')
  await call('web_fill', { ref: 'e9999', value: sentinel(0) })
  const own: unknown[] = [page.session.console(), page.session.requests(), page.session.status(), await page.session.snapshot()]
  for (const ref of refs) own.push(await page.session.run({ name: 'inspect', ref }))
  await call('web_click', { ref: await page.ref('Send') })
  await call('web_snapshot', { interactive_only: false })
  own.push(page.session.requests(), page.session.status(), await page.session.snapshot())
  const report = await record.end({ text: `The password was ${sentinel(0)}.` })
  const folder = join(report, '..')
  const files = (readdirSync(folder, { recursive: true }) as string[]).map(name => join(folder, name))
  const written = files.filter(file => statSync(file).isFile() && !/\.(png|jpg)$/.test(file)).map(file => readFileSync(file, 'utf8'))

  const all = [...answers, JSON.stringify(own), ...written].join('\n')
  expect(all).toContain('[redacted]')
  for (const index of fields.keys())
    for (const spelling of [sentinel(index), sentinel(index).slice(0, -1), btoa(sentinel(index))]) expect(all).not.toContain(spelling)
  expect(all).not.toMatch(/47110815/)
})

test('what is entered into fields that only their visible label makes secret appears in no answer and no evidence (TRUST A4)', async ({
  task,
}) => {
  task.meta.tries = labelledSecrets.length
  const forms = labelledSecrets.map(([, markup], index) => `<section>${markup.replace('value="VALUE"', `id=T${index}`)}</section>`)
  await using page = await openTestSession({
    html: `<!doctype html><title>Forms</title>${forms.join('')}<button onclick="out.textContent =
      [...document.querySelectorAll('input')].map(each => each.value).join(' ')">Echo</button><pre id=out></pre>`,
  })
  const record = await startRun(shelf)
  const tools = record.tools(webTools(wrap(page.session.run, record.layer), { saveScreenshot: record.saveScreenshot }))
  const answers: string[] = []
  const call = async (name: string, args: object = {}) => void answers.push((await tools.execute(name, args)).text)
  for (const index of labelledSecrets.keys()) {
    const field = await page.session.run({ name: 'snapshot', scope: `#T${index}` })
    await call('web_fill', { ref: field.ok && Object.keys(field.data.refs)[0], value: sentinel(index) })
  }
  expect(answers.filter(text => !text.startsWith('ok'))).toEqual([])
  await call('web_click', { ref: await page.ref('Echo') })
  await call('web_snapshot', { interactive_only: false })
  const folder = join(await record.end({ text: 'Done.' }), '..')
  const files = (readdirSync(folder, { recursive: true }) as string[]).map(name => join(folder, name))
  const written = files.filter(file => statSync(file).isFile() && !/\.(png|jpg)$/.test(file)).map(file => readFileSync(file, 'utf8'))
  const all = [...answers, ...written].join('\n')
  expect(all).toContain('[redacted]')
  expect(labelledSecrets.filter((_, index) => all.includes(sentinel(index))).map(([title]) => title)).toEqual([])
})

test('a secret that a GET form puts into the URL is redacted there, and cannot be guessed by waiting (M9 TRUST A4)', async () => {
  await using page = await openTestSession({
    html: '<!doctype html><form action=done.html><label>Card number <input name=number></label><label>CVV <input name=cvv></label><button>Pay</button></form>',
    files: { 'done.html': '<!doctype html><title>Done</title><p>Your card 4111 1111 1111 1111</p>' },
  })
  await page.do('fill', { ref: await page.ref('Card number'), value: '4111111111111111' })
  await page.do('fill', { ref: await page.ref('CVV'), value: '947' })
  const { page: info } = await page.do('click', { ref: await page.ref('Pay') })
  expect(info.url).toMatch(/done\.html\?number=\[redacted\]&cvv=\[redacted\]$/)
  expect(await page.text({ interactiveOnly: false })).toContain('Your card [redacted]')
  for (const condition of [{ url: 'number=41' }, { text: 'card 41' }, { text: '4111' }])
    expect(await page.fails('wait', { ...condition, timeoutMs: 0 })).toMatchObject({ code: 'timeout' })
  await page.do('wait', { url: 'number=', timeoutMs: 0 })
  await page.do('wait', { text: 'Your card', timeoutMs: 0 })
  expect(JSON.stringify(page.session.requests())).not.toContain('4111')
})

test('a value typed key by key into a secret field is redacted, and its beginnings are not (TRUST A4)', async () => {
  await using page = await openCdpPage(
    '<input type=password aria-label=P oninput="out.textContent = this.value + \' hunter\'"><p id=out></p>',
  )
  await page.do('click', { ref: await page.ref('P') })
  for (const key of 'hunter22') await page.do('press', { key })
  expect(await page.text({ interactiveOnly: false })).toContain('[redacted] hunter')
  await page.do('type', { ref: await page.ref('P'), text: '-more' })
  expect(await page.text({ interactiveOnly: false })).toContain('[redacted] hunter')
})

test('a password that a person types, in the live view or in the window, is redacted in the page that follows (TRUST A4)', async () => {
  await using page = await openTestSession({
    html: '<!doctype html><form action=done.html><label>Password <input type=password name=p></label></form>',
    files: { 'done.html': '<!doctype html><title>Done</title><p id=o></p><script>o.textContent = "You sent " + location.search</script>' },
  })
  await page.do('click', { ref: await page.ref('Password') })
  const live = page.session.live()
  const press = async (key: string) => {
    for (const kind of ['down', 'up'] as const) await live.key({ kind, key, code: key, modifiers: 0 })
  }
  // an ordinary word: only the typing tells that it is a secret
  for (const key of 'tiger') await press(key)
  await press('Enter')
  await page.do('wait', { url: 'done.html' })
  expect(await page.text({ interactiveOnly: false })).toContain('You sent ?p=[redacted]')
  expect(JSON.stringify([page.session.status(), page.session.requests(), await page.do('tabs')])).not.toContain('tiger')
})

test('a page cannot hide an ordinary word by events that it makes itself (TRUST A4)', async () => {
  await using page = await openCdpPage(
    `<input type=password aria-label=P><p>Amount due</p><script>
      const field = document.querySelector('input')
      field.value = 'Amount'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    </script>`,
  )
  expect(await page.text({ interactiveOnly: false })).toContain('Amount due')
})

test('the page can neither see nor call the function that reports secrets (A5)', async () => {
  await using page = await openCdpPage('<input type=password value=hunter2-long>')
  await page.do('snapshot')
  expect(await page.evaluate('[typeof pagehandSecret, Object.keys(window).filter(name => /pagehand/i.test(name))]')).toEqual([
    'undefined',
    [],
  ])
})

test('a URL that carries a secret to another origin is refused, and one of the same origin is opened (E4)', async () => {
  await using page = await openTestSession({ html: '<!doctype html><input type=password aria-label=P>' })
  await page.do('fill', { ref: await page.ref('P'), value: 'correct-horse-battery' })
  const other = page.url.replace('127.0.0.1', 'localhost')
  for (const path of [
    '?q=correct-horse-battery',
    `?q=${btoa('correct-horse-battery')}`,
    'correct%2Dhorse%2Dbatt',
    '#yrettab-esroh-tcerroc',
  ])
    for (const [name, args] of [
      ['open', {}],
      ['tabs', { operation: 'new' }],
    ] as const)
      expect(await page.fails(name, { ...args, url: `${other}${path}` })).toMatchObject({ code: 'secret_in_url' })
  expect((await page.do('open', { url: `${page.url}?q=correct-horse-battery` })).page.url).toBe(`${page.url}?q=[redacted]`)
  await page.do('open', { url: `${other}?q=correct` })
})

test('a named secret is entered only in frames of its origins, and appears nowhere (TRUST A4)', async () => {
  const form = '<!doctype html><input type=password aria-label=P oninput="out.textContent = this.value"><input aria-label=Q><p id=out></p>'
  await using page = await openTestSession(
    { html: form },
    { secrets: async name => (name === 'SHOP' ? { value: 'hunter2-long', origins: [new URL(page.url).origin] } : undefined) },
  )
  const { effect } = await page.do('fill', { ref: await page.ref('P'), value: '{{secret:SHOP}}' })
  expect(effect.value).toBe('[redacted]')
  expect(effect).not.toHaveProperty('characters')
  expect(await page.text({ interactiveOnly: false })).toMatch(/"\[redacted\]"|\[redacted\]/)
  await page.do('type', { ref: await page.ref('P'), text: 'a {{secret:SHOP}}' })
  const text = await page.text({ interactiveOnly: false })
  expect(text).not.toContain('hunter2')
  expect(text).toContain('[redacted]')
  expect(await page.fails('fill', { ref: await page.ref('P'), value: '{{secret:OTHER}}' })).toMatchObject({ code: 'unknown_secret' })

  await page.do('open', { url: page.url.replace('127.0.0.1', 'localhost') })
  for (const [name, args] of [
    ['fill', { value: '{{secret:SHOP}}' }],
    ['type', { text: '{{secret:SHOP}}' }],
  ] as const)
    expect(await page.fails(name, { ref: await page.ref('P'), ...args })).toMatchObject({ code: 'secret_not_allowed' })
  expect((await page.nodes()).find(({ name }) => name === 'P')?.value).toBeUndefined()
})

test('a named secret is entered only in fields that mask it, in fields for codes if it is a code, and anywhere if it is declared visible (TRUST G4)', async () => {
  const html = `<!doctype html><input type=password aria-label=Password><input style="-webkit-text-security: disc" aria-label=Masked>
    <span><input type=password name=p aria-label=Toggled></span><span><input type=password name=r aria-label=Replaced></span>
    <input autocomplete=one-time-code aria-label=Code><input aria-label=Search><textarea aria-label=Comment></textarea>
    <input name=api_token aria-label=Key><div contenteditable role=textbox aria-label=Editor></div>
    <select aria-label=List><option>none<option>hunter2-long</select>
    <button onclick="for (const each of document.querySelectorAll('span')) {
      const field = each.firstChild
      if (field.name === 'p') field.type = 'text'
      else each.innerHTML = '<input name=r aria-label=Replaced>' }">Show</button>`
  const secrets: Record<string, NamedSecret> = {}
  await using page = await openTestSession({ html }, { secrets })
  const origins = [new URL(page.url).origin]
  secrets.SHOP = { value: 'hunter2-long', origins }
  secrets.CODE = { totp: 'JBSWY3DPEHPK3PXP', origins }
  secrets.USER = { value: 'alice-1975', origins, visible: true }
  const fieldsOf = {
    SHOP: ['Password', 'Masked', 'Toggled', 'Replaced'],
    CODE: ['Password', 'Masked', 'Toggled', 'Replaced', 'Code', 'Key'],
    USER: ['Password', 'Masked', 'Toggled', 'Replaced', 'Code', 'Key', 'Search', 'Comment', 'Editor'],
  }
  await page.do('click', { ref: await page.ref('Show') })
  for (const [name, allowed] of Object.entries(fieldsOf))
    for (const field of fieldsOf.USER) {
      const ref = await page.ref(`textbox "${field}"`)
      for (const [verb, args] of [
        ['fill', { value: `{{secret:${name}}}` }],
        ['type', { text: `{{secret:${name}}}` }],
      ] as const) {
        const result = await page.session.run({ name: verb, ref, ...args })
        expect(result.ok, `${verb} ${name} ${field}`).toBe(allowed.includes(field))
        if (!result.ok) {
          expect(result.error).toMatchObject({ code: 'secret_not_allowed' })
          expect(result.error.hint).toContain('declare it visible')
        }
      }
    }
  const list = await page.ref('List')
  expect(await page.fails('select', { ref: list, values: ['{{secret:SHOP}}'] })).toMatchObject({ code: 'secret_not_allowed' })
  secrets.SHOP = { value: 'hunter2-long', origins, visible: true }
  await page.do('select', { ref: list, values: ['{{secret:SHOP}}'] })
  expect(await page.text({ interactiveOnly: false })).not.toMatch(/hunter2|alice-1975/)
})

test('the page receives a named secret as trusted input, and status lists the names only (TRUST A4)', async () => {
  const html =
    '<!doctype html><input type=password aria-label=P oninput="out.textContent = this.value.length + \' \' + event.isTrusted"><p id=out></p>'
  const secrets: Record<string, NamedSecret> = {}
  await using page = await openTestSession({ html }, { secrets })
  secrets.SHOP = { value: 'hunter2-long', origins: [new URL(page.url).origin] }
  await page.do('fill', { ref: await page.ref('P'), value: '{{secret:SHOP}}' })
  expect(await page.text({ interactiveOnly: false })).toContain('12 true')
  expect(page.session.status()).toMatchObject({ secrets: ['SHOP'] })
  expect(JSON.stringify(page.session.status())).not.toContain('hunter2')
})

test('a secret that is also a word of the page is neither a change of the page nor redacted in its text (TRUST A4)', async () => {
  await using page = await openTestSession({
    html: `<!doctype html><title>Log in</title><h1>Log in with your password</h1><a href="/p/1000">Item 1000</a><p>Total 1000 EUR</p>
      <p>Demo account: hunter2-long</p><form action=done.html><label>Password <input type=password name=p></label>
      <label>Code <input autocomplete=one-time-code name=c></label><label>Backup <input type=password></label><button>Log in</button></form>`,
    files: { 'done.html': '<!doctype html><title>Done</title><h1>Wrong password</h1><a href="/p/1000">Item 1000</a>' },
  })
  const tools = webTools(page.session.run)
  const call = async (name: string, args: object = {}) => (await tools.execute(name, args)).text
  const full = { interactive_only: false }
  const before = await call('web_snapshot', full)
  expect(before).toContain('hunter2-long')
  const values = { 'textbox "Password"': 'password', 'textbox "Code"': '1000', 'textbox "Backup"': 'hunter2-long' }
  for (const [field, value] of Object.entries(values)) {
    const ref = await page.ref(field)
    const filled = await call('web_fill', { ref, value })
    expect(filled).toContain('effect: value "[redacted]"')
    expect(filled.split('\n').filter(line => /^([+~]|gone:) /.test(line) && !line.includes(`[ref=${ref}]`))).toEqual([])
    expect(filled).not.toContain('→ "[redacted]" name')
    expect(filled).not.toMatch(/name:/)
  }
  const after = await call('web_snapshot', full)
  expect(after).toContain('heading "Log in with your password"')
  expect(after).toContain('type="password"')
  expect(after).toContain('Item 1000')
  expect(after).toContain('/p/1000')
  expect(after).toContain('Total 1000 EUR')
  expect(after).not.toContain('hunter2')
  await page.do('wait', { text: 'Log in with your password', timeoutMs: 0 })
  const sent = await call('web_click', { ref: await page.ref('button "Log in"') })
  expect(sent).toContain('heading "Wrong password"')
  expect(sent).toContain('p=[redacted]&c=[redacted]')
})
