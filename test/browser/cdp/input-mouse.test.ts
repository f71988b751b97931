import { expect, test } from 'vitest'
import { openCdpPage } from '../../support/cdp-page.ts'
import { eventLog } from '../../support/event-log.ts'
import { otherOrigin } from '../../support/open-page.ts'

test('a click is trusted, fires the whole event sequence and reports its effect (S4-22 S4-37 C6)', async () => {
  await using page = await openCdpPage(`${eventLog}<button id=b onclick="this.textContent='Done'; trusted = event.isTrusted">Go</button>`)
  const acted = await page.do('click', { ref: await page.ref('Go') })
  expect(acted).toMatchObject({ trusted: true, settled: true, effect: { changed: { text: 'Done' } } })
  expect(acted).not.toHaveProperty('pending')
  expect(await page.evaluate('trusted')).toBe(true)
  expect(await page.evaluate<string>('heard("pointermove pointerdown mousedown focus pointerup mouseup click")')).toContain(
    'pointerdown@b mousedown@b focus@b pointerup@b mouseup@b click@b',
  )
})

test('dblclick fires two clicks and one dblclick, and longpress holds a touch (S4-37)', async () => {
  await using page = await openCdpPage(`${eventLog}<button id=b style="width:200px;height:100px">Go</button>`)
  const ref = await page.ref('Go')
  await page.do('dblclick', { ref })
  expect(await page.evaluate('heard("click dblclick")')).toBe('click@b click@b dblclick@b')
  await page.evaluate(
    `b.addEventListener('touchstart', e => { from = performance.now() }) || b.addEventListener('touchend', e => { held = performance.now() - from })`,
  )
  await page.do('longpress', { ref, ms: 700 })
  expect(await page.evaluate('heard("touchstart touchend")')).toBe('touchstart@b touchend@b')
  expect(await page.evaluate('held')).toBeGreaterThanOrEqual(690)
})

test('click supports the right and middle button and modifiers (S4-37)', async () => {
  await using page = await openCdpPage(`<a id=a href="#x" style="display:inline-block;width:200px;height:60px">Row</a><script>
    heard = []; for (const type of ['click', 'auxclick', 'contextmenu', 'dblclick'])
      a.addEventListener(type, e => { e.preventDefault(); heard.push([type, e.button, e.ctrlKey, e.shiftKey, e.isTrusted].join()) })</script>`)
  const ref = await page.ref('Row')
  const heard = async (args: object) => {
    await page.evaluate('heard = []')
    await page.do('click', { ref, ...args })
    return page.evaluate<string[]>('heard')
  }
  expect(await heard({ button: 'right' })).toEqual(['contextmenu,2,false,false,true', 'auxclick,2,false,false,true'])
  expect(await heard({ button: 'middle' })).toEqual(['auxclick,1,false,false,true'])
  expect(await heard({ modifiers: ['Control', 'Shift'] })).toEqual(['click,0,true,true,true'])
  expect((await page.fails('click', { ref, button: 'third' })).code).toBe('invalid_input')
})

test('hover triggers :hover styles and reveals elements shown by them', async () => {
  await using page = await openCdpPage(
    `<style>#x{display:none} li:hover #x{display:inline}</style><ul><li><button>Item</button> <button id=x onclick="document.title='deleted'">Delete</button></ul>`,
  )
  await page.do('hover', { ref: await page.ref('Item') })
  await page.do('click', { ref: await page.ref('Delete') })
  expect(await page.evaluate('document.title')).toBe('deleted')
})

test('click finds its point at press time: far below, in a scroller, in a shadow root, half covered (S4-22 X4-2)', async () => {
  await using page = await openCdpPage(`
    <div style="height:3000px"></div><button onclick="done.push('far')">Far</button>
    <div style="height:100px;overflow:auto"><div style="height:900px"></div><button onclick="done.push('inner')">Inner</button></div>
    <x-a></x-a>
    <div style="position:relative;width:300px;height:60px"><button style="width:300px;height:60px" onclick="done.push('half')">Half</button>
      <div style="position:absolute;left:100px;top:0;width:100px;height:60px;background:red"></div></div>
    <script>done = []; customElements.define('x-a', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode:'open'}).innerHTML = '<div><button>Shadow</button></div>';
      this.shadowRoot.querySelector('button').onclick = () => done.push('shadow') } })</script>`)
  for (const name of ['Far', 'Inner', 'Shadow', 'Half']) await page.do('click', { ref: await page.ref(name) })
  expect(await page.evaluate('done')).toEqual(['far', 'inner', 'shadow', 'half'])
  await page.evaluate('scrollTo(0, 0)')
  await page.do('click', { ref: await page.ref('Far') })
  expect(await page.evaluate('done.length')).toBe(5)
})

