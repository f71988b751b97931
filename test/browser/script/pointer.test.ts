import { expect, test } from 'vitest'
import { eventLog } from '../../support/event-log.ts'
import { nodes, openScriptPage } from '../../support/script-page.ts'

test('a click fires the full event sequence in order, with coordinates and buttons (S0-45 S0-47 X0-17)', async () => {
  await using page = await openScriptPage(`${eventLog}<button id=b style="width:100px;height:40px">Go</button>
    <script>var seen = []; for (const t of ['pointerdown','mousedown','pointerup','mouseup','click']) b.addEventListener(t, e => seen.push([t, e.constructor.name, e.button, e.buttons, e.detail, e.clientX > 0, e.pointerType ?? '']))</script>`)
  const ref = await page.ref('button')
  const answer = await page.act(ref, 'click')
  expect(answer).toMatchObject({ ok: true, type: 'action', action: 'click', ref, trusted: false, meta: { url: page.url } })
  expect(answer.ok && answer.meta.ts).toBeGreaterThan(1e12)
  // headless browsers move their own pointer over the page while it loads
  expect((await page.evaluate<string>('heard()')).replace(/\w+@(HTML|BODY) /g, '')).toBe(
    'pointerover@b pointerenter@b mouseover@b mouseenter@b pointermove@b mousemove@b pointerdown@b mousedown@b focus@b focusin@b pointerup@b mouseup@b click@b',
  )
  expect(await page.evaluate('seen')).toEqual([
    ['pointerdown', 'PointerEvent', 0, 1, 0, true, 'mouse'],
    ['mousedown', 'MouseEvent', 0, 1, 1, true, ''],
    ['pointerup', 'PointerEvent', 0, 0, 0, true, 'mouse'],
    ['mouseup', 'MouseEvent', 0, 0, 1, true, ''],
    ['click', 'PointerEvent', 0, 0, 1, true, 'mouse'],
  ])
})

test('a click is dispatched to the innermost element at the point', async () => {
  await using page = await openScriptPage(
    '<button id=b><span id=s>Save</span></button><script>var hit; onclick = e => hit = e.target.id</script>',
  )
  await page.act(await page.ref('button'), 'click')
  expect(await page.evaluate('hit')).toBe('s')
})

test('a double click fires two clicks and one dblclick (S0-106 X2-3)', async () => {
  await using page = await openScriptPage(`${eventLog}<button id=b>Edit</button>`)
  expect(await page.act(await page.ref('button'), 'dblclick')).toMatchObject({ ok: true, action: 'dblclick' })
  expect(await page.evaluate('heard("mousedown mouseup click dblclick")')).toBe(
    'mousedown@b mouseup@b click@b mousedown@b mouseup@b click@b dblclick@b',
  )
})

test('the right button fires contextmenu, the middle one auxclick, and modifiers are held during a click', async () => {
  await using page = await openScriptPage(
    `${eventLog}<button id=b>X</button><script>var keys; b.onclick = e => keys = [e.ctrlKey, e.shiftKey, e.altKey, e.metaKey]</script>`,
  )
  const ref = await page.ref('button')
  await page.act(ref, 'click', { button: 'right' })
  expect(await page.evaluate('heard("mousedown contextmenu click auxclick")')).toBe('mousedown@b contextmenu@b auxclick@b')
  await page.act(ref, 'click', { button: 'middle' })
  expect(await page.evaluate('heard("mousedown contextmenu click auxclick")')).toBe('mousedown@b auxclick@b')
  await page.act(ref, 'click', { modifiers: ['Control', 'Shift'] })
  expect(await page.evaluate('keys')).toEqual([true, true, false, false])
})

