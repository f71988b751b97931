import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { eventLog } from '../../support/event-log.ts'

test('fill uses trusted input and fires change when the field is left, or at once with commit (S4-38 C22)', async () => {
  await using page = await openCdpPage(`${eventLog}<input id=a aria-label=Name value=old><input id=b aria-label=Other>
    <script>trust = []; a.addEventListener('input', e => trust.push(e.isTrusted))</script>`)
  const [name, other] = [await page.ref('Name'), await page.ref('Other')]
  expect(await page.do('fill', { ref: name, value: 'Łukasz 李' })).toMatchObject({ trusted: true, effect: { value: 'Łukasz 李' } })
  expect(await page.evaluate('[trust, heard("input change")]')).toEqual([[true], 'input@a'])
  await page.do('focus', { ref: other })
  expect(await page.evaluate('heard("change")')).toBe('change@a')
  await page.do('fill', { ref: other, value: 'x', commit: true })
  expect(await page.evaluate('heard("input change")')).toBe('input@b change@b')
  expect((await page.do('fill', { ref: name, value: '' })).effect.value).toBe('')
  expect(await page.evaluate('a.value')).toBe('')
})

test('fill sets every input type, and fails with not_committed and the format for an invalid value', async () => {
  const values = {
    date: '2024-02-29',
    time: '13:45',
    'datetime-local': '2024-02-29T13:45',
    month: '2024-02',
    week: '2024-W09',
    color: '#ff8800',
    range: '70',
    number: '-12.5',
    email: 'a@b.c',
    tel: '+1 23',
    url: 'https://a.b/',
    search: 'words',
    password: 'geheim',
    text: 'text',
  }
  await using page = await openCdpPage(
    `${eventLog}${Object.keys(values)
      .map(type => `<input type=${type} id=${type.replace('-', '')} aria-label=${type}>`)
      .join('')}<textarea id=area aria-label=area></textarea>`,
  )
  for (const [type, value] of Object.entries(values)) {
    const acted = await page.do('fill', { ref: await page.ref(type), value })
    expect([type, acted.trusted]).toEqual([type, !/^(date|time|month|week|color|range)/.test(type)])
    // compared in the page, since what evaluate returns is redacted
    expect(await page.evaluate(`document.getElementById('${type.replace('-', '')}').value === ${JSON.stringify(value)}`)).toBe(true)
  }
  expect(await page.evaluate('heard("change")')).toContain('change@date')
  await page.do('fill', { ref: await page.ref('area'), value: 'one\ntwo\n' })
  expect(await page.evaluate('area.value')).toBe('one\ntwo\n')
  expect(await page.fails('fill', { ref: await page.ref('date'), value: '29.2.2024' })).toMatchObject({
    code: 'not_committed',
    message: expect.stringContaining('yyyy-mm-dd'),
  })
  expect((await page.fails('fill', { ref: await page.ref('number'), value: 'many' })).code).toBe('not_committed')
  expect((await page.do('fill', { ref: await page.ref('password'), value: 'again' })).effect.value).toBe('[redacted]')
})

test('fill refuses words for a number, and a wrongly written date, before it changes the field', async () => {
  await using page = await openCdpPage(`${eventLog}<input id=n type=number aria-label=Count value=33>
    <input id=d type=date aria-label=Day value=2026-12-24>`)
  expect(await page.fails('fill', { ref: await page.ref('Count'), value: 'abc' })).toMatchObject({
    code: 'not_committed',
    message: expect.stringContaining('takes a number'),
  })
  expect(await page.fails('fill', { ref: await page.ref('Day'), value: '24.12.2026' })).toMatchObject({
    code: 'not_committed',
    page: { value: '2026-12-24' },
  })
  expect(await page.evaluate('[n.value, d.value, heard("input change")].join()')).toBe('33,2026-12-24,')
  for (const value of ['1e5', '-2.5', '1,234', '']) await page.do('fill', { ref: await page.ref('Count'), value })
})

