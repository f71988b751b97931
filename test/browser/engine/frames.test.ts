import { expect, test } from 'vitest'
import { otherOrigin } from '../../support/open-page.ts'
import { findNode, nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

test('open shadow roots and slots are included in visual order (X0-22)', async () => {
  await using page = await openScriptPage(`
    <div id=host><b slot=late>slotted <a href=#>last</a></b><button>light</button></div>
    <script>host.attachShadow({mode:'open'}).innerHTML = '<button>first</button><slot></slot><slot name=late>fallback</slot><slot name=none><i><button>default</button></i></slot>'</script>`)
  expect(roleNames(await page.snapshot())).toEqual(['button first', 'button light', 'link last', 'button default'])
})

test('a label inside a shadow root names the input with that id in the same root', async () => {
  await using page = await openScriptPage(
    `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML = '<label for=x>Inner</label><input id=x>'</script><label for=x>Outer</label>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['textbox Inner'])
})

test('same-origin frames are inlined with refs prefixed by frame (S0-101 X0-22)', async () => {
  await using page = await openScriptPage('<button>out</button><iframe title=Pay src=pay.html></iframe><button>end</button>', {
    files: { 'pay.html': '<button>in</button><iframe srcdoc="<button>deep</button>"></iframe>' },
  })
  const snapshot = await page.snapshot()
  expect(
    nodes(snapshot)
      .filter(node => node.ref)
      .map(node => [node.ref, node.role, node.name]),
  ).toEqual([
    ['e1', 'button', 'out'],
    ['e2', 'iframe', 'Pay'],
    ['f1e1', 'button', 'in'],
    ['f1e2', 'iframe', ''],
    ['f2e1', 'button', 'deep'],
    ['e3', 'button', 'end'],
  ])
  expect((await page.snapshot({ scope: 'f1e1' })).tree).toMatchObject({ name: 'in', ref: 'f1e1' })
})

test('a frame that loads another document gets a new prefix, and its old refs are no longer valid', async () => {
  await using page = await openScriptPage('<iframe id=f src=a.html></iframe>', {
    files: { 'a.html': '<button>a</button>', 'b.html': '<button>b</button>' },
  })
  await page.snapshot()
  await page.evaluate('new Promise(done => { f.onload = done; f.src = "b.html" })')
  await expect.poll(async () => roleNames(await page.snapshot())).toContain('button b')
  expect(findNode(await page.snapshot(), { name: 'b' }).ref).toBe('f2e1')
  expect(await page.rawSnapshot({ scope: 'f1e1' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
})

test('a cross-origin frame is listed as unreachable and counted as omitted', async () => {
  await using page = await openScriptPage('<iframe id=f title=Ad></iframe>', { files: { 'ad.html': '<button>secret</button>' } })
  await page.evaluate(`new Promise(done => { f.onload = () => done(1); f.src = ${JSON.stringify(otherOrigin(page.url))} + 'ad.html' })`)
  await expect.poll(async () => findNode(await page.snapshot(), { role: 'iframe' }).states?.unreachable).toBe('another origin')
  const snapshot = await page.snapshot()
  expect(snapshot.stats.omitted).toEqual({ frames: 1 })
  expect(await page.text()).toMatch(/iframe "Ad".*unreachable/)
})

test('boxes inside a frame are in coordinates of the top viewport', async () => {
  await using page = await openScriptPage(
    '<iframe srcdoc="<body style=margin:0><button style=\'position:absolute;left:5px;top:7px;width:50px;height:20px\'>b</button>" style="position:absolute;left:100px;top:200px;border:3px solid"></iframe>',
  )
  expect(findNode(await page.snapshot({ boxes: true }), { name: 'b' }).box).toEqual([108, 210, 50, 20])
})

test('an element that covers a frame covers the controls inside it', async () => {
  await using page = await openScriptPage(
    '<iframe srcdoc="<button>b</button>"></iframe><div id=cover style="position:fixed;inset:0;background:#eee">wall</div>',
  )
  expect(findNode(await page.snapshot(), { name: 'b' }).states?.covered).toBe('div cover')
})

test('scoping to a frame returns its content', async () => {
  await using page = await openScriptPage('<button>out</button><iframe title=F srcdoc="<button>in</button>"></iframe>')
  expect(roleNames(await page.snapshot())).toEqual(['button out', 'iframe F', 'button in'])
  expect(roleNames(await page.snapshot({ scope: 'iframe' }))).toEqual(['button in'])
  expect(roleNames(await page.snapshot({ scope: 'e2' }))).toEqual(['button in'])
})

test('the body of a classic editor is a field, also if it is empty or the whole document can be edited', async () => {
  await using page = await openScriptPage(`<iframe title=Letter srcdoc="<body contenteditable><p>Dear <b>Ann</b></p></body>"></iframe>
    <iframe title=Empty srcdoc="<!doctype html><body contenteditable></body>"></iframe>
    <iframe title=Design srcdoc="<!doctype html><body>draft<script>document.designMode = 'on'</script></body>"></iframe>`)
  const fields = async () => nodes(await page.snapshot()).filter(({ role }) => role === 'textbox')
  expect((await fields()).map(({ ref, value }) => [ref, value ?? ''])).toEqual([
    ['f1e1', 'Dear Ann'],
    ['f2e1', ''],
    ['f3e1', 'draft'],
  ])
  for (const ref of ['f1e1', 'f2e1', 'f3e1']) {
    expect(await page.act(ref, 'fill', { value: 'Hello' })).toMatchObject({ ok: true })
    expect(await page.act(ref, 'type', { text: '!' })).toMatchObject({ ok: true })
  }
  expect((await fields()).map(({ value }) => value)).toEqual(['Hello!', 'Hello!', 'Hello!'])
})

test('the frames of a frameset are seen and operated', async () => {
  await using page = await openScriptPage('<html><frameset cols="50%,50%"><frame src=menu.html><frame src=form.html></frameset></html>', {
    files: { 'menu.html': '<button onclick="this.textContent=1">Go</button>', 'form.html': '<input aria-label=City>' },
  })
  expect(roleNames(await page.snapshot())).toEqual(['iframe', 'button Go', 'iframe', 'textbox City'])
  expect(await page.act('f1e1', 'click')).toMatchObject({ ok: true, effect: { changed: { text: '1' } } })
  expect(await page.act('f2e1', 'fill', { value: 'Graz' })).toMatchObject({ ok: true, effect: { value: 'Graz' } })
})
