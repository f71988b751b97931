import { describe, expect, test } from 'vitest'
import { eventLog } from '../../support/event-log.ts'
import { openScriptPage } from '../../support/script-page.ts'

describe('fill', () => {
  test('sets the value and fires input, then change before blur when the field is left (S0-46 S0-93 C22)', async () => {
    await using page = await openScriptPage(`${eventLog}<input id=a aria-label=Name value=old><button id=b>Next</button>`)
    const ref = await page.ref('textbox')
    expect(await page.act(ref, 'fill', { value: 'Ada' })).toMatchObject({ ok: true, ref, effect: { value: 'Ada', focus: ref } })
    expect(await page.evaluate('heard("focus focusin beforeinput input change blur")')).toBe('focus@a focusin@a beforeinput@a input@a')
    expect(await page.text()).toContain('"Ada"')
    await page.act(await page.ref('button'), 'click')
    expect(await page.evaluate('heard("change blur click")')).toBe('change@a blur@a click@b')
  })

  test('fires change at once, and only once, with commit', async () => {
    await using page = await openScriptPage(`${eventLog}<input id=a aria-label=Name><button id=b>Next</button>`)
    await page.act(await page.ref('textbox'), 'fill', { value: 'Ada', commit: true })
    await page.act(await page.ref('button'), 'click')
    expect(await page.evaluate('heard("input change")')).toBe('input@a change@a')
  })

  test('clears the field with an empty value, as clear does', async () => {
    await using page = await openScriptPage('<input id=a aria-label=A value=one><textarea id=b aria-label=B>two</textarea>')
    expect(await page.act(await page.ref('textbox "A"'), 'fill', { value: '' })).toMatchObject({ ok: true, effect: { value: '' } })
    expect(await page.act(await page.ref('textbox "B"'), 'clear')).toMatchObject({ ok: true, effect: { value: '' } })
    expect(await page.evaluate('[a.value, b.value]')).toEqual(['', ''])
  })

  test('keeps spaces, quotes, line breaks in a textarea, and emoji (X2-2)', async () => {
    await using page = await openScriptPage('<textarea id=a aria-label=A></textarea>')
    const value = '  "a\\b"\n\u2028\'👩‍👩‍👧 </script> '
    expect(await page.act(await page.ref('textbox'), 'fill', { value })).toMatchObject({ ok: true })
    expect(await page.evaluate('a.value')).toBe(value)
  })

  const types = [
    ['date', '2026-11-16'],
    ['month', '2026-11'],
    ['week', '2026-W47'],
    ['time', '13:45'],
    ['datetime-local', '2026-11-16T13:45'],
    ['color', '#FF8800'],
    ['range', '40'],
    ['number', '-1.5'],
    ['email', 'a@b.example'],
    ['url', 'https://a.example/'],
    ['tel', '+49 30 1'],
    ['search', 'pans'],
    ['password', 'geheim'],
  ] as const
  test.each(types)('sets a value of type %s, fires the events that frameworks listen to, and reads it back', async (type, value) => {
    await using page = await openScriptPage(`${eventLog}<label>F <input id=a type=${type}></label>`)
    const { refs } = await page.snapshot()
    const ref = Object.values(refs).find(each => each.tag === 'input')?.ref ?? ''
    const answer = await page.act(ref, 'fill', { value })
    expect(answer).toMatchObject({
      ok: true,
      effect: { value: type === 'password' ? '[redacted]' : type === 'color' ? value.toLowerCase() : value },
    })
    expect(await page.evaluate('a.value')).toBe(type === 'color' ? value.toLowerCase() : value)
    const commits = /date|month|week|time|color|range/.test(type)
    expect(await page.evaluate('heard("input change")')).toBe(commits ? 'input@a change@a' : 'input@a')
    if (type === 'password') expect(JSON.stringify(answer)).not.toContain(value)
  })

  test.each([
    ['date', '2026-12-24', '24.12.2026'],
    ['month', '2026-05', 'May 2026'],
    ['time', '10:00', '2 pm'],
    ['range', '5', '70'],
  ])('the failure for a value that type %s rejects says what the field still contains', async (type, before, value) => {
    await using page = await openScriptPage(
      `<input id=a aria-label=F type=${type} ${type === 'range' ? 'max=10 step=5' : ''} value=${before}>`,
    )
    const { refs } = await page.snapshot()
    const ref = Object.values(refs).find(each => each.tag === 'input')?.ref ?? ''
    expect(await page.act(ref, 'fill', { value })).toMatchObject({ ok: false, error: { code: 'not_committed', page: { value: before } } })
    expect(await page.evaluate('a.value')).toBe(before)
  })

  test.each([
    ['date', 'tomorrow', 'yyyy-mm-dd'],
    ['number', 'many', 'takes a number'],
    ['range', '400', 'takes no such value'],
    ['color', 'red', '#rrggbb'],
  ])('fails with not_committed for a value that type %s rejects, without changing the field or firing events', async (type, value, why) => {
    await using page = await openScriptPage(`${eventLog}<label>F <input id=a type=${type}></label>`)
    const { refs } = await page.snapshot()
    const before = await page.evaluate('a.value')
    const ref = Object.values(refs).find(each => each.tag === 'input')?.ref ?? ''
    expect(await page.act(ref, 'fill', { value })).toMatchObject({
      ok: false,
      error: { code: 'not_committed', message: expect.stringContaining(why) },
    })
    expect(await page.evaluate('a.value')).toBe(before)
    expect(await page.evaluate('heard("input change")')).toBe('')
  })

  test('rejects a value longer than maxlength and reports the maximum', async () => {
    await using page = await openScriptPage('<input id=a aria-label=Code maxlength=4>')
    expect(await page.act(await page.ref('textbox'), 'fill', { value: '12345' })).toMatchObject({
      ok: false,
      error: { code: 'not_committed', message: expect.stringContaining('at most 4 characters') },
    })
    expect(await page.evaluate('a.value')).toBe('')
  })

  test('reports not_committed when the page reverts the value, at once or before it has settled', async () => {
    await using page = await openScriptPage(`<input id=a aria-label=At><input id=b aria-label=Later><script>
      a.oninput = () => a.value = ''; b.oninput = () => Promise.resolve().then(() => b.value = '')</script>`)
    expect(await page.act(await page.ref('textbox "At"'), 'fill', { value: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_committed', message: expect.stringContaining('the page changed the value') },
      effect: { value: '' },
    })
    // what an action did not do stays undone, also once the page has settled
    expect(await page.call('settled')).toMatchObject({ ok: true, data: { committed: false } })
    expect(await page.act(await page.ref('textbox "Later"'), 'fill', { value: 'x' })).toMatchObject({ ok: true, effect: { value: 'x' } })
    expect(await page.call('settled')).toMatchObject({ ok: true, data: { committed: false, effect: { value: '' } } })
  })

  test.each([
    ['phone', "this.value = this.value.replace(/^(\\d{3})(\\d{3})(\\d{4})$/, '($1) $2-$3')", '5550109999', '(555) 010-9999'],
    ['prefixed', "this.value = '+1 ' + this.value", '555', '+1 555'],
    ['upper-case', 'this.value = this.value.toUpperCase()', 'straße', 'STRASSE'],
    ['amount', "this.value = '$' + Number(this.value).toFixed(2)", '5', '$5.00'],
    ['late', "setTimeout(() => { this.value = this.value.replace(/(\\d)(?=\\d)/g, '$1-') })", '123', '1-2-3'],
  ])('accepts the value as a %s field formats it', async (_, handler, value, shown) => {
    await using page = await openScriptPage(`<input aria-label=Field oninput="${handler}">`)
    expect(await page.act(await page.ref('textbox'), 'fill', { value })).toMatchObject({ ok: true })
    await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true, committed: true, effect: { value: shown } } })
  })

  test('reports how many characters of a secret arrived, and fails if they differ (A4)', async () => {
    await using page = await openScriptPage(`<input type=password aria-label=New>
      <input type=password aria-label=Short oninput="this.value = this.value.slice(0, 4)">`)
    const ref = await page.ref('textbox "New"')
    expect(await page.act(ref, 'fill', { value: 'geheim' })).toMatchObject({ ok: true, effect: { value: '[redacted]', characters: 6 } })
    expect(await page.act(ref, 'type', { text: 'er' })).toMatchObject({ ok: true, effect: { value: '[redacted]', characters: 8 } })
    expect(await page.act(await page.ref('textbox "Short"'), 'fill', { value: 'geheim' })).toMatchObject({
      ok: false,
      error: { code: 'not_committed', page: { value: '4 characters' } },
    })
  })

  test('fails with not_committed when beforeinput is prevented', async () => {
    await using page = await openScriptPage('<input id=a aria-label=A onbeforeinput="return false">')
    expect(await page.act(await page.ref('textbox'), 'fill', { value: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_committed' },
    })
    expect(await page.evaluate('a.value')).toBe('')
  })

  test('replaces the content of a contenteditable element', async () => {
    await using page = await openScriptPage(`${eventLog}<div id=a contenteditable aria-label=Note role=textbox>old <b>text</b></div>`)
    expect(await page.act(await page.ref('textbox'), 'fill', { value: 'new words' })).toMatchObject({
      ok: true,
      effect: { value: 'new words' },
    })
    expect(await page.evaluate('a.textContent')).toBe('new words')
    expect(await page.evaluate('heard("input")')).toContain('input@a')
    expect(await page.act(await page.ref('textbox'), 'clear')).toMatchObject({ ok: true })
    expect(await page.evaluate('a.textContent')).toBe('')
  })

  test('fills the only field inside a wrapper', async () => {
    await using page = await openScriptPage('<div role=combobox tabindex=0 aria-label=City><input id=a aria-hidden=true></div>')
    expect(await page.act(await page.ref('combobox'), 'fill', { value: 'Bonn' })).toMatchObject({ ok: true })
    expect(await page.evaluate('a.value')).toBe('Bonn')
  })

  test('ignores a maxlength that browsers ignore', async () => {
    await using page = await openScriptPage('<input aria-label=A maxlength=-1><input aria-label=B type=number maxlength=2>')
    expect(await page.act(await page.ref('textbox'), 'fill', { value: 'abc' })).toMatchObject({ ok: true, effect: { value: 'abc' } })
    expect(await page.act(await page.ref('spinbutton'), 'fill', { value: '123' })).toMatchObject({ ok: true, effect: { value: '123' } })
  })

  test('fills a long text into a contenteditable element completely', async () => {
    await using page = await openScriptPage('<div id=a contenteditable aria-label=Note role=textbox></div>')
    const value = 'word '.repeat(12_000).trim()
    expect(await page.act(await page.ref('textbox'), 'fill', { value })).toMatchObject({ ok: true })
    expect(await page.evaluate('a.textContent.length')).toBe(value.length)
  })
})