test('fill fails with not_committed or not_editable when the page reverts, truncates or locks the field', async () => {
  await using page = await openCdpPage(`<input id=a aria-label=Kept value=x oninput="setTimeout(() => { this.value = 'x' })">
    <input aria-label=Short maxlength=3><input aria-label=Locked readonly><input aria-label=Off disabled><button>Word</button>`)
  expect(await page.fails('fill', { ref: await page.ref('Kept'), value: 'new' })).toMatchObject({
    code: 'not_committed',
    page: { value: 'x' },
  })
  expect((await page.fails('fill', { ref: await page.ref('Short'), value: 'four' })).code).toBe('not_committed')
  expect((await page.fails('fill', { ref: await page.ref('Locked'), value: 'a' })).code).toBe('not_editable')
  expect((await page.fails('fill', { ref: await page.ref('Off'), value: 'a' })).code).toBe('not_enabled')
  expect((await page.fails('fill', { ref: await page.ref('Word'), value: 'a' })).code).toBe('not_editable')
})

test('fill replaces the content of contenteditable elements, even of editors that keep their own model', async () => {
  await using page = await openCdpPage(`<div id=e contenteditable role=textbox aria-label=Plain><p>old <b>words</b></p><p>more</p></div>
    <div id=m contenteditable role=textbox aria-label=Model>old</div>
    <script>text = 'old'; m.addEventListener('beforeinput', e => { e.preventDefault()
      const range = getSelection().toString(); text = text.replace(range, e.inputType.startsWith('delete') ? '' : e.data); m.textContent = text })</script>`)
  for (const value of ['new text', '']) {
    await page.do('fill', { ref: await page.ref('Plain'), value })
    expect(await page.evaluate('e.innerText.trim()')).toBe(value)
    await page.do('fill', { ref: await page.ref('Model'), value })
    expect(await page.evaluate('text')).toBe(value)
  }
})

/** an editor like Monaco: keys go to a one-pixel element, the text is rendered elsewhere in the next frame, with line numbers */
const drawsElsewhere = (replaces: boolean) => `
  <div style="position:relative;width:300px;height:90px;border:1px solid"><div id=keys role=textbox aria-label=Code aria-roledescription=editor tabindex=0
    style="width:1px;height:1px"></div><div id=view></div></div>
  <script>
    model = 'old'; let all = false
    const context = keys.editContext = new EditContext({ text: model })
    const draw = () => { view.innerHTML = model.split('\\n').map((line, i) => '<p>' + (i + 1) + ' ' + line + '</p>').join('') }
    draw()
    keys.onkeydown = e => { if (e.key === 'a' && e.ctrlKey) { all = ${replaces}; e.preventDefault() } }
    context.ontextupdate = e => { model = all ? e.text : model + e.text; all = false; requestAnimationFrame(() => { draw(); context.updateText(0, 0, model) }) }
  </script>`

test('fill works once in an editor that renders its text elsewhere, and is verified there', async () => {
  await using page = await openCdpPage(drawsElsewhere(true))
  const ref = await page.ref('Code')
  await page.do('fill', { ref, value: 'new' })
  expect(await page.evaluate('model')).toBe('new')
  await page.do('type', { ref, text: '!' })
  expect(await page.evaluate('model')).toBe('new!')
})

test('fill fails with not_committed in an editor whose text it cannot select, and inserts nothing', async () => {
  await using page = await openCdpPage(drawsElsewhere(false))
  const { code, message } = await page.fails('fill', { ref: await page.ref('Code'), value: 'new' })
  expect([code, message]).toEqual(['not_committed', expect.stringContaining('could not be replaced')])
  expect(await page.evaluate('model')).toBe('old')
})

