import { describe, expect, test } from 'vitest'
import { logging } from '../../support/logging.ts'
import { lookAt } from '../../support/looking.ts'

describe('select', () => {
  const colours =
    '<select id=s aria-label=Colour><option value=r>Red<option value=g selected>Green<option value=b>Dark  Blue<option value=x disabled>Grey</select>'

  test.each([
    ['value', 'r', 'Red'],
    ['text', 'Dark Blue', 'Dark Blue'],
  ])('picks an option by %s, and fires input and change once (S0-94 S2-23)', async (_, value, text) => {
    await using page = await lookAt(`${logging}${colours}`)
    expect(await page.act(await page.refOf('combobox'), 'select', { values: [value] })).toMatchObject({
      ok: true,
      effect: { selected: [text] },
    })
    expect(await page.evaluate('s.selectedOptions[0].text')).toBe(text)
    expect(await page.evaluate('heard("input change")')).toBe('input@s change@s')
  })

  test('what is not there is option_not_found with what is; nothing moves and nothing fires (X0-12)', async () => {
    await using page = await lookAt(`${logging}${colours}`)
    expect(await page.act(await page.refOf('combobox'), 'select', { values: ['Pink'] })).toMatchObject({
      ok: false,
      error: { code: 'option_not_found', message: expect.stringContaining('"Red", "Green", "Dark Blue"') },
    })
    expect(await page.evaluate('s.value')).toBe('g')
    expect(await page.evaluate('heard("input change")')).toBe('')
  })

  test('a choice that is made already fires nothing; a disabled option is not_enabled; two for one are invalid_input', async () => {
    await using page = await lookAt(`${logging}${colours}`)
    const ref = await page.refOf('combobox')
    expect(await page.act(ref, 'select', { values: ['Green'] })).toMatchObject({ ok: true })
    expect(await page.evaluate('heard("input change")')).toBe('')
    expect(await page.act(ref, 'select', { values: ['Grey'] })).toMatchObject({ ok: false, error: { code: 'not_enabled' } })
    expect(await page.act(ref, 'select', { values: ['r', 'b'] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await page.act(ref, 'select', {} as never)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('values') },
    })
  })

  test('several are chosen where several may be, and the others are not', async () => {
    await using page = await lookAt('<select id=s multiple aria-label=S><option selected>a<option>b<option>c</select>')
    expect(await page.act(await page.refOf('listbox'), 'select', { values: ['b', 'c'] })).toMatchObject({
      ok: true,
      effect: { selected: ['b', 'c'] },
    })
    expect(await page.evaluate('[...s.selectedOptions].map(o => o.text)')).toEqual(['b', 'c'])
  })

  test('fill on a select chooses, too', async () => {
    await using page = await lookAt(colours)
    expect(await page.act(await page.refOf('combobox'), 'fill', { value: 'Red' })).toMatchObject({
      ok: true,
      effect: { selected: ['Red'] },
    })
  })

  test('a list that the page draws is chosen from by clicking, whole sequences, with the answer read back', async () => {
    await using page = await lookAt(
      `<ul id=l role=listbox aria-label=Size tabindex=0><li role=option aria-selected=false>Small<li role=option aria-selected=false>Large</ul>
       <script>l.onmousedown = e => { for (const o of l.children) o.ariaSelected = String(o === e.target) }</script>`,
    )
    const ref = await page.refOf('listbox')
    expect(await page.act(ref, 'select', { values: ['Large'] })).toMatchObject({ ok: true })
    expect(await page.evaluate('l.children[1].ariaSelected')).toBe('true')
    expect(await page.act(ref, 'select', { values: ['Huge'] })).toMatchObject({ ok: false, error: { code: 'option_not_found' } })
  })

  test('a closed combobox is opened, says so, and is chosen from at the second call', async () => {
    await using page = await lookAt(
      `<div id=c role=combobox tabindex=0 aria-expanded=false aria-controls=l aria-label=Fruit>–</div><ul id=l role=listbox hidden><li role=option>Apple<li role=option>Pear</ul>
       <script>c.onclick = () => setTimeout(() => { l.hidden = false; c.ariaExpanded = 'true' }); l.onclick = e => { c.textContent = e.target.textContent; l.hidden = true }</script>`,
    )
    const ref = await page.refOf('combobox')
    expect(await page.act(ref, 'select', { values: ['Pear'] })).toMatchObject({
      ok: false,
      error: { code: 'option_not_found', message: expect.stringContaining('opened') },
    })
    await expect.poll(() => page.evaluate('l.hidden')).toBe(false)
    expect(await page.act(ref, 'select', { values: ['Pear'] })).toMatchObject({ ok: true })
    expect(await page.page('settled')).toMatchObject({ data: { committed: true } })
    expect(await page.evaluate('c.textContent')).toBe('Pear')
  })

  test('anything else is not_a_select', async () => {
    await using page = await lookAt('<button>B</button>')
    expect(await page.act(await page.refOf('button'), 'select', { values: ['x'] })).toMatchObject({
      ok: false,
      error: { code: 'not_a_select' },
    })
  })
})

