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