describe('type', () => {
  test('inserts at the caret, one key per code point (X0-25)', async () => {
    await using page = await openScriptPage(`${eventLog}<input id=a aria-label=A value=ad>`)
    const ref = await page.ref('textbox')
    await page.evaluate('a.focus(), a.setSelectionRange(1, 1), log.length = 0, 1')
    expect(await page.act(ref, 'type', { text: 'b😀C' })).toMatchObject({ ok: true, effect: { value: 'ab😀Cd' } })
    expect(await page.evaluate('heard()')).toBe(
      'keydown@a keypress@a beforeinput@a input@a keyup@a beforeinput@a input@a keydown@a keydown@a keypress@a beforeinput@a input@a keyup@a keyup@a',
    )
  })

  test('appends to an unfocused field and replaces a selection', async () => {
    await using page = await openScriptPage('<input id=a aria-label=A value=ab>')
    const ref = await page.ref('textbox')
    expect(await page.act(ref, 'type', { text: 'c' })).toMatchObject({ effect: { value: 'abc' } })
    await page.evaluate('a.select(), 1')
    expect(await page.act(ref, 'type', { text: 'x' })).toMatchObject({ effect: { value: 'x' } })
  })

  test('types spaces, and presses Enter for each line break (X2-2)', async () => {
    await using page = await openScriptPage('<textarea id=a aria-label=A></textarea>')
    expect(await page.act(await page.ref('textbox'), 'type', { text: ' a\nb' })).toMatchObject({ ok: true, effect: { value: ' a\nb' } })
  })

  test('types a number through intermediate values that are not valid numbers', async () => {
    await using page = await openScriptPage('<input id=a aria-label=A type=number step=any>')
    expect(await page.act(await page.ref('spinbutton'), 'type', { text: '-1.5e3' })).toMatchObject({ ok: true })
    expect(await page.evaluate('a.valueAsNumber')).toBe(-1500)
  })

  test('skips keys that the page prevents, and fails with not_committed if nothing is typed', async () => {
    await using page = await openScriptPage(
      '<input id=a aria-label=A><input id=b aria-label=B><script>a.onkeydown = e => { if (e.key === "1") e.preventDefault() }; b.onkeypress = () => false</script>',
    )
    expect(await page.act(await page.ref('textbox "A"'), 'type', { text: '12' })).toMatchObject({ ok: true, effect: { value: '2' } })
    expect(await page.act(await page.ref('textbox "B"'), 'type', { text: '12' })).toMatchObject({
      ok: false,
      error: { code: 'not_committed' },
    })
  })

  test('stops at maxlength, like a keyboard', async () => {
    await using page = await openScriptPage('<input id=a aria-label=A maxlength=3>')
    expect(await page.act(await page.ref('textbox'), 'type', { text: '12345' })).toMatchObject({ effect: { value: '123' } })
  })

  test('follows the focus through single-digit fields', async () => {
    await using page = await openScriptPage(
      `<input id=a aria-label=1 maxlength=1><input id=b aria-label=2 maxlength=1><script>a.oninput = () => b.focus()</script>`,
    )
    await page.act(await page.ref('textbox "1"'), 'type', { text: '12' })
    expect(await page.evaluate('[a.value, b.value]')).toEqual(['1', '2'])
  })

  test('types at the caret of a contenteditable element', async () => {
    await using page = await openScriptPage('<div id=a contenteditable aria-label=Note role=textbox></div>')
    const typed = await page.act(await page.ref('textbox'), 'type', { text: 'ab 文' })
    expect(typed.ok || typed.error).toBe(true)
    expect(await page.evaluate('a.textContent.replace(/\\u00a0/g, " ")')).toBe('ab 文')
  })

  test('forgets the text of a number or email field when the field is cleared', async () => {
    await using page = await openScriptPage(
      `<input type=email id=a aria-label=A onkeydown="if (event.key === 'Enter') this.value = ''"><input type=number id=b aria-label=B>`,
    )
    const [mail, number] = [await page.ref('textbox'), await page.ref('spinbutton')]
    await page.act(mail, 'type', { text: 'ab@c.d\n' })
    await page.act(mail, 'type', { text: 'x' })
    await page.act(number, 'type', { text: '1.' })
    await page.act(number, 'clear')
    await page.act(number, 'type', { text: '3' })
    expect(await page.evaluate('[a.value, b.value]')).toEqual(['x', '3'])
  })

  test('types characters without a key into the next field when the focus moves', async () => {
    await using page = await openScriptPage(
      '<input id=a aria-label=1 maxlength=1><input id=b aria-label=2 maxlength=1><script>a.oninput = () => b.focus()</script>',
    )
    await page.act(await page.ref('textbox "1"'), 'type', { text: '文字' })
    expect(await page.evaluate('[a.value, b.value]')).toEqual(['文', '字'])
  })
})
