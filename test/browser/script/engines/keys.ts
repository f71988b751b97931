import type { Scenario } from '../../../support/scenario.ts'

const form = (inside: string): string =>
  `<form onsubmit="event.preventDefault(); window.sent = (window.sent || 0) + 1">${inside}</form><script>window.sent = 0</script>`

export const keys: readonly Scenario[] = [
  {
    title: 'Enter fires keydown, keypress, change for a new value, and keyup, with keyCode 13 (X0-17 C22)',
    html: `<input id=it aria-label=Name><script>window.log = []; for (const type of ['keydown', 'keypress', 'change', 'keyup']) it.addEventListener(type, event => log.push([type, event.keyCode || event.which || 0]))</script>`,
    steps: [
      { act: 'fill', on: 'textbox "Name"', with: { value: 'Ada' } },
      { act: 'press', on: 'textbox "Name"', with: { key: 'Enter' } },
      { act: 'press', on: 'textbox "Name"', with: { key: 'Enter' } },
    ],
    expect: {
      log: [
        ['keydown', 13],
        ['keypress', 13],
        ['change', 0],
        ['keyup', 13],
        ['keydown', 13],
        ['keypress', 13],
        ['keyup', 13],
      ],
    },
  },
  {
    title: 'Enter in a field submits its form once (X0-17)',
    html: form('<input aria-label=Name><button>Send</button>'),
    steps: [{ act: 'press', on: 'textbox "Name"', with: { key: 'Enter' }, gives: { ok: true, effect: { submitted: false } } }],
    expect: { sent: 1 },
  },
  {
    title: 'Enter in the only field of a form without a button submits it (X0-17)',
    html: form('<input aria-label=Name>'),
    steps: [{ act: 'press', on: 'textbox "Name"', with: { key: 'Enter' } }],
    expect: { sent: 1 },
  },
  {
    title: 'Enter in one of two fields without a button submits nothing (X0-17)',
    html: form('<input aria-label=Name><input aria-label=Town>'),
    steps: [{ act: 'press', on: 'textbox "Name"', with: { key: 'Enter' } }],
    expect: { sent: 0 },
  },
  {
    title: 'Enter submits nothing when the default button is disabled (X0-17)',
    html: form('<input aria-label=Name><button disabled>Send</button>'),
    steps: [{ act: 'press', on: 'textbox "Name"', with: { key: 'Enter' } }],
    expect: { sent: 0 },
  },
  {
    title: 'Enter submits nothing when a script prevents it (X0-17)',
    html: form('<input aria-label=Name onkeydown="if (event.key === \'Enter\') event.preventDefault()"><button>Send</button>'),
    steps: [{ act: 'press', on: 'textbox "Name"', with: { key: 'Enter' } }],
    expect: { sent: 0 },
  },
  {
    title: 'Enter in a textarea inserts a line break',
    html: form('<textarea id=it aria-label=Note>one</textarea><button>Send</button>'),
    steps: [{ run: 'it.focus(), it.setSelectionRange(3, 3)' }, { act: 'press', on: 'textbox "Note"', with: { key: 'Enter' } }],
    expect: { sent: 0, 'it.value': 'one\n' },
  },
  {
    title: 'Enter and Space click a focused button (X0-17)',
    html: '<button onclick="window.pressed = (window.pressed || 0) + 1">Save</button>',
    steps: [
      { act: 'press', on: 'button "Save"', with: { key: 'Enter' } },
      { act: 'press', on: 'button "Save"', with: { key: 'Space' } },
    ],
    expect: { pressed: 2 },
  },
  {
    title: 'Space toggles a checkbox (X0-17)',
    html: '<input id=it type=checkbox aria-label=Terms>',
    steps: [{ act: 'press', on: 'checkbox "Terms"', with: { key: ' ' }, gives: { ok: true, effect: { checked: true } } }],
    expect: { 'it.checked': true },
  },
  {
    title: 'Tab moves the focus forward and Shift+Tab back (X0-17)',
    html: '<input id=a aria-label=A><button id=b tabindex=-1>B</button><input id=c aria-label=C disabled><a id=d href=#>D</a>',
    steps: [
      { act: 'focus', on: 'textbox "A"' },
      { page: 'pressKey', with: { key: 'Tab' } },
      { run: 'window.first = document.activeElement.id' },
      { page: 'pressKey', with: { key: 'Shift+Tab' } },
    ],
    expect: { first: 'd', 'document.activeElement.id': 'a' },
  },
  {
    title: 'Backspace, arrow keys and Control+a edit the text (S2-29)',
    html: '<input id=it aria-label=Word value=abcd>',
    steps: [
      { run: 'it.focus(), it.setSelectionRange(4, 4)' },
      { act: 'press', on: 'textbox "Word"', with: { key: 'Backspace' } },
      { act: 'press', on: 'textbox "Word"', with: { key: 'ArrowLeft' } },
      { act: 'type', on: 'textbox "Word"', with: { text: 'X' } },
      { run: 'window.once = it.value' },
      { act: 'press', on: 'textbox "Word"', with: { key: 'Control+a' } },
      { act: 'type', on: 'textbox "Word"', with: { text: 'Y' } },
    ],
    expect: { once: 'abXc', 'it.value': 'Y' },
  },
  {
    title: 'arrow keys choose an option of a native select (S2-29)',
    html: '<select id=it aria-label=Size><option>Small<option>Medium<option>Large</select>',
    steps: [{ act: 'press', on: 'combobox "Size"', with: { key: 'ArrowDown' } }],
    expect: { 'it.value': 'Medium' },
  },
  {
    title: 'an unknown key is rejected (S2-29)',
    html: '<input aria-label=Word>',
    steps: [{ act: 'press', on: 'textbox "Word"', with: { key: 'NoSuchKey' }, gives: { ok: false, error: { code: 'invalid_key' } } }],
  },
  {
    title: 'focus and blur move the focus and report it (S0-45)',
    html: '<input id=it aria-label=Word>',
    steps: [
      { keep: 'textbox "Word"', as: 'word' },
      { act: 'focus', on: 'word' },
      { run: 'window.had = document.activeElement === it' },
      { act: 'blur', on: 'word', gives: { ok: true, effect: { focus: '' } } },
    ],
    expect: { had: true, 'document.activeElement === it': false },
  },
]
