import type { ActionKind } from '../src/index.ts'

export interface App {
  readonly name: string
  /** file of apps/ */
  readonly entry: string
  /** the npm package whose version is shown in the table */
  readonly from: string
  readonly tasks: readonly Task[]
}

export interface Task {
  readonly what: string
  /** performed first, and not judged */
  readonly first?: readonly Step[]
  readonly steps: readonly Step[]
  /** part of the app's own state after success */
  readonly wants: object
}
/** target, action and payload */
export type Step = readonly [on: string, kind: ActionKind, payload?: object]

const add: readonly Step[] = [
  ['textbox "New todo"', 'fill', { value: 'Buy bread' }],
  ['textbox "New todo"', 'press', { key: 'Enter' }],
]
const edit: readonly Step[] = [
  ['generic "Buy bread"', 'dblclick'],
  ['textbox "Edit todo"', 'fill', { value: 'Bake bread' }],
]
const bread = (text: string, done = false) => ({ items: [{ text, done }] })

/** the todo list that test/browser/apps/apps.test.ts uses for the small frameworks */
const todo: readonly Task[] = [
  { what: 'fill, then Enter', steps: add, wants: bread('Buy bread') },
  { what: 'type, then Enter', steps: [['textbox "New todo"', 'type', { text: 'Buy bread' }], ...add.slice(1)], wants: bread('Buy bread') },
  { what: 'fill alone adds nothing', steps: add.slice(0, 1), wants: { items: [] } },
  { what: 'check', first: add, steps: [['checkbox "Done"', 'check']], wants: bread('Buy bread', true) },
  {
    what: 'uncheck',
    first: [...add, ['checkbox "Done"', 'check']],
    steps: [['checkbox "Done"', 'uncheck']],
    wants: bread('Buy bread'),
  },
  { what: 'select', steps: [['combobox "Show"', 'select', { values: ['Active'] }]], wants: { filter: 'active' } },
  {
    what: 'double-click to edit',
    first: add,
    steps: [...edit, ['textbox "Edit todo"', 'press', { key: 'Enter' }]],
    wants: bread('Bake bread'),
  },
  { what: 'blur to save', first: add, steps: [...edit, ['textbox "Edit todo"', 'blur']], wants: bread('Bake bread') },
  {
    what: 'Escape to cancel',
    first: add,
    steps: [...edit, ['textbox "Edit todo"', 'press', { key: 'Escape' }]],
    wants: bread('Buy bread'),
  },
  {
    what: 'hover to delete',
    first: add,
    steps: [
      ['generic "Buy bread"', 'hover'],
      ['button "Delete"', 'click'],
    ],
    wants: { items: [] },
  },
  { what: 'fill a field that rejects the value', steps: [['textbox "Letters"', 'fill', { value: 'a1' }]], wants: { letters: 'a1' } },
  {
    what: 'fill a field that commits on blur',
    steps: [
      ['textbox "Note"', 'fill', { value: 'Ring twice' }],
      ['textbox "Your name"', 'click'],
    ],
    wants: { note: 'Ring twice' },
  },
  {
    what: 'submit a form',
    steps: [
      ['textbox "Your name"', 'fill', { value: 'Ada' }],
      ['button "Send"', 'click'],
    ],
    wants: { sent: ['Ada'] },
  },
]