/** like Monaco before EditContext, CodeMirror 5 and Ace: a hidden field receives the keys, and never holds the whole text */
const hiddenField = (style: string, { fieldStyle = style, selectsAll = true } = {}) => `
  <div id=editor style="position:relative;width:300px;height:90px;border:1px solid"><div style="position:absolute;overflow:hidden;${style}">
    <textarea id=keys aria-label=Code style="position:absolute;resize:none;border:0;padding:0;${fieldStyle}"></textarea></div><div id=view></div></div>
  <script>
    model = 'port: 8080\\ndebug: false'; let all = false
    const draw = () => requestAnimationFrame(() => { view.innerHTML = model.split('\\n').map((line, i) => '<p><span>' + (i + 1) + '</span> <span>' + line + '</span></p>').join('') })
    const put = text => { model = all ? text : text + model; all = false; keys.value = ''; draw() }
    draw()
    editor.onclick = () => keys.focus()
    keys.onkeydown = e => {
      if (e.ctrlKey || e.metaKey) { if (e.key === 'a') all = ${selectsAll}; e.preventDefault() }
      if (e.key === 'Delete') { model = all ? '' : model.slice(1); all = false; e.preventDefault(); draw() }
    }
    keys.oninput = () => put(keys.value.replace(/\\n/g, '\\n    '))
    keys.onpaste = e => { e.preventDefault(); put(e.clipboardData.getData('text/plain')) }
  </script>`

test.each([['width:1px;height:1px'], ['width:3px;height:0', 'width:1000px;height:1em;bottom:-1em'], ['width:8px;height:14px;opacity:0']])(
  'fill replaces the text of an editor whose keys go to a hidden field (%s)',
  async (style, fieldStyle = style) => {
    await using page = await openCdpPage(hiddenField(style, { fieldStyle }))
    const code = (await page.nodes()).find(({ role, name }) => name === 'Code' || role === 'generic')
    for (const value of ['{"port":1}', 'if a:\n  b()\n    c()', '', 'x']) {
      await page.do('fill', { ref: code?.ref, value })
      expect(await page.evaluate('model')).toBe(value)
    }
  },
)

test('fill inserts nothing into an editor behind a hidden field that does not select its text', async () => {
  await using page = await openCdpPage(hiddenField('width:1px;height:1px', { selectsAll: false }))
  const code = (await page.nodes()).find(({ role, name }) => name === 'Code' || role === 'generic')
  const { code: why, message } = await page.fails('fill', { ref: code?.ref, value: '{"port":1}' })
  expect([why, message]).toEqual(['not_committed', expect.stringContaining('could not be replaced')])
  expect(await page.evaluate('model')).not.toContain('"port"')
})

test('fill is not committed if only the line numbers of an editor match the value (B1)', async () => {
  await using page = await openCdpPage(drawsElsewhere(false).replace("model = 'old'", "model = 'port 80'"))
  const ref = await page.ref('Code')
  expect((await page.fails('fill', { ref, value: '80' })).code).toBe('not_committed')
})

test('type inserts at the caret with full key events, and uses insertText for characters without a key (S4-38)', async () => {
  await using page = await openCdpPage(`${eventLog}<input id=a aria-label=Name value=ab><script>keys = []
    a.addEventListener('keydown', e => keys.push([e.key, e.code, e.keyCode, e.shiftKey, e.isTrusted]))</script>`)
  const ref = await page.ref('Name')
  await page.do('type', { ref, text: 'C!é' })
  expect(await page.evaluate('a.value')).toBe('abC!é')
  expect(await page.evaluate('keys')).toEqual([
    ['Shift', 'ShiftLeft', 16, true, true],
    ['C', 'KeyC', 67, true, true],
    ['Shift', 'ShiftLeft', 16, true, true],
    ['!', 'Digit1', 49, true, true],
  ])
  expect(await page.evaluate('heard("keydown keypress input keyup").split(" ").slice(0, 5).join(" ")')).toBe(
    'keydown@a keydown@a keypress@a input@a keyup@a',
  )
  await page.evaluate('a.setSelectionRange(1, 1)')
  await page.do('type', { ref, text: 'z' })
  expect(await page.evaluate('a.value')).toBe('azbC!é')
  await page.evaluate('a.addEventListener("beforeinput", e => e.preventDefault())')
  expect((await page.fails('type', { ref, text: 'q' })).code).toBe('not_committed')
})

