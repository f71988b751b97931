import { describe, expect, test } from 'vitest'
import { eventLog } from '../../support/event-log.ts'
import { openScriptPage } from '../../support/script-page.ts'

describe('select', () => {
  const colours =
    '<select id=s aria-label=Colour><option value=r>Red<option value=g selected>Green<option value=b>Dark  Blue<option value=x disabled>Grey</select>'

  test.each([
    ['value', 'r', 'Red'],
    ['text', 'Dark Blue', 'Dark Blue'],
  ])('selects an option by %s and fires input and change once (S0-94 S2-23)', async (_, value, text) => {
    await using page = await openScriptPage(`${eventLog}${colours}`)
    expect(await page.act(await page.ref('combobox'), 'select', { values: [value] })).toMatchObject({
      ok: true,
      effect: { selected: [text] },
    })
    expect(await page.evaluate('s.selectedOptions[0].text')).toBe(text)
    expect(await page.evaluate('heard("input change")')).toBe('input@s change@s')
  })

  test('fails with option_not_found and the available options, without changing anything (X0-12)', async () => {
    await using page = await openScriptPage(`${eventLog}${colours}`)
    expect(await page.act(await page.ref('combobox'), 'select', { values: ['Pink'] })).toMatchObject({
      ok: false,
      error: { code: 'option_not_found', page: { options: ['Red', 'Green', 'Dark Blue', 'Grey'] } },
    })
    expect(await page.evaluate('s.value')).toBe('g')
    expect(await page.evaluate('heard("input change")')).toBe('')
  })

  test('does nothing for the current choice, and rejects a disabled option or two values for a single select', async () => {
    await using page = await openScriptPage(`${eventLog}${colours}`)
    const ref = await page.ref('combobox')
    expect(await page.act(ref, 'select', { values: ['Green'] })).toMatchObject({ ok: true })
    expect(await page.evaluate('heard("input change")')).toBe('')
    expect(await page.act(ref, 'select', { values: ['Grey'] })).toMatchObject({ ok: false, error: { code: 'not_enabled' } })
    expect(await page.act(ref, 'select', { values: ['r', 'b'] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await page.act(ref, 'select', {} as never)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('values') },
    })
  })

  test('selects several options of a multiple select and deselects the others', async () => {
    await using page = await openScriptPage('<select id=s multiple aria-label=S><option selected>a<option>b<option>c</select>')
    expect(await page.act(await page.ref('listbox'), 'select', { values: ['b', 'c'] })).toMatchObject({
      ok: true,
      effect: { selected: ['b', 'c'] },
    })
    expect(await page.evaluate('[...s.selectedOptions].map(o => o.text)')).toEqual(['b', 'c'])
  })

  test('is also done by fill on a select', async () => {
    await using page = await openScriptPage(colours)
    expect(await page.act(await page.ref('combobox'), 'fill', { value: 'Red' })).toMatchObject({
      ok: true,
      effect: { selected: ['Red'] },
    })
  })

  test('clicks the option of a custom listbox and verifies the choice', async () => {
    await using page = await openScriptPage(
      `<ul id=l role=listbox aria-label=Size tabindex=0><li role=option aria-selected=false>Small<li role=option aria-selected=false>Large</ul>
       <script>l.onmousedown = e => { for (const o of l.children) o.ariaSelected = String(o === e.target) }</script>`,
    )
    const ref = await page.ref('listbox')
    expect(await page.act(ref, 'select', { values: ['Large'] })).toMatchObject({ ok: true })
    expect(await page.evaluate('l.children[1].ariaSelected')).toBe('true')
    expect(await page.act(ref, 'select', { values: ['Huge'] })).toMatchObject({ ok: false, error: { code: 'option_not_found' } })
  })

  test('opens a closed combobox, says so, and selects on the second call', async () => {
    await using page = await openScriptPage(
      `<div id=c role=combobox tabindex=0 aria-expanded=false aria-controls=l aria-label=Fruit>–</div><ul id=l role=listbox hidden><li role=option>Apple<li role=option>Pear</ul>
       <script>c.onclick = () => setTimeout(() => { l.hidden = false; c.ariaExpanded = 'true' }); l.onclick = e => { c.textContent = e.target.textContent; l.hidden = true }</script>`,
    )
    const ref = await page.ref('combobox')
    expect(await page.act(ref, 'select', { values: ['Pear'] })).toMatchObject({
      ok: false,
      error: { code: 'option_not_found', message: expect.stringContaining('opened') },
    })
    await expect.poll(() => page.evaluate('l.hidden')).toBe(false)
    expect(await page.act(ref, 'select', { values: ['Pear'] })).toMatchObject({ ok: true })
    expect(await page.call('settled')).toMatchObject({ data: { committed: true } })
    expect(await page.evaluate('c.textContent')).toBe('Pear')
  })

  test('fails with not_a_select on any other element', async () => {
    await using page = await openScriptPage('<button>B</button>')
    expect(await page.act(await page.ref('button'), 'select', { values: ['x'] })).toMatchObject({
      ok: false,
      error: { code: 'not_a_select' },
    })
  })

  test('refuses a select that is inert or behind a modal dialog', async () => {
    await using page = await openScriptPage(
      '<select id=s aria-label=S><option>1<option>2</select><div id=i><select id=t aria-label=T><option>1<option>2</select></div><dialog id=d><button>x</button></dialog>',
    )
    const [one, other] = [await page.ref('combobox "S"'), await page.ref('combobox "T"')]
    await page.evaluate('i.inert = true')
    expect(await page.act(other, 'select', { values: ['2'] })).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
    await page.evaluate('d.showModal()')
    expect(await page.act(one, 'select', { values: ['2'] })).toMatchObject({ ok: false, error: { code: 'element_blocked' } })
    expect(await page.evaluate('[s.value, t.value]')).toEqual(['1', '1'])
  })

  test('opens a combobox marked as closed instead of using another listbox', async () => {
    await using page = await openScriptPage(
      `<div role=combobox tabindex=0 aria-label=A aria-expanded=false onclick="opened++">A</div>
       <div role=listbox aria-label=B><div role=option onclick="wrong++">Red</div></div><script>var opened = 0, wrong = 0</script>`,
    )
    const answer = await page.act(await page.ref('combobox'), 'select', { values: ['Red'] })
    expect(answer).toMatchObject({ ok: false, error: { code: 'option_not_found', opened: true } })
    expect(await page.evaluate('[opened, wrong]')).toEqual([1, 0])
  })
})

