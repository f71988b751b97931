import { expect, test } from 'vitest'
import { otherOrigin } from '../../support/chromium.ts'
import { lookAt, named, nodes, only } from '../../support/looking.ts'

test('open shadow roots and slots are included in visual order (X0-22)', async () => {
  await using page = await lookAt(`
    <div id=host><b slot=late>slotted <a href=#>last</a></b><button>light</button></div>
    <script>host.attachShadow({mode:'open'}).innerHTML = '<button>first</button><slot></slot><slot name=late>fallback</slot><slot name=none><i><button>default</button></i></slot>'</script>`)
  expect(named(await page.look())).toEqual(['button first', 'button light', 'link last', 'button default'])
})

test('a label inside a shadow root names the input with that id in the same root', async () => {
  await using page = await lookAt(
    `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML = '<label for=x>Inner</label><input id=x>'</script><label for=x>Outer</label>`,
  )
  expect(named(await page.look())).toEqual(['textbox Inner'])
})

test('same-origin frames are inlined with refs prefixed by frame (S0-101 X0-22)', async () => {
  await using page = await lookAt('<button>out</button><iframe title=Pay src=pay.html></iframe><button>end</button>', {
    files: { 'pay.html': '<button>in</button><iframe srcdoc="<button>deep</button>"></iframe>' },
  })
  const snapshot = await page.look()
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
  expect((await page.look({ scope: 'f1e1' })).tree).toMatchObject({ name: 'in', ref: 'f1e1' })
})

test('a frame that loads another document gets a new prefix, and its old refs are no longer valid', async () => {
  await using page = await lookAt('<iframe id=f src=a.html></iframe>', {
    files: { 'a.html': '<button>a</button>', 'b.html': '<button>b</button>' },
  })
  await page.look()
  await page.evaluate('new Promise(done => { f.onload = done; f.src = "b.html" })')
  await expect.poll(async () => named(await page.look())).toContain('button b')
  expect(only(await page.look(), { name: 'b' }).ref).toBe('f2e1')
  expect(await page.raw({ scope: 'f1e1' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
})

test('a cross-origin frame is listed as unreachable and counted as omitted', async () => {
  await using page = await lookAt('<iframe id=f title=Ad></iframe>', { files: { 'ad.html': '<button>secret</button>' } })
  await page.evaluate(`new Promise(done => { f.onload = () => done(1); f.src = ${JSON.stringify(otherOrigin(page.url))} + 'ad.html' })`)
  await expect.poll(async () => only(await page.look(), { role: 'iframe' }).states?.unreachable).toBe('another origin')
  const snapshot = await page.look()
  expect(snapshot.stats.omitted).toEqual({ frames: 1 })
  expect(await page.text()).toMatch(/iframe "Ad".*unreachable/)
})

test('boxes inside a frame are in coordinates of the top viewport', async () => {
  await using page = await lookAt(
    '<iframe srcdoc="<body style=margin:0><button style=\'position:absolute;left:5px;top:7px;width:50px;height:20px\'>b</button>" style="position:absolute;left:100px;top:200px;border:3px solid"></iframe>',
  )
  expect(only(await page.look({ boxes: true }), { name: 'b' }).box).toEqual([108, 210, 50, 20])
})

test('an element that covers a frame covers the controls inside it', async () => {
  await using page = await lookAt(
    '<iframe srcdoc="<button>b</button>"></iframe><div id=cover style="position:fixed;inset:0;background:#eee">wall</div>',
  )
  expect(only(await page.look(), { name: 'b' }).states?.covered).toBe('div cover')
})

test('scoping to a frame returns its content', async () => {
  await using page = await lookAt('<button>out</button><iframe title=F srcdoc="<button>in</button>"></iframe>')
  expect(named(await page.look())).toEqual(['button out', 'iframe F', 'button in'])
  expect(named(await page.look({ scope: 'iframe' }))).toEqual(['button in'])
  expect(named(await page.look({ scope: 'e2' }))).toEqual(['button in'])
})