test('press submits with Enter, moves the focus with Tab, and sends chords and function keys (S4-38)', async () => {
  await using page =
    await openCdpPage(`<form onsubmit="event.preventDefault(); document.title = 'sent ' + q.value"><input id=q aria-label=Query></form>
    <textarea id=t aria-label=Text>one two</textarea><div id=k tabindex=0 role=button aria-label=Keys>Keys</div>
    <script>k.onkeydown = e => { chord = [e.key, e.code, e.ctrlKey, e.shiftKey, e.altKey, e.metaKey]; e.preventDefault() }</script>`)
  const query = await page.ref('Query')
  await page.do('fill', { ref: query, value: 'cats' })
  expect((await page.do('press', { ref: query, key: 'Enter' })).effect.submitted).toBe(false)
  expect(await page.evaluate('document.title')).toBe('sent cats')
  const text = await page.ref('Text')
  expect((await page.do('press', { key: 'Tab' })).effect.focus).toBe(text)
  await page.do('press', { key: 'Control+a' })
  await page.do('press', { key: 'Delete' })
  expect(await page.evaluate('t.value')).toBe('')
  const keys = await page.ref('Keys')
  await page.do('press', { ref: keys, key: 'Control+Shift+K' })
  expect(await page.evaluate('chord')).toEqual(['K', 'KeyK', true, true, false, false])
  await page.do('press', { ref: keys, key: 'F5' })
  expect(await page.evaluate('chord[0]')).toBe('F5')
  expect((await page.fails('press', { key: 'Hyper' })).code).toBe('invalid_key')
})

test('fill and type work in same-origin and cross-origin frames', async () => {
  const field = (name: string) => `<input aria-label=${name} oninput="document.title = this.value">`
  await using page = await openCdpPage(
    `<iframe src="same.html"></iframe><script>document.write('<iframe src="' + location.href.replace('127.0.0.1', 'localhost') + 'other.html"></iframe>')</script>`,
    { files: { 'same.html': field('Same'), 'other.html': field('Other') } },
  )
  for (const name of ['Same', 'Other']) {
    const ref = await page.ref(name)
    await page.do('fill', { ref, value: 'fil' })
    expect((await page.do('type', { ref, text: 'led é' })).effect.value).toBe('filled é')
  }
})

/** fields that rewrite their value while it is entered, or when they are left; the entered text and the value that the page makes of it */
const formattingFields = [
  [
    'phone',
    "this.value = this.value.replace(/\\D/g, '').replace(/^(\\d{3})(\\d{3})(\\d{4})$/, '($1) $2-$3')",
    '5550109999',
    '(555) 010-9999',
  ],
  ['country code', "this.value = '+1 ' + this.value.replace(/^\\+1 /, '')", '555 0109', '+1 555 0109'],
  // no number of a real card, which would be redacted
  ['card', "this.value = this.value.replace(/(\\d{4})(?=\\d)/g, '$1 ')", '4242424242424241', '4242 4242 4242 4241'],
  ['date', "this.value = this.value.replace(/^(\\d\\d)(\\d\\d)(\\d{4})$/, '$1/$2/$3')", '11162026', '11/16/2026'],
  ['upper case', 'this.value = this.value.toUpperCase()', 'straße ğ', 'STRASSE Ğ'],
  [
    'amount',
    "this.value = '$' + Number(this.value.replace(/[$,]/g, '')).toLocaleString('en-US', { minimumFractionDigits: 2 })",
    '1234.5',
    '$1,234.50',
  ],
  ['round amount', "this.value = this.value.replace(/ €$/, '') + ',00 €'", '5', '5,00 €'],
  ['late', "setTimeout(() => { this.value = this.value.replace(/(\\d)(?=\\d)/g, '$1-') }, 100)", '123', '1-2-3'],
  ['Arabic', "this.value = this.value.replace(/ /g, '\\u200c، ')", 'نام من', 'نام\u200c، من'],
] as const

test.each(formattingFields)('fill accepts the value as a %s field formats it', async (_, handler, value, shown) => {
  await using page = await openCdpPage(`<input aria-label=Field oninput="${handler}">`)
  expect((await page.do('fill', { ref: await page.ref('Field'), value })).effect.value).toBe(shown)
})

test('fill accepts a value that the page formats when the field is left', async () => {
  await using page = await openCdpPage('<input aria-label=Amount onblur="this.value = Number(this.value).toFixed(2)">')
  expect((await page.do('fill', { ref: await page.ref('Amount'), value: '5', commit: true })).effect.value).toBe('5.00')
})