test('a click follows a link, submits a form, opens details and toggles a checkbox by its label (S0-92)', async () => {
  await using page = await openScriptPage(
    `<a href="there.html">There</a><form action="sent.html"><input name=q value=1><button>Send</button></form>
     <details><summary>More</summary><p>Inside</p></details><label><input type=checkbox id=c style="display:none">Agree</label>`,
    { files: { 'there.html': '<title>There</title>', 'sent.html': '<title>Sent</title>' } },
  )
  expect(await page.act(await page.ref('checkbox "Agree"'), 'click')).toMatchObject({ ok: true, effect: { checked: true } })
  expect(await page.evaluate('c.checked')).toBe(true)
  expect(await page.act(await page.ref('button "More"'), 'click')).toMatchObject({ ok: true, effect: { expanded: true } })
  expect(await page.act(await page.ref('button "Send"'), 'click')).toMatchObject({ ok: true, effect: { submitted: true } })
  await expect.poll(() => page.evaluate('document.title')).toBe('Sent')
  expect(await page.evaluate('location.search')).toBe('?q=1')
  await page.navigate('')
  expect(await page.act(await page.ref('link "There"'), 'click')).toMatchObject({ ok: true })
  await expect.poll(() => page.evaluate('document.title')).toBe('There')
})

test('a link that wraps over two lines is clicked although the center of its box is empty (X0-16)', async () => {
  await using page = await openScriptPage(
    `<p style="width:220px;font:20px/30px monospace">some words here <a href=# id=a>a link of words</a> and more of them</p><script>var hits = 0; a.onclick = e => { e.preventDefault(); hits++ }</script>`,
  )
  expect(await page.act(await page.ref('link'), 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('hits')).toBe(1)
})

test('a target with a covered center is clicked at a free point', async () => {
  await using page = await openScriptPage(
    `<button id=b style="position:absolute;left:0;top:0;width:200px;height:100px">B</button><div style="position:absolute;left:80px;top:30px;width:40px;height:40px;background:red"></div><script>var hits = 0; b.onclick = () => hits++</script>`,
  )
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('hits')).toBe(1)
})

test('a target out of view is scrolled into view, below a sticky header and inside a scroll container', async () => {
  await using page = await openScriptPage(
    `<header style="position:sticky;top:0;height:80px;background:#eee">Head</header><div style="height:3000px"></div>
     <div style="height:100px;overflow:auto"><div style="height:900px"></div><button id=b>Deep</button></div><div style="height:3000px"></div><script>var hits = 0; b.onclick = () => hits++</script>`,
  )
  const answer = await page.act(await page.ref('button'), 'click')
  expect(answer).toMatchObject({ ok: true, effect: { scroll: { x: 0 } } })
  expect(await page.evaluate('hits')).toBe(1)
})

test('a prevented pointerdown suppresses mouse events but not the click; a prevented mousedown keeps the focus', async () => {
  await using page = await openScriptPage(
    `${eventLog}<button id=a>A</button><button id=b>B</button><script>a.onpointerdown = e => e.preventDefault(); b.onmousedown = e => e.preventDefault()</script>`,
  )
  await page.act(await page.ref('button "A"'), 'click')
  expect(await page.evaluate('heard("pointerdown mousedown pointerup mouseup focus click")')).toBe('pointerdown@a pointerup@a click@a')
  await page.act(await page.ref('button "B"'), 'click')
  expect(await page.evaluate('heard("pointerdown mousedown pointerup mouseup focus click")')).toBe(
    'pointerdown@b mousedown@b pointerup@b mouseup@b click@b',
  )
})

test('hover fires enter events from the outside in, leaves the previous target, and opens menus', async () => {
  await using page = await openScriptPage(
    `${eventLog}<div id=o><button id=a>A</button></div><button id=b>B</button><ul id=m role=menu hidden><li role=menuitem>Cut</li></ul>
     <script>a.onmouseenter = () => m.hidden = false; a.onmouseleave = () => m.hidden = true</script>`,
  )
  const a = await page.ref('button "A"')
  expect(await page.act(a, 'hover')).toMatchObject({ ok: true, effect: { changed: { altered: 1 } } })
  expect(await page.evaluate('heard("mouseenter mouseover click")')).toMatch(/mouseover@a .*mouseenter@o mouseenter@a/)
  expect(await page.text()).toContain('menuitem "Cut"')
  await page.act(await page.ref('button "B"'), 'hover')
  expect(await page.evaluate('heard("mouseout mouseleave mouseover")')).toMatch(/mouseout@a .*mouseleave@a .*mouseover@b/)
  expect(await page.text()).not.toContain('menuitem')
})