const city: Task = { what: 'fill', steps: [['textbox "City"', 'fill', { value: 'Bergen' }]], wants: { city: 'Bergen' } }
const cityTyped: Task = { what: 'type', steps: [['textbox "City"', 'type', { text: 'Bergen' }]], wants: { city: 'Bergen' } }
const terms: Task = { what: 'check', steps: [['checkbox "Terms"', 'check']], wants: { terms: true } }
const alerts: Task = { what: 'switch on', steps: [['switch "Alerts"', 'check']], wants: { alerts: true } }
const alertsOff: Task = {
  what: 'switch off',
  first: [['switch "Alerts"', 'click']],
  steps: [['switch "Alerts"', 'uncheck']],
  wants: { alerts: false },
}
/** a choice in two ways: one call, or click by click as a user makes it */
const pick = (on: string, option: string, wants: object, role = 'option'): readonly Task[] => [
  { what: 'select an option', steps: [[on, 'select', { values: [option] }]], wants },
  {
    what: 'click, then click an option',
    steps: [
      [on, 'click'],
      [`${role} "${option}"`, 'click'],
    ],
    wants,
  },
]
/** a list filtered by typing */
const search = (on: string, typed: string, option: string, wants: object): Task => ({
  what: 'type, then click an option',
  steps: [
    [on, 'type', { text: typed }],
    [`option "${option}"`, 'click'],
  ],
  wants,
})
/** a list of several choices: one, another, and one that is chosen already */
const choices = (on: string, one: object, two: object): readonly Task[] => [
  { what: 'select one of several', steps: [[on, 'select', { values: ['Comet'] }]], wants: one },
  {
    what: 'select one, then another',
    first: [[on, 'select', { values: ['Comet'] }]],
    steps: [[on, 'select', { values: ['Apollo'] }]],
    wants: two,
  },
  {
    what: 'select what is selected already',
    first: [[on, 'select', { values: ['Comet'] }]],
    steps: [[on, 'select', { values: ['Comet'] }]],
    wants: one,
  },
]
const write = (on: string): readonly Task[] => [
  { what: 'type', steps: [[on, 'type', { text: 'Hello world' }]], wants: { text: 'Hello world' } },
  { what: 'fill', steps: [[on, 'fill', { value: 'Hello world' }]], wants: { text: 'Hello world' } },
  { what: 'fill over text', first: [[on, 'fill', { value: 'old' }]], steps: [[on, 'fill', { value: 'new' }]], wants: { text: 'new' } },
  {
    what: 'type, Enter, type',
    steps: [
      [on, 'type', { text: 'one' }],
      [on, 'press', { key: 'Enter' }],
      [on, 'type', { text: 'two' }],
    ],
    wants: { text: 'one\ntwo' },
  },
]
const program = Array.from({ length: 40 }, (_, i) => `const line${i} = ${i}`).join('\n')
/** an editor renders only the visible part of a long text */
const writeCode = (on: string): readonly Task[] => [
  ...write(on),
  { what: 'fill 40 lines', steps: [[on, 'fill', { value: program }]], wants: { text: program } },
  {
    what: 'fill over 40 lines',
    first: [[on, 'fill', { value: program }]],
    steps: [[on, 'fill', { value: 'done()' }]],
    wants: { text: 'done()' },
  },
]

/** an editor whose keys go to a hidden field, and that has a text already */
const rewriteCode = (on: string): readonly Task[] => [
  { what: 'fill over text', steps: [[on, 'fill', { value: '{"port":1}' }]], wants: { text: '{"port":1}' } },
  {
    what: 'fill lines over text',
    steps: [[on, 'fill', { value: 'if (a) {\n  b()\n    c()\n}' }]],
    wants: { text: 'if (a) {\n  b()\n    c()\n}' },
  },
  { what: 'clear', steps: [[on, 'fill', { value: '' }]], wants: { text: '' } },
]

