import type { Scenario } from '../../../support/scenario.ts'

export const queries: readonly Scenario[] = [
  {
    title: 'text, attrs, value and states are read by ref (S0-49 S0-50 S2-37 S2-38)',
    html: '<button id=it class=big title=Now>Save <b>it</b></button><input aria-label=Name value=Ada><input type=checkbox checked aria-label=Terms disabled>',
    steps: [
      { query: 'text', on: 'button "Save it"', gives: { ok: true, type: 'query', kind: 'text', value: 'Save it', truncated: false } },
      { query: 'attrs', on: 'button "Save it"', gives: { ok: true, value: /"class":"big"/ } },
      { query: 'value', on: 'textbox "Name"', gives: { ok: true, value: 'Ada' } },
      { query: 'ischecked', on: 'checkbox "Terms"', gives: { ok: true, value: true } },
      { query: 'isenabled', on: 'checkbox "Terms"', gives: { ok: true, value: false } },
      { query: 'isvisible', on: 'textbox "Name"', gives: { ok: true, value: true } },
      { query: 'box', on: 'textbox "Name"', gives: { ok: true, value: /"width":\d/ } },
      { query: 'computed_styles', on: 'textbox "Name"', gives: { ok: true, value: /display/ } },
    ],
  },
  {
    title: 'markup is cut at limitChars, and at a maximum (S0-51 X0-7)',
    html: `<form aria-label=Big><button>Go</button>${'<p>word word word</p>'.repeat(10_000)}</form>`,
    steps: [
      { query: 'outerHTML', on: 'form "Big"', with: { limitChars: 50 }, gives: { ok: true, truncated: true, value: /^.{1,50}$/s } },
      { query: 'outerHTML', on: 'form "Big"', gives: { ok: true, truncated: true, value: /^.{100,4000}$/s } },
      { query: 'html', on: 'form "Big"', with: { limitChars: 1e9 }, gives: { ok: true, truncated: true, value: /^.{1000,100000}$/s } },
    ],
  },
  {
    title: 'secrets are redacted in values and markup (X0-11)',
    html: '<form aria-label=Login><input type=password aria-label=Password value=hunter2></form>',
    steps: [
      { query: 'value', on: 'textbox "Password"', gives: { ok: true, value: '[redacted]' } },
      { query: 'outerHTML', on: 'form "Login"', gives: { ok: true, value: /^(?!.*hunter2)/s } },
      { query: 'attrs', on: 'textbox "Password"', gives: { ok: true, value: /^(?!.*hunter2)/s } },
    ],
  },
  {
    title: 'a query for an unknown ref or an unknown kind is rejected (S0-74)',
    html: '<button>Save</button>',
    steps: [
      { query: 'text', on: 'e99', gives: { ok: false, type: 'query', error: { code: 'ref_not_found' } } },
      { query: 'soul', on: 'button "Save"', gives: { ok: false, type: 'query', error: { code: 'unsupported_query' } } },
    ],
  },
]