test('elements shown by CSS :hover appear while the pointer is inside and disappear when it leaves', async () => {
  await using page = await openScriptPage(
    `<style>.x { display: none } @media (min-width: 1px) { li:hover .x { display: inline } }</style><ul><li id=a>One <button class=x onclick="window.gone = 'a'">Delete</button><li id=b>Two <button class=x onclick="window.gone = 'b'">Delete</button></ul><a href=#>Elsewhere</a>`,
  )
  const { refs } = await page.snapshot({ interactiveOnly: false })
  const two = Object.values(refs).filter(each => each.tag === 'li')[1]?.ref ?? ''
  expect(await page.text()).not.toContain('Delete')
  expect(await page.act(two, 'hover')).toMatchObject({ ok: true })
  expect(await page.act(await page.ref('button "Delete"'), 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('gone')).toBe('b')
  await page.act(await page.ref('link'), 'hover')
  expect(await page.text()).not.toContain('Delete')
})

test('an element that covers the target on hover is reported instead of clicked (B1)', async () => {
  await using page = await openScriptPage(
    `<button id=b style="width:100px;height:40px">Pay</button><div id=trap style="position:fixed;inset:0;display:none" role=region aria-label="Ad"></div>
     <script>var hits = 0; b.onclick = () => hits++; b.onmouseenter = () => trap.style.display = 'block'</script>`,
  )
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({
    ok: false,
    error: { code: 'element_blocked', page: { coveredBy: 'region Ad' } },
  })
  expect(await page.evaluate('hits')).toBe(0)
})

test('a long press holds the pointer for the given time and then releases it (S0-105)', async () => {
  await using page = await openScriptPage(
    `${eventLog}<button id=b>Hold</button><p id=out></p><script>var timer; b.onpointerdown = () => timer = setTimeout(() => out.textContent = 'held', 80); b.onpointerup = () => clearTimeout(timer)</script>`,
  )
  expect(await page.act(await page.ref('button'), 'longpress', { ms: 150 })).toMatchObject({ ok: true })
  expect(await page.call('settled')).toMatchObject({ ok: true, data: { settled: false, pending: expect.arrayContaining(['press']) } })
  await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true } })
  expect(await page.evaluate('out.textContent')).toBe('held')
  expect(await page.evaluate('heard("pointerdown contextmenu pointerup click")')).toBe('pointerdown@b contextmenu@b pointerup@b')
})

test('HTML drag and drop delivers its data, and fails with not_committed when nothing accepts it (S0-104)', async () => {
  await using page = await openScriptPage(
    `<div id=s draggable=true tabindex=0 aria-label=Card role=button>Card</div><div id=t tabindex=0 role=button aria-label=Done style="width:200px;height:80px;border:1px solid">Done</div><div id=n tabindex=0 role=button aria-label=Wall>Wall</div>
     <script>s.ondragstart = e => e.dataTransfer.setData('text/plain', 'card'); t.ondragover = e => e.preventDefault(); t.ondrop = e => t.textContent = 'got ' + e.dataTransfer.getData('text/plain')</script>`,
  )
  const card = await page.ref('button "Card"')
  expect(await page.act(card, 'drag', { to: await page.ref('button "Done"') })).toMatchObject({
    ok: true,
    effect: { changed: { text: 'got card' } },
  })
  expect(await page.act(card, 'drag', { to: await page.ref('button "Wall"') })).toMatchObject({
    ok: false,
    error: { code: 'not_committed' },
  })
})

