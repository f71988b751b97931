import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { eventLog } from '../../support/event-log.ts'

test('select chooses an option of a native select by value or text and fires its events', async () => {
  await using page =
    await openCdpPage(`${eventLog}<select id=s aria-label=Size><option value=s>Small<option value=l>Large<option disabled>None</select>
    <select id=m aria-label=Many multiple><option>a<option>b<option>c</select>`)
  const ref = await page.ref('Size')
  expect(await page.do('select', { ref, values: ['Large'] })).toMatchObject({ trusted: false, effect: { selected: ['Large'] } })
  expect(await page.evaluate('[s.value, heard("input change")]')).toEqual(['l', 'input@s change@s'])
  await page.do('select', { ref: await page.ref('Many'), values: ['a', 'c'] })
  expect(await page.evaluate('[...m.selectedOptions].map(o => o.value)')).toEqual(['a', 'c'])
  expect(await page.fails('select', { ref, values: ['Huge'] })).toMatchObject({
    code: 'option_not_found',
    page: { options: expect.arrayContaining(['Small', 'Large']) },
  })
  expect((await page.fails('select', { ref, values: ['None'] })).code).toBe('not_enabled')
})

const combobox = `
  <button id=b role=combobox aria-haspopup=listbox aria-controls=l aria-expanded=false aria-label=Fruit>Choose</button>
  <script>b.onclick = () => setTimeout(() => { b.setAttribute('aria-expanded', 'true')
    document.body.insertAdjacentHTML('beforeend', '<ul id=l role=listbox><li role=option id=o1>Apple<li role=option id=o2>Pear</ul>')
    for (const o of l.children) o.onmousedown = e => { b.textContent = o.textContent; l.remove(); b.setAttribute('aria-expanded', 'false') } }, 80)</script>`

test('select opens a custom listbox, waits for it, clicks the option and verifies the choice', async () => {
  await using page = await openCdpPage(combobox)
  const acted = await page.do('select', { ref: await page.ref('Fruit'), values: ['Pear'] })
  expect(acted).toMatchObject({ trusted: true, settled: true })
  expect(await page.evaluate('b.textContent')).toBe('Pear')
  expect((await page.fails('select', { ref: await page.ref('Fruit'), values: ['Plum'] })).page?.options).toEqual(
    expect.arrayContaining(['Apple', 'Pear']),
  )
})

test('select types into a searchable combobox to find the option', async () => {
  await using page =
    await openCdpPage(`<input id=i role=combobox aria-label=City aria-controls=l aria-autocomplete=list><ul id=l role=listbox></ul>
    <script>const all = ['Aachen', 'Berlin', 'Bremen', 'Zürich']
    const show = () => { l.innerHTML = all.filter(c => c.startsWith(i.value)).slice(0, 2).map(c => '<li role=option>' + c).join(''); for (const o of l.children) o.onclick = () => { i.value = o.textContent; l.innerHTML = '' } }
    i.onclick = i.oninput = () => setTimeout(show, 30)</script>`)
  await page.do('select', { ref: await page.ref('City'), values: ['Zürich'] })
  expect(await page.evaluate('i.value')).toBe('Zürich')
})

test('select chooses from a list that opens on mousedown and scrolls its dialog, so that the control moves', async () => {
  await using page = await openCdpPage(`
    <div id=d role=dialog aria-label=Edit style="position:fixed;top:50px;width:300px;height:200px;overflow:auto">
      <p style="height:120px">Words</p><div id=c style="height:30px;border:1px solid" onmousedown="show()"><input id=i role=combobox aria-label=Color aria-expanded=false></div>
      <div id=m></div><p style="height:400px">More</p></div>
    <script>function show() {
      event.preventDefault(); i.focus(); i.setAttribute('aria-expanded', 'true'); d.scrollTop = 60
      m.innerHTML = '<ul id=l role=listbox>' + ['Red', 'Green', 'Blue'].map(c => '<li role=option>' + c).join('') + '</ul>'
      for (const o of l.children) o.onclick = () => { i.value = o.textContent; m.innerHTML = ''; i.setAttribute('aria-expanded', 'false') }
      const end = performance.now() + 150
      ;(function step() { d.scrollTop += 4; if (performance.now() < end) requestAnimationFrame(step) })()
    }</script>`)
  await page.do('select', { ref: await page.ref('Color'), values: ['Blue'] })
  expect(await page.evaluate('i.value')).toBe('Blue')
})

