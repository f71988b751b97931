import type { Scenario } from '../../../support/scenario.ts'

/** a page that logs the events of #it, in order */
const logging = (html: string, events: string, note = 'event.type'): string =>
  `${html}<script>window.log = []; for (const type of ${JSON.stringify(events.split(' '))}) it.addEventListener(type, event => log.push(${note}))</script>`

const clicks = 'pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu'

export const pointers: readonly Scenario[] = [
  {
    title: 'click fires the whole event sequence in order (S0-45 X0-17)',
    html: logging('<button id=it>Save</button>', clicks),
    steps: [{ act: 'click', on: 'button "Save"', gives: { ok: true, type: 'action', action: 'click', trusted: false } }],
    expect: { log: ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] },
  },
  {
    title: 'click moves the pointer first and focuses the pressed element (X0-17)',
    html: logging(
      '<button id=it>Save</button>',
      'pointerover pointerenter mouseover mouseenter pointermove mousemove mousedown focus mouseup',
    ),
    steps: [{ act: 'click', on: 'button "Save"' }],
    expect: {
      log: ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove', 'mousedown', 'focus', 'mouseup'],
      'document.activeElement.id': 'it',
    },
  },
  {
    title: 'click events have a point inside the element, its button and the click count (X0-17)',
    html: logging(
      '<button id=it style="margin:50px">Save</button>',
      'mousedown mouseup click',
      `(() => { const box = it.getBoundingClientRect(); return [event.type, event.button, event.buttons, event.detail, event.bubbles, event.composed, event.view === window, event.clientX > box.left && event.clientX < box.right && event.clientY > box.top && event.clientY < box.bottom] })()`,
    ),
    steps: [{ act: 'click', on: 'button "Save"' }],
    expect: {
      log: [
        ['mousedown', 0, 1, 1, true, true, true, true],
        ['mouseup', 0, 0, 1, true, true, true, true],
        ['click', 0, 0, 1, true, true, true, true],
      ],
    },
  },
  {
    title: 'a right click fires contextmenu instead of click (S0-45)',
    html: logging('<button id=it>Save</button>', clicks),
    steps: [{ act: 'click', on: 'button "Save"', with: { button: 'right' } }],
    expect: { 'log.includes("contextmenu")': true, 'log.includes("click")': false },
  },
  {
    title: 'click events carry the modifiers (S0-45)',
    html: logging('<button id=it>Save</button>', 'click', '[event.ctrlKey, event.shiftKey, event.altKey, event.metaKey]'),
    steps: [{ act: 'click', on: 'button "Save"', with: { modifiers: ['Control', 'Shift'] } }],
    expect: { log: [[true, true, false, false]] },
  },
  {
    title: 'dblclick fires two clicks and one dblclick with their counts (S0-106 X2-3)',
    html: logging('<button id=it>Save</button>', 'click dblclick', '[event.type, event.detail]'),
    steps: [{ act: 'dblclick', on: 'button "Save"' }],
    expect: {
      log: [
        ['click', 1],
        ['click', 2],
        ['dblclick', 2],
      ],
    },
  },
  {
    title: 'longpress holds the pointer before it releases it (S0-105)',
    html: logging('<button id=it>Save</button>', 'pointerdown pointerup'),
    steps: [{ act: 'longpress', on: 'button "Save"', with: { ms: 50 } }, { until: 'log.length === 2' }],
    expect: { log: ['pointerdown', 'pointerup'] },
  },
  {
    title: 'hover triggers mouseenter, and leaving triggers mouseleave (S2-26)',
    html: `<div id=row style="cursor:pointer">Row</div><button>Else</button><script>
      row.onmouseenter = () => row.insertAdjacentHTML('afterend', '<button id=del>Delete</button>'); row.onmouseleave = () => del.remove()</script>`,
    steps: [
      { misses: 'button "Delete"' },
      { act: 'hover', on: 'generic "Row"' },
      { sees: 'button "Delete"' },
      { act: 'hover', on: 'button "Else"' },
      { misses: 'button "Delete"' },
    ],
  },
  {
    title: 'hover shows what CSS :hover shows, and it can be clicked (S2-26)',
    html: `<style>#row button { display: none } #row:hover button { display: inline }</style><div id=row style="cursor:pointer">Row <button onclick="window.deleted = true">Delete</button></div>`,
    steps: [
      { misses: 'button "Delete"' },
      { act: 'hover', on: 'generic "Row"' },
      { sees: 'button "Delete"' },
      { act: 'click', on: 'button "Delete"' },
    ],
    expect: { deleted: true },
  },
  {
    title: 'click on a link follows it (S0-92)',
    html: '<a href="next.html">Next</a>',
    files: { 'next.html': '<!doctype html><title>Next page</title><h1>Here</h1><button>Arrived</button>' },
    steps: [{ act: 'click', on: 'link "Next"' }, { until: 'document.title === "Next page"' }, { sees: 'button "Arrived"' }],
  },
  {
    title: 'click on a link that a script handles does not navigate (S0-92)',
    html: '<a href="next.html" onclick="event.preventDefault(); window.handled = (window.handled || 0) + 1">Next</a>',
    steps: [{ act: 'click', on: 'link "Next"' }],
    expect: { handled: 1, 'document.title': 'test' },
  },
  {
    title: 'click on a submit button submits the form once, with the submitter (S0-92)',
    html: "<form onsubmit=\"event.preventDefault(); (window.sent = window.sent || []).push('submitter' in event ? event.submitter.value : 'yes')\"><input name=q><button name=go value=yes>Go</button></form>",
    steps: [{ act: 'click', on: 'button "Go"', gives: { ok: true, effect: { submitted: false } } }],
    expect: { sent: ['yes'] },
  },
  {
    title: 'click submits a form without a script to its action URL (S0-92)',
    html: '<form action="found.html"><input name=q aria-label=Search><button>Go</button></form>',
    files: { 'found.html': '<!doctype html><title>Found</title><p>Results</p>' },
    steps: [
      { act: 'fill', on: 'textbox "Search"', with: { value: 'red shoes' } },
      { act: 'click', on: 'button "Go"' },
      { until: 'document.title === "Found"' },
    ],
    expect: { 'new URLSearchParams(location.search).get("q")': 'red shoes' },
  },
  {
    title: 'click hits a link that wraps over two lines (X0-16)',
    html: '<p style="width:220px;font:16px monospace">Some words before <a href="#there">a link that needs two lines</a> and after</p>',
    steps: [{ act: 'click', on: 'link "a link that needs two lines"' }],
    expect: { 'location.hash': '#there' },
  },
  {
    title: 'click hits a free point of a target with a covered center',
    html: `<div style="position:relative"><button id=it style="width:300px;height:80px" onclick="window.hit = true">Save</button>
      <div style="position:absolute;left:100px;top:20px;width:100px;height:40px;background:#fff">in the way</div></div>`,
    steps: [{ act: 'click', on: 'button "Save"' }],
    expect: { hit: true },
  },
  {
    title: 'click scrolls a target below the viewport into view',
    html: '<div style="height:3000px"></div><button onclick="window.hit = true">Save</button>',
    steps: [{ act: 'click', on: 'button "Save"' }],
    expect: { hit: true, 'scrollY > 0': true },
  },
  {
    title: 'click reaches a target inside an open shadow root (X0-22)',
    html: `<x-box></x-box><script>customElements.define('x-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>'; this.shadowRoot.firstChild.onclick = () => { window.hit = true } } })</script>`,
    steps: [{ act: 'click', on: 'button "Inside"' }],
    expect: { hit: true },
  },
  {
    title: 'click hits the button of a web component through its slotted text (X0-22)',
    html: `<x-button>Save</x-button><script>customElements.define('x-button', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button><slot></slot></button>'; this.shadowRoot.firstChild.onclick = () => { window.hit = true } } })</script>`,
    steps: [{ act: 'click', on: 'button "Save"' }],
    expect: { hit: true },
  },
  {
    title: 'check works on a web component checkbox with pointer-events: none (X0-14)',
    html: `<x-check>Terms</x-check><script>customElements.define('x-check', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<label style="position:relative"><input type=checkbox style="position:absolute;opacity:0;pointer-events:none"><span>o</span> <slot></slot></label>'
      this.shadowRoot.querySelector('input').onchange = event => { window.terms = event.target.checked } } })</script>`,
    steps: [{ act: 'check', on: 'checkbox', gives: { ok: true, effect: { checked: true } } }],
    expect: { terms: true },
  },
  {
    title: 'click and fill work inside a same-origin frame (S0-101 X0-22)',
    html: '<iframe src="inner.html" style="width:400px;height:200px"></iframe>',
    files: {
      'inner.html':
        '<!doctype html><input aria-label=Name><button onclick="parent.hit = document.querySelector(\'input\').value">Save</button>',
    },
    steps: [
      { act: 'fill', on: 'textbox "Name"', with: { value: 'Ada' } },
      { act: 'click', on: 'button "Save"' },
    ],
    expect: { hit: 'Ada' },
  },
  {
    title: 'click reports a dialog that opens (X2-10)',
    html: '<button onclick="d.showModal()">Open</button><dialog id=d aria-label=Settings><button>Close</button></dialog>',
    steps: [{ act: 'click', on: 'button "Open"', gives: { ok: true, effect: { dialog: /./ } } }, { sees: 'button "Close"' }],
    expect: { 'd.open': true },
  },
  {
    title: 'click reports a menu that expands (X2-10)',
    html: `<button aria-expanded=false onclick="this.setAttribute('aria-expanded', 'true'); m.hidden = false">Menu</button><div id=m hidden><a href=#one>One</a></div>`,
    steps: [{ act: 'click', on: 'button "Menu"', gives: { ok: true, effect: { expanded: true } } }, { sees: 'link "One"' }],
  },
  {
    title: 'drag onto another element delivers the drag data (S0-104)',
    html: `<div id=a draggable=true style="cursor:grab;width:100px">Card</div><div id=b role=button tabindex=0 style="width:200px;height:80px">Board</div><script>
      a.ondragstart = event => event.dataTransfer.setData('text/plain', 'card 1')
      b.ondragover = event => event.preventDefault()
      b.ondrop = event => { event.preventDefault(); window.dropped = event.dataTransfer.getData('text/plain') }</script>`,
    steps: [{ act: 'drag', on: 'generic "Card"', with: { to: 'button "Board"' } }],
    expect: { dropped: 'card 1' },
  },
  {
    title: 'drag by pixels moves a handle that follows the pointer (S0-104)',
    html: `<div id=k role=slider aria-label=Volume aria-valuenow=0 tabindex=0 style="position:absolute;left:20px;top:20px;width:20px;height:20px;background:#888"></div><script>
      k.onpointerdown = down => { const start = k.offsetLeft - down.clientX
        const move = event => { k.style.left = start + event.clientX + 'px' }
        document.addEventListener('pointermove', move)
        document.addEventListener('pointerup', () => document.removeEventListener('pointermove', move), { once: true }) }</script>`,
    steps: [{ act: 'drag', on: 'slider "Volume"', with: { dx: 60, dy: 0 } }],
    expect: { 'k.offsetLeft': 80 },
  },
]
