import type { Scenario } from '../../../support/scenario.ts'

const refused = (code: string, more: object = {}) => ({ ok: false, type: 'action', error: { code, ...more } })
const saying = (html: string): string =>
  `${html}<script>window.log = []; document.addEventListener('click', () => log.push('click'), true)</script>`

export const refusals: readonly Scenario[] = [
  {
    title: 'an unknown ref fails with ref_not_found (S0-48 S0-74 S0-99)',
    html: '<button>Save</button>',
    steps: [{ act: 'click', on: 'e404', gives: { ...refused('ref_not_found'), action: 'click', ref: 'e404' } }],
  },
  {
    title: 'the ref of a removed element fails with ref_not_found and never hits its successor (S0-73 X0-1)',
    html: saying('<div id=box><button>Keep</button></div>'),
    steps: [
      { keep: 'button "Keep"', as: 'old' },
      { run: 'box.innerHTML = "<button>DELETE</button>"' },
      { sees: 'button "DELETE"' },
      { act: 'click', on: 'old', gives: refused('ref_not_found') },
    ],
    expect: { log: [] },
  },
  {
    title: 'a clone with the data-agent-ref of the original is not mistaken for it (X0-21)',
    html: saying('<button>Keep</button>'),
    steps: [
      { keep: 'button "Keep"', as: 'old' },
      { run: '(one => { one.after(one.cloneNode(true)); one.remove() })(document.querySelector("button"))' },
      { act: 'click', on: 'old', gives: refused('ref_not_found') },
    ],
    expect: { log: [] },
  },
  {
    title: 'a malformed ref fails with invalid_ref (S0-74)',
    html: '<button>Save</button>',
    steps: [{ act: 'click', on: '#9', gives: refused('invalid_ref') }],
  },
  {
    title: 'a disabled button fails with not_enabled and is not clicked (X0-13)',
    html: saying(
      '<button disabled>Save</button><fieldset disabled><button>Inner</button></fieldset><div role=button aria-disabled=true tabindex=0>Drawn</div>',
    ),
    steps: [
      { act: 'click', on: 'button "Save"', gives: refused('not_enabled') },
      { act: 'click', on: 'button "Inner"', gives: refused('not_enabled') },
      { act: 'click', on: 'button "Drawn"', gives: refused('not_enabled') },
    ],
    expect: { log: [] },
  },
  {
    title: 'a readonly field fails with not_editable and keeps its value (X0-13)',
    html: '<input id=it readonly aria-label=Code value=1>',
    steps: [{ act: 'fill', on: 'textbox "Code"', with: { value: '2' }, gives: refused('not_editable') }],
    expect: { 'it.value': '1' },
  },
  {
    title: 'a button fails with not_editable, not_a_select and not_checkable (X0-13)',
    html: saying('<button>Save</button>'),
    steps: [
      { act: 'fill', on: 'button "Save"', with: { value: 'x' }, gives: refused('not_editable') },
      { act: 'select', on: 'button "Save"', with: { values: ['x'] }, gives: refused('not_a_select') },
      { act: 'check', on: 'button "Save"', gives: refused('not_checkable') },
    ],
    expect: { log: [] },
  },
  {
    title: 'a target hidden since the snapshot fails with not_visible',
    html: saying('<button id=it>Save</button>'),
    steps: [
      { keep: 'button "Save"', as: 'save' },
      { run: 'it.style.display = "none"' },
      { act: 'click', on: 'save', gives: refused('not_visible') },
      { run: 'it.style.display = "", it.style.visibility = "hidden"' },
      { act: 'click', on: 'save', gives: refused('not_visible') },
    ],
    expect: { log: [] },
  },
  {
    title: 'a covered target fails with element_blocked and names the covering element',
    html: saying(
      '<button>Buy</button><div role=dialog aria-label="Cookies" style="position:fixed;top:0;left:0;width:100%;height:100%;background:#fff"><button>Accept all</button></div>',
    ),
    steps: [
      { run: 'document.querySelector("[role=dialog]").hidden = true' },
      { keep: 'button "Buy"', as: 'buy' },
      { run: 'document.querySelector("[role=dialog]").hidden = false' },
      { act: 'click', on: 'buy', gives: refused('element_blocked', { page: { coveredBy: 'dialog Cookies' } }) },
    ],
    expect: { log: [] },
  },
  {
    title: 'a missing option fails with option_not_found and keeps the choice (X0-12)',
    html: '<select id=it aria-label=Size><option>Small<option selected>Medium</select>',
    steps: [{ act: 'select', on: 'combobox "Size"', with: { values: ['Huge'] }, gives: refused('option_not_found') }],
    expect: { 'it.selectedIndex': 1 },
  },
  {
    title: 'a disabled option is not selected (X0-12)',
    html: '<select id=it aria-label=Size><option>Small<option disabled>Medium</select>',
    steps: [{ act: 'select', on: 'combobox "Size"', with: { values: ['Medium'] }, gives: { ok: false } }],
    expect: { 'it.selectedIndex': 0 },
  },
  {
    title: 'an unknown action fails with unsupported_action (S0-19)',
    html: '<button>Save</button>',
    steps: [{ act: 'teleport', on: 'button "Save"', gives: refused('unsupported_action') }],
  },
  {
    title: 'a missing or invalid payload is rejected before anything happens (S2-56)',
    html: '<input id=it aria-label=Name value=Ada>',
    steps: [
      { act: 'fill', on: 'textbox "Name"', gives: { ok: false } },
      { act: 'type', on: 'textbox "Name"', with: { text: 5 }, gives: { ok: false } },
      { act: 'select', on: 'textbox "Name"', with: { values: 'x' }, gives: { ok: false } },
    ],
    expect: { 'it.value': 'Ada' },
  },
]