test('check and uncheck reach the requested state, and fail when the page keeps another', async () => {
  await using page = await openCdpPage(`<label><input type=checkbox id=a> Plain</label>
    <div id=s role=switch aria-checked=false tabindex=0 aria-label=Switch onclick="setTimeout(() => this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true'), 50)">x</div>
    <label><input type=checkbox onclick="event.preventDefault()"> Kept</label><label><input type=radio name=r id=r> Radio</label><button>Word</button>`)
  const plain = await page.ref('Plain')
  for (const [verb, checked] of [
    ['check', true],
    ['check', true],
    ['uncheck', false],
  ] as const) {
    expect((await page.do(verb, { ref: plain })).effect.checked).toBe(checked)
    expect(await page.evaluate('a.checked')).toBe(checked)
  }
  await page.do('check', { ref: await page.ref('Switch') })
  expect(await page.evaluate('s.getAttribute("aria-checked")')).toBe('true')
  expect((await page.fails('check', { ref: await page.ref('Kept') })).code).toBe('not_committed')
  await page.do('check', { ref: await page.ref('Radio') })
  expect((await page.fails('uncheck', { ref: await page.ref('Radio') })).code).toBe('not_uncheckable')
  expect((await page.fails('check', { ref: await page.ref('Word') })).code).toBe('not_checkable')
})

test('upload fills a file input, a hidden one or a file chooser, only from allowed folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-upload-'))
  try {
    const [one, two] = [join(folder, 'one.txt'), join(folder, 'two.txt')]
    await writeFile(one, 'first')
    await writeFile(two, 'second')
    await using page = await openCdpPage(
      `${eventLog}<input type=file id=a aria-label=Plain><label>Hidden <input type=file id=b multiple style="display:none"></label>
       <input type=file id=c style="display:none"><button onclick="c.click()">Browse</button><button>Word</button>`,
      { uploadRoots: [folder] },
    )
    expect((await page.do('upload', { ref: await page.ref('Plain'), files: [one] })).effect.files).toEqual(['one.txt'])
    expect(await page.evaluate('heard("input change")')).toBe('input@a change@a')
    await page.do('upload', { ref: await page.ref('Hidden'), files: [one, two] })
    expect(await page.evaluate('[...b.files].map(f => f.name + f.size)')).toEqual(['one.txt5', 'two.txt6'])
    await page.do('upload', { ref: await page.ref('Browse'), files: [two] })
    expect(await page.evaluate('c.files[0].name')).toBe('two.txt')
    expect((await page.fails('upload', { ref: await page.ref('Plain'), files: [one, two] })).code).toBe('invalid_input')
    expect((await page.fails('upload', { ref: await page.ref('Plain'), files: ['/etc/passwd'] })).code).toBe('disabled')
    expect((await page.fails('upload', { ref: await page.ref('Word'), files: [one] })).code).toBe('not_editable')
  } finally {
    await rm(folder, { recursive: true })
  }
})

const clearable = `${eventLog}<select id=m aria-label=Many multiple><option selected>a<option selected>b</select>
  <select id=s aria-label=Size><option value="">Any<option selected>Large</select><select aria-label=Fixed><option>One<option selected>Two</select>
  <ul role=listbox aria-multiselectable=true aria-label=Tags><li role=option aria-selected=true>x<li role=option aria-selected=false>y<li role=option aria-selected=true>z</ul>
  <script>for (const o of document.querySelectorAll('li')) o.onclick = () => o.setAttribute('aria-selected', o.getAttribute('aria-selected') !== 'true')</script>`

test('select with no values clears a multiple select, a placeholder and a drawn list; other selects keep their choice', async () => {
  await using page = await openCdpPage(clearable)
  expect((await page.do('select', { ref: await page.ref('Many'), values: [] })).effect.selected).toEqual([])
  expect((await page.do('select', { ref: await page.ref('Size'), values: [] })).effect.selected).toEqual(['Any'])
  expect(await page.evaluate('heard("change")')).toBe('change@m change@s')
  await page.do('select', { ref: await page.ref('Tags'), values: [] })
  expect(await page.evaluate("document.querySelectorAll('[aria-selected=true]').length")).toBe(0)
  expect((await page.fails('select', { ref: await page.ref('Fixed'), values: [] })).code).toBe('not_committed')
})

test('upload with no files removes those of a file input and fires its events', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-upload-'))
  await writeFile(join(folder, 'a.txt'), 'a')
  await using page = await openCdpPage(`${eventLog}<input type=file id=f aria-label=File><button>Choose</button>`, {
    uploadRoots: [folder],
  })
  const ref = await page.ref('File')
  await page.do('upload', { ref, files: [join(folder, 'a.txt')] })
  await page.evaluate('heard(), 1')
  expect((await page.do('upload', { ref, files: [] })).effect.files).toEqual([])
  expect(await page.evaluate('[f.files.length, heard("input change")]')).toEqual([0, 'input@f change@f'])
  expect((await page.fails('upload', { ref: await page.ref('Choose'), files: [] })).code).toBe('not_editable')
  await rm(folder, { recursive: true })
})