test('click reaches an element in a closed shadow root and detects interception by its sibling', async () => {
  await using page =
    await openCdpPage(`<x-a></x-a><script>done = []; customElements.define('x-a', class extends HTMLElement { constructor() { super()
      const root = this.attachShadow({ mode: 'closed' })
      root.innerHTML = '<button id=t style="width:200px;height:60px">Inside</button><button id=c style="display:none;position:fixed;inset:0">Cover</button><button>Trap</button>'
      for (const each of root.children) each.onclick = () => done.push(each.textContent)
      root.lastChild.onpointerover = () => { root.children[1].style.display = 'block' } } })</script>`)
  const trap = await page.ref('Trap')
  expect((await page.do('click', { ref: await page.ref('Inside') })).trusted).toBe(true)
  expect((await page.fails('click', { ref: trap })).code).toBe('click_intercepted')
  expect(await page.evaluate('done')).toEqual(['Inside'])
})

test('click reaches a link that wraps over two lines and a checkbox hidden behind its label', async () => {
  await using page = await openCdpPage(`
    <style>#c{position:absolute;opacity:0;width:0;height:0} label{display:block;width:120px;height:30px;background:#eee}</style>
    <p style="width:120px">Some words before <a id=l href="#there">a link that runs over lines</a></p>
    <input type=checkbox id=c><label for=c>Agree</label>`)
  expect((await page.do('click', { ref: await page.ref('a link that runs over lines') })).effect.url).toBe(`${page.url}#there`)
  expect((await page.do('check', { ref: await page.ref('Agree') })).effect.checked).toBe(true)
})

test('click works in same-origin, cross-origin and nested frames', async () => {
  const button = (word: string) => `<div style="height:900px"></div><button onclick="this.textContent='${word} done'">${word}</button>`
  await using page = await openCdpPage(
    `<div style="height:1500px"></div><iframe src="same.html" style="margin-left:40px;width:400px;height:200px"></iframe>
     <script>document.write('<iframe style="width:500px;height:260px" src="' + location.href.replace('127.0.0.1', 'localhost') + 'other.html"></iframe>')</script>`,
    {
      files: {
        'same.html': button('Same'),
        'other.html': `${button('Other')}<iframe src="deep.html" style="height:120px"></iframe>`,
        'deep.html': button('Deep'),
      },
    },
  )
  expect(otherOrigin(page.url)).not.toBe(page.url)
  for (const name of ['Same', 'Other', 'Deep']) {
    const acted = await page.do('click', { ref: await page.ref(name) })
    expect(acted).toMatchObject({ trusted: true, effect: { changed: { text: `${name} done` } } })
  }
})

test('click names the covering element, even over a cross-origin frame, and clicks nothing', async () => {
  await using page = await openCdpPage(
    `${eventLog}<button>Under</button><div role=dialog aria-label=Cookies style="position:fixed;inset:0;background:#fff"><button>Accept</button></div>`,
  )
  const failed = await page.fails('click', { ref: await page.ref('Under') })
  expect(failed.code).toBe('element_blocked')
  expect(failed.message).toMatch(/covered by e\d+; it looks like a consent banner/)
  expect(failed.page?.coveredBy).toBe('dialog Cookies')
  expect(await page.evaluate('heard("pointerdown click")')).toBe('')

  await using framed = await openCdpPage(
    `<script>document.write('<iframe style="width:500px;height:260px" src="' + location.href.replace('127.0.0.1', 'localhost') + 'other.html"></iframe>')</script>`,
    { files: { 'other.html': `<button>Inside</button>` } },
  )
  const ref = await framed.ref('Inside')
  await framed.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Late style="position:fixed;inset:0;background:#fff"></div>')`,
  )
  expect(await framed.fails('click', { ref })).toMatchObject({ code: 'element_blocked', page: { coveredBy: 'dialog Late' } })
})

test('click refuses a disabled, hidden or removed target before pressing anything', async () => {
  await using page = await openCdpPage(`${eventLog}<button disabled>Off</button><button id=h>Hide</button><button id=g>Gone</button>`)
  const [off, hide, gone] = [await page.ref('Off'), await page.ref('Hide'), await page.ref('Gone')]
  await page.evaluate('(h.style.display = "none", g.remove())')
  expect((await page.fails('click', { ref: off })).code).toBe('not_enabled')
  expect((await page.fails('click', { ref: hide })).code).toBe('not_visible')
  expect((await page.fails('click', { ref: gone })).code).toBe('ref_not_found')
  expect(await page.evaluate('heard("pointerdown click")')).toBe('')
})

