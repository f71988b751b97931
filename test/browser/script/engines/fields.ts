import type { Scenario } from '../../../support/scenario.ts'

/** a field that logs its events and its value at that time */
const field = (html: string): string =>
  `${html}<button id=else onclick="log.push('click else')">Else</button><script>window.log = []; const it = document.getElementById('it')
  for (const type of ['focus', 'input', 'change', 'blur']) it.addEventListener(type, () => log.push(type + ' ' + it.value))</script>`

export const fields: readonly Scenario[] = [
  {
    title: 'fill fires focus and input, and change when the next action leaves the field (S0-46 C22)',
    html: field('<input id=it aria-label=Name>'),
    steps: [
      { act: 'fill', on: 'textbox "Name"', with: { value: 'Ada' }, gives: { ok: true, effect: { value: 'Ada' } } },
      { act: 'click', on: 'button "Else"' },
    ],
    expect: { log: ['focus ', 'input Ada', 'change Ada', 'blur Ada', 'click else'] },
  },
  {
    title: 'fill with commit fires change at once, and not again on blur (C22)',
    html: field('<input id=it aria-label=Name>'),
    steps: [
      { act: 'fill', on: 'textbox "Name"', with: { value: 'Ada', commit: true } },
      { act: 'click', on: 'button "Else"' },
    ],
    expect: { log: ['focus ', 'input Ada', 'change Ada', 'blur Ada', 'click else'] },
  },
  {
    title: 'fill with an empty value clears the field, as clear does (X2-2)',
    html: '<input aria-label=A value=one><input aria-label=B value=two>',
    steps: [
      { act: 'fill', on: 'textbox "A"', with: { value: '' }, gives: { ok: true, effect: { value: '' } } },
      { act: 'clear', on: 'textbox "B"', gives: { ok: true, effect: { value: '' } } },
    ],
    expect: { '[...document.querySelectorAll("input")].map(each => each.value)': ['', ''] },
  },
  {
    title: 'fill keeps spaces and line breaks (X2-2)',
    html: '<input aria-label=A><textarea aria-label=B></textarea>',
    steps: [
      { act: 'fill', on: 'textbox "A"', with: { value: '  two  ' } },
      { act: 'fill', on: 'textbox "B"', with: { value: 'one\n\ntwo "\u2028</script>' } },
    ],
    expect: {
      'document.querySelector("input").value': '  two  ',
      'document.querySelector("textarea").value': 'one\n\ntwo "\u2028</script>',
    },
  },
  {
    title: 'fill commits a range input at once (C22)',
    html: `<input type=date aria-label=Day><input type=color aria-label=Ink><input type=range min=0 max=10 aria-label=Loud>
      <script>window.log = []; document.onchange = event => log.push(event.target.type + ' ' + event.target.value)</script>`,
    steps: [
      { run: 'window.fields = [...document.querySelectorAll("input")].map(each => each.type)' },
      { act: 'fill', on: 'slider "Loud"', with: { value: '7' } },
    ],
    expect: { log: ['range 7'] },
  },
  {
    title: 'fill with a value that the field cannot hold fails with not_committed (X0-13)',
    html: '<input type=number aria-label=Count value=3>',
    steps: [{ act: 'fill', on: 'spinbutton "Count"', with: { value: 'many' }, gives: { ok: false, error: { code: 'not_committed' } } }],
  },
  {
    title: 'fill fails with not_committed when the page restores the old value (X0-13)',
    html: '<input id=it aria-label=Name value=Ada oninput="it.value = \'Ada\'">',
    steps: [{ act: 'fill', on: 'textbox "Name"', with: { value: 'Grace' }, gives: { ok: false, error: { code: 'not_committed' } } }],
    expect: { 'it.value': 'Ada' },
  },
  {
    title: 'type inserts at the caret (X0-25)',
    html: '<input id=it aria-label=Word value=ad>',
    steps: [
      { run: 'it.focus(), it.setSelectionRange(1, 1)' },
      { act: 'type', on: 'textbox "Word"', with: { text: 'bc' }, gives: { ok: true, effect: { value: 'abcd' } } },
    ],
    expect: { 'it.value': 'abcd', 'it.selectionStart': 3 },
  },
  {
    title: 'type replaces the selection (X0-25)',
    html: '<input id=it aria-label=Word value="one two three">',
    steps: [{ run: 'it.focus(), it.setSelectionRange(4, 7)' }, { act: 'type', on: 'textbox "Word"', with: { text: '2' } }],
    expect: { 'it.value': 'one 2 three' },
  },
  {
    title: 'type fires keydown, keypress, input and keyup, and inserts a character without a key as an IME does (X0-17 X0-25)',
    html: `<input id=it aria-label=Word><script>window.log = []; for (const type of ['keydown', 'keypress', 'input', 'keyup']) it.addEventListener(type, event => log.push(type + ' ' + (event.key || event.data)))</script>`,
    steps: [{ act: 'type', on: 'textbox "Word"', with: { text: 'a🍵' } }],
    expect: { log: ['keydown a', 'keypress a', 'input a', 'keyup a', 'input 🍵'], 'it.value': 'a🍵' },
  },
  {
    title: 'type fails with not_committed in a field that swallows the keys (X0-13)',
    html: '<input id=it aria-label=Digits onkeydown="if (!/\\d/.test(event.key)) event.preventDefault()">',
    steps: [
      { act: 'type', on: 'textbox "Digits"', with: { text: '12' }, gives: { ok: true, effect: { value: '12' } } },
      { act: 'type', on: 'textbox "Digits"', with: { text: 'x' }, gives: { ok: false, error: { code: 'not_committed' } } },
    ],
    expect: { 'it.value': '12' },
  },
  {
    title: 'fill and type work in a contenteditable element (S0-46)',
    html: '<div id=it contenteditable role=textbox aria-label=Text>old</div>',
    steps: [
      { act: 'fill', on: 'textbox "Text"', with: { value: 'new' }, gives: { ok: true, effect: { value: 'new' } } },
      { act: 'type', on: 'textbox "Text"', with: { text: ' words' } },
    ],
    expect: { 'it.textContent.replace("\u00a0", " ")': 'new words' },
  },
  {
    title: 'fill fires beforeinput first, so that an editor with its own model can take over (S0-46)',
    html: `<div id=it contenteditable role=textbox aria-label=Text></div><script>window.kept = ''
      it.addEventListener('beforeinput', event => { event.preventDefault(); kept += event.data; Promise.resolve().then(() => { it.textContent = kept }) })</script>`,
    steps: [
      { act: 'fill', on: 'textbox "Text"', with: { value: 'Hello' } },
      { until: 'it.textContent === "Hello"' },
      { page: 'settled', gives: { ok: true, data: { committed: true } } },
    ],
    expect: { kept: 'Hello' },
  },
  {
    title: 'fill and type are not committed in an editor that ignores synthetic input (X0-13)',
    html: '<div id=it contenteditable role=textbox aria-label=Text></div><script>it.addEventListener("beforeinput", event => event.preventDefault())</script>',
    steps: [
      { act: 'type', on: 'textbox "Text"', with: { text: 'Hello' }, gives: { ok: true, unconfirmed: true } },
      { page: 'settled', gives: { ok: true, data: { committed: false } } },
      { act: 'fill', on: 'textbox "Text"', with: { value: 'Hello' }, gives: { ok: true, unconfirmed: true } },
      { page: 'settled', gives: { ok: true, data: { committed: false } } },
    ],
    expect: { 'it.textContent': '' },
  },
  {
    title: 'fill redacts a password in its answer (X0-11)',
    html: '<input id=it type=password aria-label=Password>',
    steps: [{ act: 'fill', on: 'textbox "Password"', with: { value: 'hunter2' }, gives: { ok: true, effect: { value: '[redacted]' } } }],
    expect: { 'it.value': 'hunter2' },
  },
  {
    title: 'select chooses an option by text or value and fires input and change (S0-94 X0-12)',
    html: `<select id=it aria-label=Size><option value=s>Small<option value=m>Medium<option value=l>Large</select><script>window.log = []; it.oninput = it.onchange = event => log.push(event.type + ' ' + it.value)</script>`,
    steps: [
      { act: 'select', on: 'combobox "Size"', with: { values: ['Medium'] }, gives: { ok: true, effect: { selected: ['Medium'] } } },
      { act: 'select', on: 'combobox "Size"', with: { values: ['l'] }, gives: { ok: true, effect: { selected: ['Large'] } } },
    ],
    expect: { log: ['input m', 'change m', 'input l', 'change l'] },
  },
  {
    title: 'select chooses several options and deselects the others (S0-94)',
    html: '<select id=it multiple aria-label=Sizes><option selected>Small<option>Medium<option>Large</select>',
    steps: [
      {
        act: 'select',
        on: 'listbox "Sizes"',
        with: { values: ['Medium', 'Large'] },
        gives: { ok: true, effect: { selected: ['Medium', 'Large'] } },
      },
    ],
    expect: { '[...it.selectedOptions].map(each => each.text)': ['Medium', 'Large'] },
  },
  {
    title: 'select chooses an option of a custom listbox by its text (S0-94)',
    html: `<div role=listbox aria-label=Size tabindex=0><div role=option aria-selected=false>Small</div><div role=option aria-selected=false>Large</div></div><script>
      for (const each of document.querySelectorAll('[role=option]')) each.onclick = () => { for (const other of document.querySelectorAll('[role=option]')) other.setAttribute('aria-selected', String(other === each)) }</script>`,
    steps: [
      { act: 'select', on: 'listbox "Size"', with: { values: ['Large'] } },
      { page: 'settled', gives: { ok: true, data: { committed: true } } },
    ],
    expect: { '[...document.querySelectorAll("[role=option]")].map(each => each.getAttribute("aria-selected"))': ['false', 'true'] },
  },
  {
    title: 'select clicks the visible counterpart of options that only assistive technology sees (S0-94)',
    html: `<div role=combobox tabindex=0 aria-label=Size aria-expanded=true aria-controls=list id=it>Pick</div><div><div id=list role=listbox style="width:0;height:0;overflow:hidden"><div role=option aria-selected=false aria-label=Medium>m</div></div>
      <div><div class=seen>Small</div><div class=seen>Medium</div><div class=seen>Large</div></div></div><script>
      for (const each of document.querySelectorAll('.seen')) each.onclick = () => { window.size = it.textContent = each.textContent; it.setAttribute('aria-expanded', 'false') }</script>`,
    steps: [
      { act: 'select', on: 'combobox "Size"', with: { values: ['Huge'] }, gives: { ok: false, error: { code: 'option_not_found' } } },
      { act: 'select', on: 'combobox "Size"', with: { values: ['Large'] } },
      { page: 'settled', gives: { ok: true, data: { committed: true } } },
    ],
    expect: { size: 'Large' },
  },
  {
    title: 'check and uncheck click only when the state changes (S2-24 S2-25)',
    html: '<label><input id=it type=checkbox onclick="window.clicks = (window.clicks || 0) + 1"> Terms</label>',
    steps: [
      { act: 'check', on: 'checkbox "Terms"', gives: { ok: true, effect: { checked: true } } },
      { act: 'check', on: 'checkbox "Terms"', gives: { ok: true, effect: { checked: true } } },
      { act: 'uncheck', on: 'checkbox "Terms"', gives: { ok: true, effect: { checked: false } } },
    ],
    expect: { clicks: 2, 'it.checked': false },
  },
  {
    title: 'check toggles a custom switch through its own script (S2-24)',
    html: `<div id=it role=switch aria-checked=false aria-label=Alerts tabindex=0 onclick="this.setAttribute('aria-checked', String(this.getAttribute('aria-checked') !== 'true'))">o</div>`,
    steps: [{ act: 'check', on: 'switch "Alerts"', gives: { ok: true, effect: { checked: true } } }],
    expect: { 'it.getAttribute("aria-checked")': 'true' },
  },
  {
    title: 'check selects a radio and deselects the others of its group (S2-24)',
    html: '<label><input type=radio name=p id=a checked> Free</label><label><input type=radio name=p id=b> Pro</label>',
    steps: [
      { act: 'check', on: 'radio "Pro"', gives: { ok: true, effect: { checked: true } } },
      { act: 'uncheck', on: 'radio "Pro"', gives: { ok: false, error: { code: 'not_uncheckable' } } },
    ],
    expect: { '[a.checked, b.checked]': [false, true] },
  },
  {
    title: 'upload sets the files of a file input (S0-102)',
    html: '<input id=it type=file aria-label=Photo onchange="window.changed = it.files[0].size">',
    steps: [
      {
        act: 'upload',
        on: 'button "Photo"',
        with: { files: [{ name: 'a.txt', type: 'text/plain', base64: 'aGVsbG8=' }] },
        gives: { ok: true, effect: { files: ['a.txt'] } },
      },
    ],
    expect: { 'it.files[0].name': 'a.txt', changed: 5 },
  },
]
