import { expect, test } from 'vitest'
import type { NodeStates } from '../../../src/index.ts'
import { findNode, nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

const cases: [string, string, NodeStates][] = [
  ['checked', '<input type=checkbox checked>', { checked: true }],
  ['unchecked', '<input type=radio>', { checked: false }],
  ['mixed', '<div role=checkbox tabindex=0 aria-checked=mixed>m</div>', { checked: 'mixed' }],
  ['a switch that is on', '<button role=switch aria-checked=true>s</button>', { checked: true }],
  ['selected', '<button role=tab aria-selected=true>t</button>', { selected: true }],
  ['expanded', '<button aria-expanded=true>m</button>', { expanded: true }],
  ['collapsed', '<details><summary>More</summary>text</details>', { expanded: false }],
  ['open details', '<details open><summary>More</summary>text</details>', { expanded: true }],
  ['pressed', '<button aria-pressed=true>b</button>', { pressed: true }],
  ['pressed without a role', '<div aria-pressed=true style="cursor:pointer">Bold</div>', { pressed: true }],
  ['not pressed without a role', '<span aria-pressed=false class="tool active" onclick=1>Bold</span>', { pressed: false }],
  ['disabled', '<button disabled>b</button>', { disabled: true }],
  ['disabled by its fieldset', '<fieldset disabled><legend>l</legend><button>b</button></fieldset>', { disabled: true }],
  ['disabled by an ancestor with aria-disabled', '<div aria-disabled=true><a href=#>l</a></div>', { disabled: true }],
  ['readonly', '<input readonly>', { readonly: true }],
  ['required', '<select required><option>a</select>', { required: true, options: 1 }],
  ['invalid', '<input aria-invalid=true>', { invalid: true }],
  ['current', '<a href=# aria-current=page>here</a>', { current: 'page' }],
  ['with a popup', '<button aria-haspopup=true>m</button>', { haspopup: 'menu' }],
  ['with a numeric range', '<input type=range min=0 max=10 value=3>', { range: '3 of 0..10' }],
  ['with a value text', '<div role=slider tabindex=0 aria-valuetext="Medium">x</div>', { range: 'Medium' }],
  ['editable', '<div contenteditable>Note</div>', { editable: true }],
  ['multiple-choice', '<select multiple><option selected>a<option>b</select>', { multiple: true, options: 2 }],
]

test.each(cases)('the state of a control is reported: %s (X0-9)', async (_, html, states) => {
  await using page = await openScriptPage(html)
  const control = nodes(await page.snapshot()).find(node => node.interactive)
  expect(control?.states).toEqual(states)
})

test('a heading has its level', async () => {
  await using page = await openScriptPage('<h3>Three</h3><div role=heading aria-level=5>Five</div>')
  expect(nodes(await page.snapshot()).map(node => node.states?.level)).toEqual([3, 5])
})

test('a field has its current value, not the one in the markup (X0-8 S0-89)', async () => {
  await using page = await openScriptPage(
    '<input id=i value=a><textarea id=t>b</textarea><div id=d contenteditable>c</div><input type=date value=2026-01-02>',
  )
  await page.evaluate('i.value = "A"; t.value = "B"; d.textContent = "C"')
  expect(nodes(await page.snapshot()).map(node => node.value)).toEqual(['A', 'B', 'C', '2026-01-02'])
})

test('a select with up to ten options lists them, each with a ref (S1-44 X0-12)', async () => {
  await using page = await openScriptPage(
    `<div style="height:3000px"></div><label>Size <select><option value=s>Small<option value=m selected>Medium<option hidden>None
      <optgroup label=Big><option>XL</optgroup></select></label><select autocomplete=cc-exp-month><option>SENTINEL</select>`,
  )
  const select = findNode(await page.snapshot(), { role: 'combobox', name: 'Size' })
  expect(select).toMatchObject({ value: 'Medium', states: { options: 4 } })
  expect(select.children.map(({ name, ref, offset: off, states }) => [name, ref, off === select.offset, states?.selected])).toEqual([
    ['Small', 'e2', true, false],
    ['Medium', 'e3', true, true],
    ['XL', 'e4', true, false],
  ])
  expect(JSON.stringify(await page.snapshot())).not.toContain('SENTINEL')
})

test('a longer select shows the chosen option and the count, and lists all options when it is the scope (X0-12)', async () => {
  const many = Array.from({ length: 8 }, (_, i) => `<option>${i}`).join('')
  await using page = await openScriptPage(
    `<label>Size <select><option value=s>Small<option value=m selected>Medium<optgroup label=Big><option>XL</optgroup>${many}</select></label>`,
  )
  const select = findNode(await page.snapshot(), { role: 'combobox' })
  expect(select).toMatchObject({ name: 'Size', value: 'Medium', states: { options: 11 }, children: [] })
  const options = await page.snapshot({ scope: select.ref ?? '' })
  expect(options.tree).toMatchObject({ role: 'combobox', name: 'Size', ref: select.ref })
  expect(
    nodes(options)
      .filter(node => node.role === 'option')
      .slice(0, 3)
      .map(node => [node.name, node.states?.selected]),
  ).toEqual([
    ['Small', false],
    ['Medium', true],
    ['XL', false],
  ])
})

test('a label around or beside an input names it (X0-10)', async () => {
  await using page = await openScriptPage('<label>Mail <input type=email></label><label for=b>Phone</label><input id=b type=tel>')
  expect(roleNames(await page.snapshot())).toEqual(['textbox Mail', 'textbox Phone'])
})

test('the focused element is marked, even inside a shadow root', async () => {
  await using page = await openScriptPage(
    '<input id=a><div id=h></div><script>h.attachShadow({mode:"open"}).innerHTML="<input id=b>"; h.shadowRoot.getElementById("b").focus()</script>',
  )
  expect(nodes(await page.snapshot()).map(node => node.states?.focused)).toEqual([undefined, true])
})

test('hr is a separator, not a heading (X0-15)', async () => {
  await using page = await openScriptPage('<hr><h2>x</h2>')
  expect(nodes(await page.snapshot({ interactiveOnly: false })).map(node => node.role)).toEqual(['separator', 'heading'])
})

const drawnControl = (choice: string, input: string) =>
  `<div style="border:1px solid #ccc;display:flex;min-height:38px"><div style="display:grid;flex:1">${choice}<div style="display:inline-grid;grid-area:1/1/2/3">
    <input role=combobox ${input} style="border:0;background:0;width:100%"></div></div><button aria-label="Open list">v</button></div>`

test('a combobox shows the choice that its widget draws: beside its empty input, or as its content', async () => {
  await using page = await openScriptPage(
    `<div style="height:3000px">Shop</div>
    ${drawnControl('<div style="grid-area:1/1/2/3">Chocolate</div>', 'aria-label=Flavor')}
    ${drawnControl('<div id=hint style="grid-area:1/1/2/3">Choose…</div>', 'aria-label=Empty aria-describedby=hint')}
    ${drawnControl('<div style="grid-area:1/1/2/3">Chocolate</div>', 'aria-label=Typed value=van')}
    <div style="border:1px solid;display:flex"><div role=combobox tabindex=0 aria-label=Age>Ten</div></div>
    <button role=combobox aria-label=Food><span>Apple</span></button>
    <fieldset><legend>Other</legend>Not a choice <input role=combobox aria-label=Plain></fieldset>
    <div style="border:1px solid">Not a choice <input aria-label=First><input role=combobox aria-label=Second style="border:0;background:0"></div>`,
  )
  const shown = nodes(await page.snapshot()).filter(({ role }) => role === 'combobox')
  expect(shown.map(({ name, value, text }) => [name, value ?? '', text ?? ''])).toEqual([
    ['Flavor', 'Chocolate', ''],
    ['Empty', '', ''],
    ['Typed', 'van', ''],
    ['Age', 'Ten', ''],
    ['Food', 'Apple', ''],
    ['Plain', '', ''],
    ['Second', '', ''],
  ])
})

test('a field that is the scope shows its own value', async () => {
  await using page = await openScriptPage(
    '<input aria-label=City value=Graz><textarea aria-label=Note>one</textarea><select aria-label=Size><option>S<option selected>M</select><input aria-label=PIN type=password value=SENTINEL>',
  )
  await page.evaluate('document.querySelector("textarea").value = "two"')
  const shownValue = async (scope: string) => (await page.snapshot({ scope })).tree.value
  expect([
    await shownValue('input'),
    await shownValue('textarea'),
    await shownValue('select'),
    await shownValue('[type=password]'),
  ]).toEqual(['Graz', 'two', 'M', '[redacted]'])
})

test('a drawn switch has its role, its state and the source of the state (S0-30)', async () => {
  await using page = await openScriptPage(`<style>.switch,.tab,.check-box{cursor:pointer;width:40px;height:20px}</style>
    <div><span>Dark mode</span><div class="switch on"></div></div><div><span>Sounds</span><div class=switch data-state=checked></div></div>
    <div><span>Beta</span><div class=switch data-state=unchecked></div></div><div><span>Terms</span><div class="check-box is-checked"></div></div>
    <div class="tab active">Orders</div><div class=tab>Notes</div>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(({ role, hint, text, states }) => [role, hint?.text ?? text, states])).toEqual([
    ['switch', 'Dark mode', { checked: true, stateFrom: 'class' }],
    ['switch', 'Sounds', { checked: true, stateFrom: 'data-state' }],
    ['switch', 'Beta', { checked: false, stateFrom: 'data-state' }],
    ['checkbox', 'Terms', { checked: true, stateFrom: 'class' }],
    ['generic', 'Orders', { selected: true, stateFrom: 'class' }],
    ['generic', 'Notes', undefined],
  ])
  expect(await page.text()).toContain('- item: "Dark mode"\n  - switch [checked] [stateFrom=class]')
})

const classesOfNoSwitch = [
  ...['dropdown-toggle', 'switcher', 'radio-group', 'btn-outline', 'toggle', 'switch', 'menu-item switch-account', 'radio-player'],
  ...['language-switch', 'Switch_link__x1', 'toggle-button', 'checkbox-label', 'hover:switch', 'radio-station-card', 'switch-to-mobile'],
]

test.each(classesOfNoSwitch)('class %s makes no drawn switch, checkbox or radio button of an element with words', async name => {
  await using page = await openScriptPage(`<div class="${name}" onclick=1>Open</div>`)
  expect(nodes(await page.snapshot()).find(node => node.interactive)).toMatchObject({ role: 'generic', text: 'Open' })
})

const drawnControls: [string, string, NodeStates][] = [
  ['class=knob data-state=unchecked', 'switch', { checked: false, stateFrom: 'data-state' }],
  ['class=knob data-state=on', 'switch', { checked: true, stateFrom: 'data-state' }],
  ['class=knob data-state=off', 'switch', { checked: false, stateFrom: 'data-state' }],
  ['data-state=true', 'switch', { checked: true, stateFrom: 'data-state' }],
  ['data-checked=false', 'switch', { checked: false, stateFrom: 'data-state' }],
  ['data-checked', 'switch', { checked: true, stateFrom: 'data-state' }],
  ['class=row data-state=open', 'generic', { expanded: true, stateFrom: 'data-state' }],
  ['class=row data-state=closed', 'generic', { expanded: false, stateFrom: 'data-state' }],
  ['class=row data-state=active', 'generic', { selected: true, stateFrom: 'data-state' }],
  ['class="switch on" data-state=loading', 'switch', { checked: true, stateFrom: 'class' }],
  ['class="Switch_root__x1 Switch_checked__y2"', 'switch', { checked: true, stateFrom: 'class' }],
  ['class="Switch_root__AbcDe"', 'switch', { checked: false, stateFrom: 'class' }],
  ['class="_checkbox_1ab2c_5 _checked_1ab2c_9"', 'checkbox', { checked: true, stateFrom: 'class' }],
  ['class="Form__radio___3XyZa Form__selected___9aBcD"', 'radio', { checked: true, stateFrom: 'class' }],
  ['class="css-1x2 MuiSwitch-root Mui-checked"', 'switch', { checked: true, stateFrom: 'class' }],
  ['class="MuiCheckbox-root MuiCheckbox-sizeSmall"', 'checkbox', { checked: false, stateFrom: 'class' }],
  ['class="ant-switch ant-switch-checked"', 'switch', { checked: true, stateFrom: 'class' }],
  ['class="van-switch van-switch--on"', 'switch', { checked: true, stateFrom: 'class' }],
  ['class="react-toggle react-toggle--checked"', 'switch', { checked: true, stateFrom: 'class' }],
  ['class="toggle-switch__slider"', 'switch', { checked: false, stateFrom: 'class' }],
]

test.each(drawnControls)('an element without words is a drawn control: <div %s>', async (attributes, role, states) => {
  await using page = await openScriptPage(`<div ${attributes} style="cursor:pointer;width:40px;height:20px"></div>`)
  const { role: shown, states: shownStates } = nodes(await page.snapshot()).find(node => node.interactive) ?? {}
  expect([shown, shownStates]).toEqual([role, states])
})

test('a drawn checkbox has its label or its box inside, a drawn switch only the words of its positions', async () => {
  await using page = await openScriptPage(`<style>div{cursor:pointer;min-height:20px}</style>
    <div class="radio-button selected">Express</div><div class=el-checkbox><span class="el-checkbox__box is-checked"></span>Gift</div>
    <div class="switch on"><i>ON</i><i>OFF</i></div><div data-state=checked>Newsletter</div><div class=switch aria-checked=true></div>
    <div class="nav-switch active">Orders</div>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(({ role, states }) => [role, states])).toEqual([
    ['radio', { checked: true, stateFrom: 'class' }],
    ['checkbox', { checked: true, stateFrom: 'class' }],
    ['switch', { checked: true, stateFrom: 'class' }],
    ['checkbox', { checked: true, stateFrom: 'data-state' }],
    ['switch', { checked: true }],
    ['generic', { selected: true, stateFrom: 'class' }],
  ])
})

test('what a class shows as selected is so on list items, cells, paragraphs and rows, and around controls', async () => {
  await using page = await openScriptPage(`<ul><li class=active onclick=1>Overview</li><li onclick=1>Orders</li></ul>
    <table><tr><td class="day selected" onclick=1>10<td onclick=1>11<tr class=is-selected onclick=1><td>Ada<td>Rome</table>
    <p class=active onclick=1>Inbox</p><div class="row row_selected" onclick=1>Order 1 <i onclick=1>☐</i></div>
    <div class="row checkbox" onclick=1>Order 2 <i onclick=1>☐</i></div>`)
  const selected = nodes(await page.snapshot()).filter(node => node.states?.selected)
  expect(selected.map(({ role, name, text }) => [role, name || text])).toEqual([
    ['listitem', 'Overview'],
    ['cell', '10'],
    ['row', 'Ada | Rome'],
    ['paragraph', 'Inbox'],
    ['generic', 'Order 1'],
  ])
  expect(nodes(await page.snapshot()).some(({ role }) => /checkbox|switch/.test(role))).toBe(false)
})

const classesOfNoState = [
  ...['not-selected', 'un-checked', 'is-not-active', 'non-active', 'notSelected', 'de-selected', 'has-active', 'unselected'],
  ...['add-on', 'addOn', 'carry-on', 'sign-on', 'always-on', 'drag-enabled', 'hover-enabled', 'js-enabled', 'enabled'],
]

test.each(classesOfNoState)('class %s shows nothing as selected or checked', async name => {
  await using page = await openScriptPage(
    `<div class="option ${name}" onclick=1>Green</div><div class="checkbox ${name}" onclick=1>News</div>`,
  )
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  const isOn = ({ states }: (typeof found)[number]) => !!(states?.selected || states?.checked)
  // a checkbox may be called enabled if it is checked
  expect(found.map(isOn)).toEqual([false, name === 'enabled'])
})

const onClasses = ['on', 'is-on', 'toggle-on', 'is-active', 'tab--selected', 'chosen', 'nav_current']

test.each(onClasses)('class %s shows an element as selected', async name => {
  await using page = await openScriptPage(`<div class="${name}" onclick=1>Green</div>`)
  expect(nodes(await page.snapshot())[0]?.states).toEqual({ selected: true, stateFrom: 'class' })
})

test('attributes of custom elements and plain elements show a state', async () => {
  await using page = await openScriptPage(`<style>x-switch{display:inline-block;width:36px;height:20px}</style>
    <x-switch checked onclick=1></x-switch><x-switch onclick=1></x-switch><div data-active=true onclick=1>Tab 1</div>
    <div data-active=false onclick=1>Tab 2</div><div data-selected onclick=1>Tab 3</div>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(({ role, states }) => [role, states])).toEqual([
    ['switch', { checked: true, stateFrom: 'attribute' }],
    ['switch', { checked: false, stateFrom: 'class' }],
    ['generic', { selected: true, stateFrom: 'attribute' }],
    ['generic', undefined],
    ['generic', { selected: true, stateFrom: 'attribute' }],
  ])
})

const shortClasses = ['sel', 't--cur', 'pressed', 'highlighted']

test.each(shortClasses)('class %s shows an element as selected beside one that is like it without the class', async name => {
  await using page = await openScriptPage(`<div><div class=t onclick=1>A</div><div class="t ${name}" onclick=1>B</div></div>
    <div><p>Flight</p><div class="t ${name}" onclick=1>Choose</div></div>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(({ text, states }) => [text, !!states?.selected])).toEqual([
    ['A', false],
    ['B', true],
    ['Choose', false],
  ])
})