test('scroll without a ref scrolls the largest part in view if the page and its middle do not scroll', async () => {
  const pane = (id: string, height: number) =>
    `<div id=${id} style="height:${height}px;width:300px;overflow:auto"><div style="height:2000px">Lines of ${id}</div></div>`
  await using page = await openCdpPage(`${pane('small', 60)}${pane('large', 200)}`)
  await page.do('scroll', { direction: 'down' })
  expect(await page.evaluate('[small.scrollTop, large.scrollTop]')).toEqual([0, 300])
})

test("scroll uses the wheel on the page or an element's scroller, and fails with no_progress at the end (S4-39)", async () => {
  await using page = await openCdpPage(
    `<div id=s style="height:100px;overflow:auto"><button>In list</button><div style="height:500px">x</div></div><div style="height:3000px"></div>`,
  )
  const ref = await page.ref('In list')
  expect(await page.do('scroll', { direction: 'down', amount: 200, ref })).toMatchObject({
    trusted: true,
    effect: { scroll: { x: 0, y: 200 } },
  })
  expect(await page.evaluate('[s.scrollTop, scrollY]')).toEqual([200, 0])
  expect((await page.do('scroll', { direction: 'up', amount: 900, ref })).effect.scroll).toEqual({ x: 0, y: 0 })
  await page.evaluate('s.remove()')
  expect((await page.do('scroll', { direction: 'down', amount: 400 })).effect.scroll).toEqual({ x: 0, y: 400 })
  expect((await page.do('scroll', { direction: 'up', amount: 1000 })).effect.scroll).toEqual({ x: 0, y: 0 })
  expect((await page.fails('scroll', { direction: 'up' })).code).toBe('no_progress')
  await page.evaluate('addEventListener("wheel", e => e.preventDefault(), { passive: false })')
  expect((await page.fails('scroll', { direction: 'down' })).message).toContain('keeps the wheel')
})

/** a field in the middle of the view, and one that fills it; a wheel listener makes Chromium change a number field that has the focus */
const fieldsUnderTheWheel = {
  'a focused number field': '<input id=f type=number value=5 style="position:fixed;left:600px;top:340px;width:80px;height:40px">',
  'a focused number field as large as the page': '<input id=f type=number value=5 style="position:fixed;inset:0;width:100%;height:100%">',
  'a range whose handler follows the wheel':
    '<input id=f type=range value=50 onwheel="value = +value + 1" style="position:fixed;inset:0;width:100%;height:100%">',
  'a slider of the page': `<div id=f role=slider tabindex=0 onwheel="value++" style="position:fixed;left:500px;top:300px;width:300px;height:99px">
    <b>5</b></div><script>f.value = 5</script>`,
  'a number field in a frame': `<iframe style="position:fixed;left:500px;top:300px" srcdoc="<input id=f type=number value=5 autofocus
    style='position:fixed;inset:0' ><script>addEventListener('wheel', () => {})</script>"></iframe>`,
}

for (const [name, field] of Object.entries(fieldsUnderTheWheel))
  test(`scroll, hover, focus and blur do not change ${name} (S4-39)`, async () => {
    await using page = await openCdpPage(
      `${field}<div style="height:3000px"></div><button>End</button><script>addEventListener('wheel', () => {})</script>`,
    )
    const inField = <T>(code: string) =>
      page.evaluate<T>(`(document.querySelector('iframe')?.contentWindow ?? window).eval(${JSON.stringify(code)})`)
    const before = await inField('f.focus(), f.value')
    expect((await page.do('scroll', { direction: 'down' })).effect.scroll).toEqual({ x: 0, y: 300 })
    expect((await page.do('scroll', { direction: 'up', amount: 100 })).effect.scroll).toEqual({ x: 0, y: 200 })
    const refs = Object.keys((await page.do('snapshot', {})).refs)
    const ref = refs.find(each => each.startsWith('f')) ?? refs[0]
    for (const verb of ['hover', 'focus', 'blur'] as const) await page.do(verb, { ref })
    expect(await inField('f.value')).toBe(before)
  })

test('a scroll that moves nothing but changes a field does not say that nothing changes (S4-39)', async () => {
  await using page = await openCdpPage(`<input id=f value=5><div style="height:3000px"></div>
    <script>addEventListener('wheel', event => { event.preventDefault(); f.value = 6 }, { passive: false })</script>`)
  expect(await page.fails('scroll', { direction: 'down' })).toMatchObject({ code: 'outcome_unknown' })
})