describe('check and uncheck', () => {
  test('click only when the state changes, and verify it', async () => {
    await using page = await openScriptPage(`${eventLog}<input id=c type=checkbox aria-label=C>`)
    const ref = await page.ref('checkbox')
    expect(await page.act(ref, 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.act(ref, 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.evaluate('heard("click input change")')).toBe('click@c input@c change@c')
    expect(await page.act(ref, 'uncheck')).toMatchObject({ ok: true, effect: { checked: false } })
    expect(await page.evaluate('c.checked')).toBe(false)
  })

  test('toggle a checkbox that is transparent or hidden behind its label (X0-14)', async () => {
    await using page = await openScriptPage(
      `<label style="position:relative;display:block;height:30px"><input id=a type=checkbox aria-label=Over style="opacity:0;position:absolute;width:30px;height:30px"><i style="display:block;width:30px;height:30px;background:green"></i></label>
       <input id=b type=checkbox style="display:none"><label for=b>Hidden</label>`,
    )
    expect(await page.act(await page.ref('checkbox "Over"'), 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.act(await page.ref('checkbox "Hidden"'), 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.evaluate('[a.checked, b.checked]')).toEqual([true, true])
  })

  test('fail with not_committed when the page keeps the old state', async () => {
    await using page = await openScriptPage('<input id=c type=checkbox aria-label=C onclick="return false">')
    expect(await page.act(await page.ref('checkbox'), 'check')).toMatchObject({
      ok: false,
      error: { code: 'not_committed' },
      effect: { checked: false },
    })
  })

  test('leave an ARIA switch unconfirmed until the page has settled', async () => {
    await using page = await openScriptPage(
      `<div role=switch id=s tabindex=0 aria-checked=false aria-label=S>S</div><div role=switch id=t tabindex=0 aria-checked=false aria-label=T>T</div><script>s.onclick = () => Promise.resolve().then(() => s.ariaChecked = 'true')</script>`,
    )
    expect(await page.act(await page.ref('switch "S"'), 'check')).toMatchObject({ ok: true, unconfirmed: true })
    expect(await page.call('settled')).toMatchObject({ data: { committed: true, effect: { checked: true } } })
    expect(await page.act(await page.ref('switch "T"'), 'check')).toMatchObject({ ok: true, unconfirmed: true })
    expect(await page.call('settled')).toMatchObject({ data: { committed: false } })
  })

  test('check but never uncheck a radio, and reject a button', async () => {
    await using page = await openScriptPage('<input type=radio aria-label=R><button>B</button>')
    expect(await page.act(await page.ref('radio'), 'check')).toMatchObject({ ok: true })
    expect(await page.act(await page.ref('radio'), 'uncheck')).toMatchObject({ ok: false, error: { code: 'not_uncheckable' } })
    expect(await page.act(await page.ref('button'), 'check')).toMatchObject({ ok: false, error: { code: 'not_checkable' } })
  })

  test('work on an indeterminate checkbox in either state', async () => {
    await using page = await openScriptPage('<input type=checkbox id=c checked aria-label=C>')
    const ref = await page.ref('checkbox')
    for (const checked of [true, false])
      for (const [kind, want] of [
        ['check', true],
        ['uncheck', false],
      ] as const) {
        await page.evaluate(`c.checked = ${checked}, c.indeterminate = true`)
        expect(await page.act(ref, kind)).toMatchObject({ ok: true, effect: { checked: want } })
      }
  })
})

describe('upload', () => {
  test('sets the files of a file input, with their content (S0-102)', async () => {
    await using page = await openScriptPage(
      `${eventLog}<label>Photo <input id=f type=file multiple style="display:none"></label><script>f.onchange = async () => window.got = await f.files[0].text()</script>`,
    )
    const { refs } = await page.snapshot()
    const ref = Object.values(refs).find(each => each.tag === 'input')?.ref ?? ''
    const files = [
      { name: 'a.txt', type: 'text/plain', base64: btoa('hello') },
      { name: 'b.bin', base64: 'AAEC' },
    ]
    expect(await page.act(ref, 'upload', { files })).toMatchObject({ ok: true, effect: { files: ['a.txt', 'b.bin'] } })
    expect(await page.evaluate('[...f.files].map(x => x.name + x.size + x.type)')).toEqual(['a.txt5text/plain', 'b.bin3'])
    await expect.poll(() => page.evaluate('window.got')).toBe('hello')
    expect(await page.evaluate('heard("input change")')).toBe('input@f change@f')
  })

  test('rejects two files for a single-file input, and elements that are not file inputs', async () => {
    await using page = await openScriptPage('<input type=file aria-label=F><input aria-label=T>')
    const { refs } = await page.snapshot()
    const [file = '', text = ''] = Object.keys(refs)
    const one = { name: 'a', base64: '' }
    expect(await page.act(file, 'upload', { files: [one, one] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await page.act(text, 'upload', { files: [one] })).toMatchObject({ ok: false, error: { code: 'not_editable' } })
    expect(await page.act(file, 'fill', { value: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_editable', message: expect.stringContaining('upload') },
    })
  })

  test('rejects a file with invalid base64', async () => {
    await using page = await openScriptPage('<input type=file aria-label=F>')
    const ref = Object.keys((await page.snapshot()).refs)[0] as string
    const answer = await page.act(ref, 'upload', { files: [{ name: 'a', base64: '%%%' }] })
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input', message: expect.stringContaining('base64') } })
  })
})

test('no values clear a select or a drawn list, and no files clear a file input', async () => {
  await using page = await openScriptPage(`<select id=m aria-label=Many multiple><option selected>a<option selected>b</select>
    <ul role=listbox aria-multiselectable=true aria-label=Tags><li role=option aria-selected=true onclick="this.setAttribute('aria-selected', false)">x</ul>
    <input type=file id=f aria-label=File>`)
  expect(await page.act(await page.ref('listbox "Many"'), 'select', { values: [] })).toMatchObject({ ok: true, effect: { selected: [] } })
  expect(await page.act(await page.ref('listbox "Tags"'), 'select', { values: [] })).toMatchObject({ ok: true })
  const file = await page.ref('File')
  await page.act(file, 'upload', { files: [{ name: 'a.txt', base64: '' }] })
  expect(await page.act(file, 'upload', { files: [] })).toMatchObject({ ok: true, effect: { files: [] } })
  expect(
    await page.evaluate("[m.selectedOptions.length, document.querySelectorAll('[aria-selected=true]').length, f.files.length]"),
  ).toEqual([0, 0, 0])
})

test('check works for an option with aria-checked', async () => {
  await using page = await openScriptPage(
    '<ul role=listbox><li role=option aria-checked=false onclick="this.setAttribute(\'aria-checked\', true)">One</ul>',
  )
  expect(await page.act(await page.ref('option'), 'check')).toMatchObject({ ok: true, effect: { checked: true } })
})
