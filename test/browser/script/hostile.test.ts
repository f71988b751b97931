import { expect, test } from 'vitest'
import { clobberedNames } from '../../support/clobbered-names.ts'
import { openScriptPage } from '../../support/script-page.ts'

test.each(clobberedNames)('a form with a field named %s can be clicked, filled and queried (A5)', async name => {
  await using page = await openScriptPage(
    `<form id=f onsubmit="event.preventDefault(); window.sent = (window.sent ?? 0) + 1"><input name=${name} aria-label=Field><button>Go</button></form>`,
  )
  const field = await page.ref('textbox')
  expect(await page.act(field, 'fill', { value: 'x' })).toMatchObject({ ok: true, effect: { value: 'x' } })
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({ ok: true, effect: { submitted: false } })
  expect(await page.act(field, 'press', { key: 'Enter' })).toMatchObject({ ok: true })
  expect(await page.query(field, 'value')).toMatchObject({ ok: true, value: 'x' })
  expect(await page.evaluate('sent')).toBe(2)
})

test('a page that has patched DOM methods cannot change the outcome of an action (A5)', async () => {
  await using page = await openScriptPage(`<input id=a aria-label=A><button id=b onclick="window.hit = 1">B</button><script>
    EventTarget.prototype.dispatchEvent = () => false; Element.prototype.matches = () => false; HTMLElement.prototype.focus = () => {}
    Element.prototype.scrollIntoView = () => { throw 1 }; Object.defineProperty(HTMLInputElement.prototype, 'value', { get: () => 'lie', set() {} })
    Array.prototype.includes = () => false; Array.prototype.find = () => undefined; window.MouseEvent = window.PointerEvent = window.Event = window.InputEvent = null; window.setTimeout = null
  </script>`)
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('hit')).toBe(1)
  expect(await page.act(await page.ref('textbox'), 'fill', { value: 'x' })).toMatchObject({ ok: true, effect: { value: 'x' } })
  expect(await page.text()).toContain('"x"')
})

test('click handlers see the built-ins and polyfills of their page', async () => {
  await using page = await openScriptPage(
    `<script>Array.prototype.last = function () { return this[this.length - 1] }; const plain = Array.prototype.map; Array.prototype.map = function (...a) { window.mapped = true; return plain.apply(this, a) }</script>
     <button onclick="window.got = [1,2,3].map(x => x * 2).last()">B</button>`,
  )
  await page.evaluate('mapped = false, 1')
  expect(await page.act(await page.ref('button'), 'click')).toMatchObject({ ok: true })
  expect(await page.evaluate('[got, mapped]')).toEqual([6, true])
})

const polyfilled = '<script>Array.prototype.last = function () { return this.at(-1) }</script>'

test("a change event fired when the page blurs a field leaves the page's polyfills in place", async () => {
  await using page = await openScriptPage(`${polyfilled}<input id=a aria-label=A>`)
  await page.act(await page.ref('textbox'), 'fill', { value: 'x' })
  expect(await page.evaluate('a.blur(); typeof [].last')).toBe('function')
})

test("the end of a long press leaves the page's polyfills in place", async () => {
  await using page = await openScriptPage(`${polyfilled}<button id=b>Hold</button><script>var up = 0; b.onpointerup = () => up++</script>`)
  await page.act(await page.ref('button'), 'longpress', { ms: 20 })
  await expect.poll(() => page.evaluate('up')).toBe(1)
  expect(await page.evaluate('typeof [].last')).toBe('function')
})

test('a page whose fetch returns a custom thenable, or is locked, keeps working during an action', async () => {
  await using page = await openScriptPage(
    `<button id=b>Load</button><script>var got = 0, bad = ''; const real = fetch
     const own = url => { const answer = real(url); return { then: (done, failed) => answer.then(done, failed) } }
     Object.defineProperty(window, 'fetch', { value: own, writable: true, configurable: true })
     b.onclick = () => { try { fetch('.').then(() => got++) } catch (error) { bad = String(error) } }</script>`,
  )
  const ref = await page.ref('button')
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true })
  await expect.poll(() => page.evaluate('[got, bad]')).toEqual([1, ''])
  await expect.poll(() => page.call('settled')).toMatchObject({ data: { settled: true } })
  await page.evaluate(`Object.defineProperty(window, 'fetch', { writable: false, configurable: false }), 1`)
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true })
  await expect.poll(() => page.evaluate('[got, bad]')).toEqual([2, ''])
})

test.each(['getSelection', 'defaultView', 'styleSheets', 'adoptedStyleSheets'])(
  'a page with an element named %s can be hovered and edited (A5)',
  async name => {
    await using page = await openScriptPage(`<img name=${name}><button>B</button><div contenteditable role=textbox aria-label=E>x</div>`)
    expect(await page.act(await page.ref('button'), 'hover')).toMatchObject({ ok: true })
    const ref = await page.ref('textbox')
    expect(await page.act(ref, 'fill', { value: 'yy' })).toMatchObject({ ok: true, effect: { value: 'yy' } })
    expect(await page.act(ref, 'type', { text: 'z' })).toMatchObject({ ok: true, effect: { value: 'yyz' } })
  },
)

test('the pointer can leave a form with a field named removeAttribute (A5)', async () => {
  await using page = await openScriptPage('<form><input name=removeAttribute><button type=button>B</button></form><button>C</button>')
  await page.act(await page.ref('button "B"'), 'hover')
  expect(await page.act(await page.ref('button "C"'), 'hover')).toMatchObject({ ok: true })
})

test('back works on a page that has a variable named navigation', async () => {
  await using page = await openScriptPage('<nav id=n>x</nav>', {
    files: { 'b.html': '<nav>x</nav><script>var navigation = document.body</script>' },
  })
  await page.navigate('b.html')
  expect(await page.call('back')).toMatchObject({ ok: true })
})