test('a handle that follows the pointer is dragged by an offset in pixels', async () => {
  await using page = await openScriptPage(
    `<div id=h role=slider tabindex=0 aria-label=Size style="position:absolute;left:50px;top:50px;width:20px;height:20px;background:blue"></div>
     <script>let from = null; h.onpointerdown = e => from = e.clientX; onpointermove = e => { if (from !== null) h.style.left = 50 + e.clientX - from + 'px' }; onpointerup = () => from = null</script>`,
  )
  expect(await page.act(await page.ref('slider'), 'drag', { dx: 120, dy: 0 })).toMatchObject({ ok: true })
  expect(await page.evaluate('h.style.left')).toBe('170px')
})

test('elements in shadow roots and frames are clicked with the coordinates of their viewport (X0-22 S0-101)', async () => {
  await using page = await openScriptPage(
    `<div style="height:50px"></div><x-box></x-box><iframe srcdoc="<button id=f style='margin:20px'>In frame</button><script>onclick = e => parent.frameHit = [e.target.id, e.clientX < 120, e instanceof MouseEvent, e.view === window]</script>" style="margin:40px"></iframe>
     <script>customElements.define('x-box', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button>In shadow</button>'; this.shadowRoot.addEventListener('click', e => window.shadowHit = e.target.localName) } })</script>`,
  )
  expect(await page.act(await page.ref('button "In shadow"'), 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('shadowHit')).toBe('button')
  const ref = await page.ref('button "In frame"')
  expect(ref).toMatch(/^f1e\d+$/)
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true, ref })
  expect(await page.evaluate('frameHit')).toEqual(['f', true, true, true])
})

test('an unknown button or modifier fails with invalid_input, and nothing is clicked', async () => {
  await using page = await openScriptPage('<button onclick="hit++">B</button><script>var hit = 0</script>')
  const ref = await page.ref('button')
  for (const payload of [{ button: 'Left' }, { modifiers: ['Ctrl'] }])
    expect(await page.act(ref, 'click', payload as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(await page.evaluate('hit')).toBe(0)
})

test('a handle that captures the pointer follows it across other elements', async () => {
  await using page = await openScriptPage(
    `<div id=h role=slider tabindex=0 aria-label=Size style="position:absolute;left:50px;top:50px;width:20px;height:20px;background:blue"></div>
     <script>h.onpointerdown = e => { h.setPointerCapture(e.pointerId); const from = e.clientX; h.onpointermove = m => h.style.left = 50 + m.clientX - from + 'px'; h.onpointerup = () => h.onpointermove = null }</script>`,
  )
  expect(await page.act(await page.ref('slider'), 'drag', { dx: 120, dy: 90 })).toMatchObject({ ok: true })
  expect(await page.evaluate('h.style.left')).toBe('170px')
})

test('a button that mousedown replaces is not reported as clicked (B1)', async () => {
  await using page = await openScriptPage(
    '<button style="width:200px" onclick="document.title = 1" onmousedown="this.outerHTML = this.outerHTML">Target</button>',
  )
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({
    ok: false,
    error: { code: 'outcome_unknown', message: expect.stringContaining('replaced') },
  })
  expect(await page.evaluate('document.title')).toBe('test')
})

test('a press that replaces its element and chooses a value is a success (B1)', async () => {
  await using page = await openScriptPage(
    `<p id=out>Apple</p><button style="width:200px" onmousedown="out.textContent = 'Cherry'; this.outerHTML = this.outerHTML">Target</button>`,
  )
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({
    ok: true,
    effect: { gone: true, changed: { text: 'Cherry Target' } },
  })
})

test('an image in a disabled button is not clicked (B1)', async () => {
  await using page = await openScriptPage('<button disabled><img alt=Picture width=60 height=60></button>')
  const { ref = '' } =
    nodes(await page.snapshot({ interactiveOnly: false })).find(({ name, tag }) => name === 'Picture' && tag === 'img') ?? {}
  expect(await page.act(ref, 'click')).toMatchObject({ ok: false, error: { code: 'not_enabled' } })
})
