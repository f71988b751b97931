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

test('a modal dialog comes first, and the controls behind it are counted instead of listed', async () => {
  await using page = await lookAt(
    `${'<a href=#>page link</a> '.repeat(60)}<dialog id=d><p>Delete the file?</p><button>Yes</button><button>No</button></dialog><script>d.showModal()</script>`,
  )
  const snapshot = await page.look()
  expect(named(snapshot)).toEqual(['dialog', 'button Yes', 'button No'])
  expect(snapshot.meta.dialog).toBe(only(snapshot, { role: 'dialog' }).ref)
  expect(snapshot.stats.omitted).toMatchObject({ inert: 60 })
  const text = await page.text()
  expect(text).toContain('Delete the file?')
  expect(text).toMatch(/60 .*behind/)
})

const overlay = (attributes: string, style: string) => `${'<a href=#>page link</a> '.repeat(20)}
  <div style="${style}"><div role=dialog aria-label=Cookies ${attributes} style="position:fixed;left:20%;top:40%;width:200px;height:100px;background:#fff">We care<button>OK</button></div></div>`

test('aria-modal is respected when the dialog blocks the page', async () => {
  await using page = await lookAt(overlay('aria-modal=true', 'position:fixed;inset:0;background:#0008'))
  expect((await page.look()).stats.omitted).toMatchObject({ inert: 20 })
})

test('aria-modal is ignored when the page behind the dialog can still be used', async () => {
  await using page = await lookAt(overlay('aria-modal=true', ''))
  const snapshot = await page.look()
  expect(named(snapshot).filter(name => name === 'link page link')).toHaveLength(20)
  expect(snapshot.meta.dialog).toBeDefined()
})

test('inert controls are counted, and listed only with includeHidden', async () => {
  await using page = await lookAt('<div inert><button>a</button></div><button>b</button>')
  const snapshot = await page.look()
  expect([named(snapshot), snapshot.stats.omitted]).toEqual([['button b'], { inert: 1 }])
  expect(only(await page.look({ includeHidden: true }), { name: 'a' }).states).toMatchObject({ inert: true })
})

test('under a node limit, the topmost dialog is kept first, then controls in view, then the nearest ones', async () => {
  const links = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `<p style="margin:0;height:30px"><a href=#>${name}${i}</a></p>`).join('')
  await using page = await lookAt(
    `${links('l', 100)}<div role=dialog aria-label=Chat style="position:fixed;right:0;bottom:0;width:150px;height:100px;background:#eee"><button>Send</button></div>`,
  )
  await page.evaluate('scrollTo(0, 1500)')
  const snapshot = await page.look({ maxNodes: 40 })
  const kept = named(snapshot)
  expect(kept).toContain('button Send')
  expect(kept).toContain('link l55')
  expect(kept).not.toContain('link l0')
  expect(kept).not.toContain('link l99')
  expect(snapshot.stats.omitted?.above).toBeGreaterThan(30)
  expect(snapshot.stats.omitted?.below).toBeGreaterThan(10)
})
