import { expect, test } from 'vitest'
import { invoiceTable } from '../../agent/sites/lists.ts'
import { openSite } from '../../agent/sites/site.ts'
import { type CdpPage, openCdpPage } from '../../support/cdp-page.ts'
import { openTestSession } from '../../support/test-session.ts'

/** name, text or hint of every control, in document order */
const controls = async (page: CdpPage) =>
  (await page.nodes()).filter(node => node.interactive).map(node => node.name || node.text || node.hint?.text)

test('an element with a listener has a ref, without a role and without a cursor (S0-28)', async () => {
  await using page = await openCdpPage(`<div id=a>Own listener</div><div id=b>Property</div><div>Plain</div>
    <script>a.addEventListener('pointerdown', () => {}); b.onclick = () => {}</script>`)
  expect(await controls(page)).toEqual(['Own listener', 'Property'])
})

test('listeners that are added and removed later are known to the next snapshot', async () => {
  await using page = await openCdpPage(
    '<div id=a>One</div><div id=b>Two</div><script>f = () => {}; a.addEventListener("click", f)</script>',
  )
  expect(await controls(page)).toEqual(['One'])
  await page.evaluate('a.removeEventListener("click", f), b.addEventListener("click", f), 0')
  expect(await controls(page)).toEqual(['Two'])
})

test('parts of a row with their own handlers have refs, and a row that only shows the cursor has none', async () => {
  await using page = await openCdpPage(`<style>.row{cursor:pointer;display:flex}.row div{width:100px;height:30px}</style>
    <div class=row><div class=avatar title="Profile of Ann"></div><div class=content>Ann | See you</div></div>
    <div class=row id=whole><div>Reacts as a whole</div></div>
    <script>for (const part of document.querySelectorAll('.avatar,.content')) part.addEventListener('click', () => {})
    whole.addEventListener('click', () => {})</script>`)
  expect(await controls(page)).toEqual(['Profile of Ann', 'Ann | See you', 'Reacts as a whole'])
})

test('a container that listens for what is inside it has no ref, and the elements with a cursor in it have', async () => {
  await using page =
    await openCdpPage(`<style>.cell{cursor:pointer}</style><div id=grid><div class=cell>One</div><div class=cell>Two</div></div>
    <script>grid.addEventListener('click', () => {})</script>`)
  expect(await controls(page)).toEqual(['One', 'Two'])
})

test('a card with a pointer cursor has no ref if no handler of the page can react to it', async () => {
  const card = '<style>.card{cursor:pointer}</style><div class=card><p>A useful thing</p><span id=add>Add</span></div>'
  await using page = await openCdpPage(`${card}<script>add.addEventListener('click', () => {})</script>`)
  expect(await controls(page)).toEqual(['Add'])
  await page.evaluate(
    'document.body.prepend(Object.assign(document.createElement("i"), { className: "card", textContent: "Leaf" })), document.addEventListener("click", () => {}), 0',
  )
  // a listener on the document may serve anything, but hardly an element whose parts have handlers
  expect(await controls(page)).toEqual(['Leaf', 'Add'])
})

test('listeners in shadow roots and frames count', async () => {
  await using page =
    await openCdpPage(`<x-a></x-a><iframe srcdoc="<div id=d>In a frame</div><script>d.addEventListener('click', () => {})</script>"></iframe>
    <script>customElements.define('x-a', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'closed' }).innerHTML = '<div>In a closed root</div>' } })</script>`)
  expect(await controls(page)).toEqual(['In a frame'])
})

test.each([
  ['a handler that is no script', '<div onclick="this is no script">Inline</div>', ['Inline']],
  [
    'a policy against evaluated code',
    `<meta http-equiv=Content-Security-Policy content="script-src 'unsafe-inline'; require-trusted-types-for 'script'"><div onclick="1">Inline</div>`,
    ['Inline', 'Own'],
  ],
])('reading listeners leaves no trace in a page with %s', async (_, html, found) => {
  await using page = await openCdpPage(`${html}<div id=a>Own</div><script>traces = []
    for (const type of ['error', 'securitypolicyviolation']) addEventListener(type, event => traces.push(event.message ?? event.violatedDirective))
    a.addEventListener('click', Object.assign(() => {}, { toString: () => traces.push('toString') }))
    new MutationObserver(records => traces.push(records.length)).observe(document, { subtree: true, attributes: true, childList: true })</script>`)
  expect(await controls(page)).toEqual(found)
  expect(await page.evaluate('traces')).toEqual([])
})

test('a page whose listeners were listed several times does not crash when one of them navigates', async () => {
  await using site = await openSite(invoiceTable)
  await using session = await openTestSession()
  await session.do('open', { url: site.url })
  for (let count = 0; count < 3; count++) await session.do('snapshot')
  const { effect } = await session.do('select', { ref: await session.ref('combobox "Status"'), values: ['Open'] })
  expect(effect.url).toBe(`${site.url}?status=Open`)
})

test('an element that listens to drops has a ref, whatever it contains and however it is called', async () => {
  await using page = await openCdpPage(`<div draggable=true>Card</div><section id=a></section><div id=b>Drop files here</div>
    <div><p>Not here</p></div><style>section{height:40px}</style><script>for (const zone of [a, b]) {
      zone.addEventListener('dragover', e => e.preventDefault()); zone.addEventListener('drop', () => { zone.textContent = 'Got it' }) }
    document.body.addEventListener('drop', e => e.preventDefault())</script>`)
  const [card, ...zones] = (await page.nodes()).filter(node => node.ref)
  expect(zones.map(({ tag, text = '' }) => [tag, text])).toEqual([
    ['section', ''],
    ['div', 'Drop files here'],
  ])
  for (const { ref: to } of zones) {
    expect((await page.do('drag', { ref: card?.ref, to })).effect.changed?.text).toBe('Got it')
  }
})