test('scrollIntoView shows a distant element and fails for one that is not rendered', async () => {
  await using page = await openCdpPage('<div style="height:4000px"></div><button id=b>Far</button>')
  const ref = await page.ref('Far')
  await page.do('scrollIntoView', { ref })
  expect(await page.evaluate('b.getBoundingClientRect().bottom <= innerHeight')).toBe(true)
  await page.evaluate('b.style.display = "none"')
  expect((await page.fails('scrollIntoView', { ref })).code).toBe('not_visible')
})

test('focus and blur move the focus and fire their events', async () => {
  await using page = await openCdpPage(`${eventLog}<input id=a aria-label=Name><p id=p>x`)
  const ref = await page.ref('Name')
  expect((await page.do('focus', { ref })).effect.focus).toBe(ref)
  expect((await page.do('blur', { ref })).effect.focus).toBe('')
  expect(await page.evaluate('heard("focus blur")')).toBe('focus@a blur@a')
})

test('drag performs HTML drag and drop with its data, and fails when nothing accepts it (S4-37)', async () => {
  await using page = await openCdpPage(`
    <button id=a draggable=true ondragstart="event.dataTransfer.setData('text/plain','cargo')">Card</button>
    <div style="height:300px"></div>
    <button id=z ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.textContent=event.dataTransfer.getData('text/plain') + event.isTrusted">Zone</button>
    <button>Wall</button>`)
  const card = await page.ref('Card')
  expect((await page.fails('drag', { ref: card, to: await page.ref('Wall') })).code).toBe('not_committed')
  await page.do('drag', { ref: card, to: await page.ref('Zone') })
  expect(await page.evaluate('z.textContent')).toBe('cargotrue')
})

test('drag moves a handle that only listens to pointer events', async () => {
  await using page = await openCdpPage(`
    <button id=h style="position:absolute;left:20px;top:20px;width:40px;height:40px">Handle</button>
    <button style="position:absolute;left:400px;top:300px;width:80px;height:80px">Goal</button>
    <script>h.onpointerdown = e => { h.setPointerCapture(e.pointerId); h.onpointermove = e => { h.style.left = e.clientX - 20 + 'px'; h.style.top = e.clientY - 20 + 'px' } }
    h.onpointerup = e => { h.onpointermove = null; at = [e.clientX, e.clientY] }</script>`)
  await page.do('drag', { ref: await page.ref('Handle'), to: await page.ref('Goal') })
  expect(await page.evaluate('at')).toEqual([440, 340])
})

test('pointerdown has the pressure of a mouse, and a modifier pressed alone has its own flag on keydown', async () => {
  await using page =
    await openCdpPage(`<button id=b>Go</button><div id=d style="width:50px;height:50px" role=button tabindex=0>Drag</div><script>
    seen = []; for (const type of ['pointerdown', 'pointerup']) addEventListener(type, e => seen.push([type, e.pressure]))
    for (const type of ['keydown', 'keyup']) addEventListener(type, e => seen.push([type, e.key, e.shiftKey, e.ctrlKey, e.altKey, e.metaKey]))</script>`)
  await page.do('click', { ref: await page.ref('Go') })
  for (const key of ['Shift', 'Control']) await page.do('press', { key })
  expect(await page.evaluate('seen')).toEqual([
    ['pointerdown', 0.5],
    ['pointerup', 0],
    ['keydown', 'Shift', true, false, false, false],
    ['keyup', 'Shift', false, false, false, false],
    ['keydown', 'Control', false, true, false, false],
    ['keyup', 'Control', false, false, false, false],
  ])
})

test('click on a part that lets clicks through reaches the button or link around it, but never another container', async () => {
  await using page =
    await openCdpPage(`<button onclick="pressed.textContent='button'"><span id=label style="pointer-events:none">Save</span></button>
    <a href="#there"><div role=img aria-label=Logo style="pointer-events:none">logo</div></a>
    <div><span id=plain style="pointer-events:none">plain</span></div><p id=pressed></p>`)
  const refOf = async (scope: string) => (await page.do('snapshot', { scope })).tree.ref
  await page.do('click', { ref: await refOf('#label') })
  expect(await page.evaluate('pressed.textContent')).toBe('button')
  expect(await page.do('click', { ref: await refOf('[role=img]') })).toMatchObject({ effect: { url: expect.stringContaining('#there') } })
  expect(await page.fails('click', { ref: await refOf('#plain') })).toMatchObject({ code: 'element_blocked' })
})