test.each([
  ['drops a letter', "this.value = this.value.replace(/x/g, '')", 'axb', 'ab'],
  ['changes a digit', "this.value = this.value.replace('1', '7')", '1 000', '7 000'],
  ['appends without a separator', "this.value += '0'", '12', '120'],
  ['takes nothing', "this.value = ''", '-5', ''],
  ['replaces signs', "this.value = '**'", '--', '**'],
  ['does not become empty', "this.value = '0.00'", '', '0.00'],
])('fill fails with not_committed if the page %s', async (_, handler, value, shown) => {
  await using page = await openCdpPage(`<input aria-label=Field value=old oninput="${handler}">`)
  expect(await page.fails('fill', { ref: await page.ref('Field'), value })).toMatchObject({
    code: 'not_committed',
    page: { value: shown },
  })
})

test('for a secret, fill and type report how many characters arrived, never the value (A4)', async () => {
  await using page = await openCdpPage(`<input type=password aria-label=New>
    <input autocomplete=cc-number aria-label=Card oninput="this.value = this.value.replace(/(\\d{4})(?=\\d)/g, '$1 ')">
    <input type=password aria-label=Short oninput="this.value = this.value.slice(0, 4)">
    <input type=password aria-label=Lower oninput="this.value = this.value.toLowerCase()">`)
  const secret = (characters: number) => ({ value: '[redacted]', characters })
  expect((await page.do('fill', { ref: await page.ref('New'), value: 'geheim' })).effect).toMatchObject(secret(6))
  expect((await page.do('type', { ref: await page.ref('New'), text: 'er' })).effect).toMatchObject(secret(8))
  expect((await page.do('fill', { ref: await page.ref('Card'), value: '4242424242424242' })).effect).toMatchObject(secret(19))
  for (const name of ['Short', 'Lower']) {
    const failure = await page.fails('fill', { ref: await page.ref(name), value: 'Geheim' })
    expect(failure).toMatchObject({ code: 'not_committed', page: { value: expect.stringMatching(/^[46] characters$/) } })
    expect(JSON.stringify(failure)).not.toMatch(/gehe/i)
  }
})

test('type fails with not_committed only if a secret field that has a value took nothing', async () => {
  await using page = await openCdpPage(`<input id=a type=password aria-label=Open value=ab>
    <input type=password aria-label=Stuck value=ab onkeydown="event.preventDefault()">`)
  await page.do('type', { ref: await page.ref('Open'), text: 'cd' })
  // what evaluate returns is redacted too
  expect(await page.evaluate('a.value === "abcd"')).toBe(true)
  expect((await page.fails('type', { ref: await page.ref('Stuck'), text: 'cd' })).code).toBe('not_committed')
})

test('the insertion of a long text may take longer than a key press (B1)', async () => {
  const slow = 'if (!window.until) for (until = performance.now() + 5500; performance.now() < until; ) {}'
  await using page = await openCdpPage(`<textarea aria-label=Text oninput="${slow}"></textarea>`)
  const acted = await page.do('fill', { ref: await page.ref('Text'), value: 'word '.repeat(200) })
  expect(acted.effect.value).toContain('word')
})

test('fill and type work in the editable body of a frame, and in the frames of a frameset', async () => {
  await using page = await openCdpPage(
    '<html><frameset rows="30%,30%,*"><frame src=editor.html><frame src=design.html><frame src=form.html></frameset></html>',
    {
      files: {
        'editor.html': '<!doctype html><body contenteditable></body>',
        'design.html': '<!doctype html><body>draft<script>document.designMode = "on"</script></body>',
        'form.html': '<input aria-label=City>',
      },
    },
  )
  const refs = (await page.nodes()).filter(({ role }) => role === 'textbox').map(({ ref }) => ref)
  expect(refs).toHaveLength(3)
  for (const ref of refs) {
    await page.do('fill', { ref, value: 'Hello' })
    await page.do('type', { ref, text: '!' })
  }
  expect((await page.nodes()).filter(({ role }) => role === 'textbox').map(({ value }) => value)).toEqual(['Hello!', 'Hello!', 'Hello!'])
})