export const apps: readonly App[] = [
  { name: 'Svelte', entry: 'svelte.js', from: 'svelte', tasks: todo },
  { name: 'Solid', entry: 'solid.jsx', from: 'solid-js', tasks: todo },
  { name: 'Angular', entry: 'angular.js', from: '@angular/core', tasks: todo },
  { name: 'Alpine', entry: 'alpine.js', from: 'alpinejs', tasks: todo },
  {
    name: 'MUI',
    entry: 'mui.jsx',
    from: '@mui/material',
    tasks: [
      city,
      cityTyped,
      terms,
      alerts,
      alertsOff,
      ...pick('combobox "Size"', 'Medium', { size: 'm' }),
      search('combobox "Fruit"', 'blue', 'Blueberry', { fruit: 'Blueberry' }),
      { what: 'check a radio', steps: [['radio "Pro"', 'check']], wants: { plan: 'pro' } },
    ],
  },
  {
    name: 'Ant Design',
    entry: 'antd.jsx',
    from: 'antd',
    tasks: [
      city,
      cityTyped,
      terms,
      alerts,
      alertsOff,
      ...pick('combobox "Size"', 'Medium', { size: 'm' }, 'generic'),
      {
        what: 'fill a date',
        steps: [
          ['textbox "Day"', 'fill', { value: '2024-05-15' }],
          ['textbox "Day"', 'press', { key: 'Enter' }],
        ],
        wants: { day: '2024-05-15' },
      },
      {
        what: 'click a date',
        first: [
          ['textbox "Day"', 'click'],
          ['textbox "Day"', 'fill', { value: '2024-05-01' }],
        ],
        steps: [['cell "15"', 'click']],
        wants: { day: '2024-05-15' },
      },
    ],
  },
  {
    name: 'Ant Design 5',
    entry: 'antd5.jsx',
    from: 'antd5',
    tasks: [
      ...pick('combobox "Size"', 'Medium', { size: 'medium' }, 'generic'),
      ...choices('combobox "Projects"', { projects: ['comet'] }, { projects: ['comet', 'apollo'] }),
      ...choices('combobox "Teams"', { teams: ['comet'] }, { teams: ['comet', 'apollo'] }),
      {
        what: 'select in a filterable list',
        steps: [['combobox "City"', 'select', { values: ['City 321'] }]],
        wants: { city: 'city 321' },
      },
      {
        what: 'select below the drawn part',
        steps: [['combobox "Town"', 'select', { values: ['City 210'] }]],
        wants: { town: 'city 210' },
      },
    ],
  },
  {
    name: 'Element Plus',
    entry: 'element-plus.js',
    from: 'element-plus',
    tasks: [
      ...pick('combobox "Size"', 'Medium', { size: 'medium' }),
      ...choices('combobox "Projects"', { projects: ['comet'] }, { projects: ['comet', 'apollo'] }),
      { what: 'select in a filterable list', steps: [['combobox "City"', 'select', { values: ['City 44'] }]], wants: { city: 'city 44' } },
      {
        what: 'select below the drawn part',
        steps: [['combobox "Town"', 'select', { values: ['Town 210'] }]],
        wants: { town: 'town 210' },
      },
    ],
  },
  {
    name: 'Radix',
    entry: 'radix.jsx',
    from: 'radix-ui',
    tasks: [
      terms,
      alerts,
      alertsOff,
      ...pick('combobox "Size"', 'Medium', { size: 'medium' }),
      {
        what: 'click a menu item',
        steps: [
          ['button "Actions"', 'click'],
          ['menuitem "Archive"', 'click'],
        ],
        wants: { action: 'archive' },
      },
      {
        what: 'fill in a dialog',
        steps: [
          ['button "Rename"', 'click'],
          ['textbox "Name"', 'fill', { value: 'Report' }],
          ['button "Save"', 'click'],
        ],
        wants: { renamed: 'Report' },
      },
    ],
  },
  {
    name: 'Headless UI',
    entry: 'headlessui.jsx',
    from: '@headlessui/react',
    tasks: [
      terms,
      alerts,
      alertsOff,
      ...pick('button "Size"', 'Medium', { size: 'Medium' }),
      search('combobox "Fruit"', 'blue', 'Blueberry', { fruit: 'Blueberry' }),
    ],
  },
  {
    name: 'Shoelace',
    entry: 'shoelace.js',
    from: '@shoelace-style/shoelace',
    tasks: [city, cityTyped, terms, alerts, alertsOff, ...pick('combobox "Size"', 'Medium', { size: 'm' })],
  },
  {
    name: 'react-select',
    entry: 'react-select.jsx',
    from: 'react-select',
    tasks: [
      ...pick('combobox "Fruit"', 'Cherry', { fruit: 'cherry' }),
      search('combobox "Fruit"', 'blue', 'Blueberry', { fruit: 'blueberry' }),
      {
        what: 'select two',
        steps: [['combobox "Fruits"', 'select', { values: ['Apple', 'Cherry'] }]],
        wants: { fruits: ['apple', 'cherry'] },
      },
      {
        what: 'select one, then another',
        steps: [
          ['combobox "Fruits"', 'select', { values: ['Apple'] }],
          ['combobox "Fruits"', 'select', { values: ['Cherry'] }],
        ],
        wants: { fruits: ['apple', 'cherry'] },
      },
    ],
  },
  {
    name: 'tom-select',
    entry: 'tom-select.js',
    from: 'tom-select',
    tasks: pick('combobox "Fruit"', 'Cherry', { fruit: 'cherry' }),
  },
  { name: 'Choices', entry: 'choices.js', from: 'choices.js', tasks: pick('combobox', 'Cherry', { fruit: 'cherry' }) },
  {
    name: 'flatpickr',
    entry: 'flatpickr.js',
    from: 'flatpickr',
    tasks: [
      {
        what: 'click a date',
        steps: [
          ['textbox "Day"', 'click'],
          ['generic "May 15, 2024"', 'click'],
        ],
        wants: { day: '2024-05-15' },
      },
      { what: 'fill a date', steps: [['textbox "Day"', 'fill', { value: '2024-05-15' }]], wants: { day: '2024-05-15' } },
    ],
  },
  { name: 'Quill', entry: 'quill.js', from: 'quill', tasks: write('generic') },
  { name: 'ProseMirror', entry: 'prosemirror.js', from: 'prosemirror-view', tasks: write('generic') },
  { name: 'CodeMirror', entry: 'codemirror.js', from: 'codemirror', tasks: writeCode('textbox') },
  { name: 'CodeMirror 5', entry: 'codemirror5.js', from: 'codemirror5', tasks: rewriteCode('generic') },
  { name: 'Ace', entry: 'ace.js', from: 'ace-builds', tasks: rewriteCode('generic') },
  { name: 'Monaco 0.50', entry: 'monaco50.js', from: 'monaco-editor-50', tasks: rewriteCode('textbox') },
  { name: 'Monaco', entry: 'monaco.js', from: 'monaco-editor', tasks: writeCode('textbox "Editor content"') },
  { name: 'Slate', entry: 'slate.jsx', from: 'slate-react', tasks: write('textbox "Text"') },
]