describe('check and uncheck', () => {
  test('click only where that changes something, and read it back', async () => {
    await using page = await lookAt(`${logging}<input id=c type=checkbox aria-label=C>`)
    const ref = await page.refOf('checkbox')
    expect(await page.act(ref, 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.act(ref, 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.evaluate('heard("click input change")')).toBe('click@c input@c change@c')
    expect(await page.act(ref, 'uncheck')).toMatchObject({ ok: true, effect: { checked: false } })
    expect(await page.evaluate('c.checked')).toBe(false)
  })

  test('a box that is drawn by something else, transparent or behind its label, is checked (X0-14)', async () => {
    await using page = await lookAt(
      `<label style="position:relative;display:block;height:30px"><input id=a type=checkbox aria-label=Over style="opacity:0;position:absolute;width:30px;height:30px"><i style="display:block;width:30px;height:30px;background:green"></i></label>
       <input id=b type=checkbox style="display:none"><label for=b>Hidden</label>`,
    )
    expect(await page.act(await page.refOf('checkbox', 'Over'), 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.act(await page.refOf('checkbox', 'Hidden'), 'check')).toMatchObject({ ok: true, effect: { checked: true } })
    expect(await page.evaluate('[a.checked, b.checked]')).toEqual([true, true])
  })

  test('a page that keeps it as it was is not_committed', async () => {
    await using page = await lookAt('<input id=c type=checkbox aria-label=C onclick="return false">')
    expect(await page.act(await page.refOf('checkbox'), 'check')).toMatchObject({
      ok: false,
      error: { code: 'not_committed' },
      effect: { checked: false },
    })
  })

  test('a switch of ARIA that answers later is unconfirmed until the page has come to rest', async () => {
    await using page = await lookAt(
      `<div role=switch id=s tabindex=0 aria-checked=false aria-label=S>S</div><div role=switch id=t tabindex=0 aria-checked=false aria-label=T>T</div><script>s.onclick = () => Promise.resolve().then(() => s.ariaChecked = 'true')</script>`,
    )
    expect(await page.act(await page.refOf('switch', 'S'), 'check')).toMatchObject({ ok: true, unconfirmed: true })
    expect(await page.page('settled')).toMatchObject({ data: { committed: true, effect: { checked: true } } })
    expect(await page.act(await page.refOf('switch', 'T'), 'check')).toMatchObject({ ok: true, unconfirmed: true })
    expect(await page.page('settled')).toMatchObject({ data: { committed: false } })
  })

  test('a radio is checked but not unchecked; a button is neither', async () => {
    await using page = await lookAt('<input type=radio aria-label=R><button>B</button>')
    expect(await page.act(await page.refOf('radio'), 'check')).toMatchObject({ ok: true })
    expect(await page.act(await page.refOf('radio'), 'uncheck')).toMatchObject({ ok: false, error: { code: 'not_uncheckable' } })
    expect(await page.act(await page.refOf('button'), 'check')).toMatchObject({ ok: false, error: { code: 'not_checkable' } })
  })
})

describe('upload', () => {
  test('gives a file field its files, with their contents (S0-102)', async () => {
    await using page = await lookAt(
      `${logging}<label>Photo <input id=f type=file multiple style="display:none"></label><script>f.onchange = async () => window.got = await f.files[0].text()</script>`,
    )
    const { refs } = await page.look()
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

  test('two files for one place, no files, or no file field are refused', async () => {
    await using page = await lookAt('<input type=file aria-label=F><input aria-label=T>')
    const { refs } = await page.look()
    const [file = '', text = ''] = Object.keys(refs)
    const one = { name: 'a', base64: '' }
    expect(await page.act(file, 'upload', { files: [one, one] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await page.act(file, 'upload', { files: [] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await page.act(text, 'upload', { files: [one] })).toMatchObject({ ok: false, error: { code: 'not_editable' } })
    expect(await page.act(file, 'fill', { value: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_editable', message: expect.stringContaining('upload') },
    })
  })
})
