import type { Scenario } from '../../../support/scenario.ts'

export const pages: readonly Scenario[] = [
  {
    title: 'info returns title, ready state and scroll position (S0-19)',
    html: '<p>Hello',
    steps: [
      { page: 'info', gives: { ok: true, type: 'page', kind: 'info', data: { title: 'test', readyState: 'complete', scroll: { y: 0 } } } },
    ],
  },
  {
    title: 'an unknown operation fails with unsupported_page (S0-19)',
    html: '<p>Hello',
    steps: [{ page: 'fly', gives: { ok: false, type: 'page', error: { code: 'unsupported_page' } } }],
  },
  {
    title: 'scroll moves the page by the amount, 300 by default (S2-28 X2-4)',
    html: '<div style="height:5000px"></div>',
    steps: [
      { page: 'scroll', with: { direction: 'down', amount: 400 }, gives: { ok: true } },
      { run: 'window.once = scrollY' },
      { page: 'scroll', with: { direction: 'up' }, gives: { ok: true } },
      { page: 'scroll', with: { direction: 'sideways' }, gives: { ok: false } },
    ],
    expect: { once: 400, scrollY: 100 },
  },
  {
    title: 'scroll on a ref moves its scroll container (S2-28)',
    html: '<div id=it role=region tabindex=0 aria-label=List style="height:100px;overflow:auto"><div style="height:1000px"><button>Deep</button></div></div>',
    steps: [
      { keep: 'button "Deep"', as: 'deep' },
      { act: 'scroll', on: 'deep', with: { direction: 'down', amount: 150 } },
    ],
    expect: { 'it.scrollTop': 150, scrollY: 0 },
  },
  {
    title: 'scroll_into_view brings an element far below into view (S2-27)',
    html: '<div style="height:5000px"></div><button id=it>Deep</button>',
    steps: [{ act: 'scroll_into_view', on: 'button "Deep"' }],
    expect: { 'it.getBoundingClientRect().bottom <= innerHeight': true },
  },
  {
    title: 'navigate refuses URLs that run code, however they are spelled (X0-19)',
    html: '<p>Hello',
    steps: [
      ...[
        'javascript:window.bad=1',
        'java\tscript:window.bad=1',
        '\u0001javascript:window.bad=1',
        'JAVASCRIPT:window.bad=1',
        'data:text/html,x',
        'vbscript:x',
        'view-source:http://127.0.0.1/',
        'blob:http://127.0.0.1/x',
      ].map(url => ({ page: 'navigate', with: { url }, gives: { ok: false, type: 'page' } })),
      { page: 'info', gives: { ok: true } },
    ],
    expect: { 'window.bad === undefined': true },
  },
  {
    title: 'back returns to the previous page (S2-15)',
    html: '<p>First',
    files: { 'next.html': '<!doctype html><title>Next page</title><a href="#x">x</a>' },
    steps: [
      { run: 'window.before = location.href' },
      { run: 'history.replaceState(null, "", location.href)' },
      { run: 'setTimeout(() => { location.href = "next.html" })' },
      { until: 'document.title === "Next page"' },
      { page: 'back' },
      { until: 'document.title === "test"' },
    ],
  },
  {
    title: 'waitCheck checks a condition once (S0-107 X0-18)',
    html: '<p>Loading</p><button id=it disabled>Save</button>',
    steps: [
      { page: 'waitCheck', with: { text: 'Ready' }, gives: { ok: true, data: { met: false } } },
      { page: 'waitCheck', with: { textGone: 'Loading' }, gives: { ok: true, data: { met: false } } },
      { run: 'document.querySelector("p").textContent = "Ready", it.disabled = false' },
      { page: 'waitCheck', with: { text: 'Ready' }, gives: { ok: true, data: { met: true, saw: '' } } },
      { page: 'waitCheck', with: { textGone: 'Loading' }, gives: { ok: true, data: { met: true } } },
      { page: 'waitCheck', with: { selector: '#it:enabled' }, gives: { ok: true, data: { met: true } } },
      { page: 'waitCheck', with: { load: 'load' }, gives: { ok: true, data: { met: true } } },
      { page: 'waitCheck', with: { selector: '##' }, gives: { ok: false, error: { code: 'invalid_selector' } } },
      { page: 'waitCheck', gives: { ok: false, error: { code: 'invalid_wait' } } },
    ],
  },
  {
    title: 'a modal dialog blocks the page behind it, one without a backdrop does not, and Escape closes it',
    html: `<button>Behind</button><dialog id=it aria-label=Box><button>Inside</button></dialog>
      <dialog id=aside open aria-label=Aside style="top:300px"><button>Beside</button></dialog><script>it.showModal()</script>`,
    steps: [
      { sees: 'dialog "Box"' },
      { misses: 'button "Behind"' },
      { act: 'press', on: 'button "Inside"', with: { key: 'Escape' } },
      { sees: 'button "Behind"' },
      { sees: 'button "Beside"' },
      { misses: 'dialog "Box"' },
    ],
    expect: { 'it.open': false, 'aside.open': true },
  },
]