test('check and uncheck work for options and tree items that have aria-checked', async () => {
  await using page = await openCdpPage(`<ul role=listbox aria-label=L><li role=option aria-checked=false>One<li role=option>Two</ul>
    <ul role=tree aria-label=T><li role=treeitem aria-checked=true>Branch</ul>
    <script>for (const o of document.querySelectorAll('[aria-checked]')) o.onclick = () => o.setAttribute('aria-checked', o.getAttribute('aria-checked') !== 'true')</script>`)
  expect((await page.do('check', { ref: await page.ref('One') })).effect.checked).toBe(true)
  expect((await page.do('uncheck', { ref: await page.ref('Branch') })).effect.checked).toBe(false)
  expect((await page.fails('check', { ref: await page.ref('Two') })).code).toBe('not_checkable')
})

test('the effect of select is the choice that a widget draws beside its invisible input', async () => {
  await using page = await openCdpPage(`<label id=n>Color</label>
    <div style="border:1px solid;position:relative;width:200px;height:30px" onmousedown="event.preventDefault(); m.hidden = false">
      <span id=v>Red</span><div style="opacity:0;position:absolute;inset:0"><input role=combobox aria-labelledby=n aria-controls=m readonly></div></div>
    <ul id=m role=listbox hidden><li role=option onclick="v.textContent = 'Blue'; m.hidden = true">Blue</ul>`)
  const color = async () => (await page.nodes()).find(({ role }) => role === 'combobox')
  expect((await color())?.value).toBe('Red')
  expect((await page.do('select', { ref: (await color())?.ref, values: ['Blue'] })).effect.value).toBe('Blue')
  expect((await color())?.value).toBe('Blue')
})

/** like react-select: typing filters the list, and leaving the field drops what was only typed */
const drawnSelect = `<div id=c style="border:1px solid;width:200px" onmousedown="i.focus(); show()"><span id=v></span><input id=i role=combobox aria-label=Color aria-expanded=false></div>
  <div id=m></div><button>Next</button>
  <script>const all = ['Red', 'Green', 'Dark green']
    function show() { i.setAttribute('aria-expanded', 'true')
      m.innerHTML = all.filter(each => each.toLowerCase().includes(i.value.toLowerCase())).map(each => '<div role=option>' + each + '</div>').join('') || 'No options'
      for (const o of m.children) o.onclick = () => { v.textContent = o.textContent; close() } }
    function close() { i.value = ''; m.innerHTML = ''; i.setAttribute('aria-expanded', 'false') }
    i.oninput = show
    i.onblur = () => setTimeout(close, 200)
  </script>`

test('a failed select names the options of the whole list, also if typing has left none of them', async () => {
  await using page = await openCdpPage(drawnSelect)
  const { code, page: words } = await page.fails('select', { ref: await page.ref('Color'), values: ['Purple'] })
  expect([code, words?.options]).toEqual(['option_not_found', ['Red', 'Green', 'Dark green']])
})

test('select replaces the text of a searchable list instead of typing behind it, and leaves an open list open', async () => {
  await using page = await openCdpPage(drawnSelect)
  const ref = await page.ref('Color')
  await page.do('fill', { ref, value: 'Red' })
  await page.do('select', { ref, values: ['Dark green'] })
  expect(await page.evaluate('v.textContent')).toBe('Dark green')
  await page.do('fill', { ref, value: 'Green' })
  await page.do('select', { ref, values: ['Green'] })
  expect(await page.evaluate('v.textContent')).toBe('Green')
})

test('select types into a list that has no options until something is typed', async () => {
  await using page = await openCdpPage(
    `<input id=i role=combobox aria-label=City aria-expanded=false><div id=m></div><script>i.oninput = () => { m.innerHTML = i.value ? '<div role=option>' + i.value + '</div>' : ''
       for (const o of m.children) o.onclick = () => { document.title = o.textContent; m.innerHTML = '' } }</script>`,
  )
  await page.do('select', { ref: await page.ref('City'), values: ['Bern'] })
  expect(await page.evaluate('document.title')).toBe('Bern')
})

test('fill with commit fails if the page drops the text when the field is left', async () => {
  await using page = await openCdpPage(`<input id=i aria-label=Code><script>i.onblur = () => { i.value = '' }</script>`)
  const ref = await page.ref('Code')
  expect((await page.fails('fill', { ref, value: 'abc', commit: true })).code).toBe('not_committed')
  expect((await page.do('fill', { ref, value: 'abc' })).effect.value).toBe('abc')
})

test('select reports the choice that a combobox without a text field shows', async () => {
  await using page = await openCdpPage(combobox)
  expect((await page.do('select', { ref: await page.ref('Fruit'), values: ['Pear'] })).effect.value).toBe('Pear')
})
