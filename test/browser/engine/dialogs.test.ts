import { expect, test } from 'vitest'
import { AgentBrowser } from '../../../src/index.ts'
import { findNode, nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

test('a modal dialog comes first, and the controls behind it are counted instead of listed', async () => {
  await using page = await openScriptPage(
    `${'<a href=#>page link</a> '.repeat(60)}<dialog id=d><p>Delete the file?</p><button>Yes</button><button>No</button></dialog><script>d.showModal()</script>`,
  )
  const snapshot = await page.snapshot()
  expect(roleNames(snapshot)).toEqual(['dialog', 'button Yes', 'button No'])
  expect(snapshot.meta.dialog).toBe(findNode(snapshot, { role: 'dialog' }).ref)
  expect(snapshot.stats.omitted).toMatchObject({ inert: 60 })
  const text = await page.text()
  expect(text).toContain('Delete the file?')
  expect(text).toMatch(/60 .*behind/)
})

const overlay = (attributes: string, style: string) => `${'<a href=#>page link</a> '.repeat(20)}
  <div style="${style}"><div role=dialog aria-label=Cookies ${attributes} style="position:fixed;left:20%;top:40%;width:200px;height:100px;background:#fff">We care<button>OK</button></div></div>`

test('aria-modal is respected when the dialog blocks the page', async () => {
  await using page = await openScriptPage(overlay('aria-modal=true', 'position:fixed;inset:0;background:#0008'))
  expect((await page.snapshot()).stats.omitted).toMatchObject({ inert: 20 })
})

test('aria-modal is ignored when the page behind the dialog can still be used', async () => {
  await using page = await openScriptPage(overlay('aria-modal=true', ''))
  const snapshot = await page.snapshot()
  expect(roleNames(snapshot).filter(name => name === 'link page link')).toHaveLength(20)
  expect(snapshot.meta.dialog).toBe(findNode(snapshot, { role: 'dialog' }).ref)
})

test('inert controls are counted, and listed only with includeHidden', async () => {
  await using page = await openScriptPage('<div inert><button>a</button></div><button>b</button>')
  const snapshot = await page.snapshot()
  expect([roleNames(snapshot), snapshot.stats.omitted]).toEqual([['button b'], { inert: 1 }])
  expect(findNode(await page.snapshot({ includeHidden: true }), { name: 'a' }).states).toMatchObject({ inert: true })
})

test('under a node limit, the topmost dialog is kept first, then controls in view, then the nearest ones', async () => {
  const links = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `<p style="margin:0;height:30px"><a href=#>${name}${i}</a></p>`).join('')
  await using page = await openScriptPage(
    `${links('l', 100)}<div role=dialog aria-label=Chat style="position:fixed;right:0;bottom:0;width:150px;height:100px;background:#eee"><button>Send</button></div>`,
  )
  await page.evaluate('scrollTo(0, 1500)')
  const snapshot = await page.snapshot({ maxNodes: 40 })
  const kept = roleNames(snapshot)
  expect(kept).toContain('button Send')
  expect(kept).toContain('link l55')
  expect(kept).not.toContain('link l0')
  expect(kept).not.toContain('link l99')
  expect(snapshot.stats.omitted?.above).toBeGreaterThan(30)
  expect(snapshot.stats.omitted?.below).toBeGreaterThan(10)
})

test('a menu on top of a modal dialog is not treated as behind it', async () => {
  await using page = await openScriptPage(`${'<button>page</button>'.repeat(12)}
    <div style="position:fixed;inset:0;background:#0008"><div role=dialog aria-modal=true aria-label=Edit style="position:absolute;left:100px;top:100px;width:300px;height:200px;background:#fff"><button>Save</button></div></div>
    <ul role=listbox aria-label=Colours style="position:fixed;left:120px;top:220px;width:100px;background:#fff;margin:0;padding:0"><li role=option>Red</li><li role=option>Blue</li></ul>`)
  expect(roleNames(await page.snapshot())).toEqual(['dialog Edit', 'button Save', 'listbox Colours', 'option Red', 'option Blue'])
})

test('includeHidden marks every control behind a modal dialog as inert', async () => {
  await using page = await openScriptPage(
    `${'<p><a href=#>l</a></p>'.repeat(60)}<dialog id=d><button>ok</button></dialog><script>d.showModal()</script>`,
  )
  const links = nodes(await page.snapshot({ includeHidden: true })).filter(node => node.role === 'link')
  expect(links).toHaveLength(60)
  expect(links.filter(node => !node.states?.inert)).toEqual([])
})

test('opening a modal dialog removes nothing in the diff', async () => {
  await using page = await openScriptPage(`${'<p><a href=#>l</a></p>'.repeat(60)}<dialog id=d><button>ok</button></dialog>`)
  const look = () => page.evaluate(AgentBrowser.snapshotJs())
  const closed = await look()
  await page.evaluate('d.showModal()')
  const open = await look()
  expect(AgentBrowser.diffSnapshots(closed, open).text).toMatch(/appeared=2\n[\s\S]*behind the dialog e\d+ now/)
  expect(AgentBrowser.diffSnapshots(open, closed).text).toMatch(/… 60 back/)
})

const rows = Array.from({ length: 20 }, (_, i) => `<p>Row ${i} <button>Edit ${i}</button></p>`).join('')
const veil = 'position:fixed;inset:0;background:rgba(0,0,0,.5)'
const panel = 'position:fixed;left:300px;top:100px;width:400px;height:300px;background:#fff'

test.each([
  ['beside its veil', `<div style="${veil}"></div><div style="${panel}"><h2>Delete?</h2><button>Yes</button></div>`],
  ['inside its veil', `<div style="${veil}"><div style="${panel}"><h2>Delete?</h2><button>Yes</button></div></div>`],
  [
    'at the side of the viewport',
    `<div><div style="${veil}"></div><div style="position:fixed;right:0;top:0;bottom:20px;width:320px;background:#fff"><h2>Delete?</h2><button>Yes</button></div></div>`,
  ],
])('a panel without a role %s that covers the page is a dialog, and what lies under it is counted', async (_, html) => {
  await using page = await openScriptPage(`${rows}${html}`)
  const snapshot = await page.snapshot()
  expect(roleNames(snapshot)).toEqual(['dialog Delete?', 'button Yes'])
  expect(snapshot.stats.omitted?.inert).toBeGreaterThanOrEqual(20)
  expect(nodes(snapshot).find(({ ref }) => ref === snapshot.meta.dialog)?.role).toBe('dialog')
})

test.each([
  ['a page in a positioned frame', `<div style="position:fixed;inset:0;overflow:auto"><div style="margin:50px">${rows}</div></div>`],
  [
    'a banner over a page',
    `${rows}<div style="position:fixed;bottom:0;left:0;right:0;height:120px;background:#fff"><button>Accept</button></div>`,
  ],
  ['a transparent layer that takes no clicks', `${rows}<div style="${veil};pointer-events:none"><div style="${panel}">Toast</div></div>`],
])('%s is no dialog', async (_, html) => {
  await using page = await openScriptPage(html)
  const snapshot = await page.snapshot()
  expect(snapshot.meta.dialog).toBeUndefined()
  expect(roleNames(snapshot).length).toBeGreaterThan(10)
})

const links = Array.from({ length: 8 }, (_, i) => `<a href=/${i}>Page ${i}</a>`).join(' ')
const question = '<h2>Delete?</h2><button>Yes</button><button>No</button>'
const panelAt = (place: string) => `position:fixed;width:400px;background:#fff;${place}`
const fullScreen = 'position:fixed;inset:0;background:#fff'

test.each([
  [
    'a small panel near the top',
    `<div style="${veil}"></div><div style="${panelAt('left:50%;margin-left:-200px;top:60px')}">${question}</div>`,
  ],
  [
    'a small panel at the start of a veil',
    `<div style="${veil};display:flex;align-items:flex-start;justify-content:center"><div style="margin-top:60px;width:400px;background:#fff">${question}</div></div>`,
  ],
  ['a small panel above the middle', `<div style="${veil}"></div><div style="${panelAt('left:440px;top:200px')}">${question}</div>`],
  [
    'a panel of one line',
    `<div style="${veil}"></div><div style="${panelAt('left:20px;top:600px')};font-size:10px"><h2 style="display:inline">Delete?</h2><button>Yes</button><button>No</button></div>`,
  ],
  [
    'a bar at the bottom',
    `<div style="${veil}"></div><div style="position:fixed;left:0;right:0;bottom:0;background:#fff">${question}</div>`,
  ],
  [
    'a panel that is centered by a transform',
    `<div style="${veil}"><div style="position:absolute;left:50%;top:50%;transform:translate(-50%,-50%);background:#fff">${question}</div></div>`,
  ],
  [
    'a panel in a container that lets clicks through',
    `<div style="${veil}"></div><div style="position:fixed;inset:0;pointer-events:none;display:flex"><div style="margin:80px auto auto;pointer-events:auto;background:#fff">${question}</div></div>`,
  ],
  [
    'a drawer on the right',
    `<div style="${veil}"></div><div style="position:fixed;right:0;top:0;bottom:0;width:300px;background:#fff">${question}</div>`,
  ],
  [
    'a bottom sheet',
    `<div style="${veil}"><div style="position:absolute;left:0;right:0;bottom:0;height:50%;background:#fff">${question}</div></div>`,
  ],
  [
    'a modal that is longer than the viewport',
    `<div style="${veil};overflow:auto"><div style="margin:40px auto;width:600px;height:2000px;background:#fff">${question}</div></div>`,
  ],
  ['a sheet with its content directly inside', `<div style="${fullScreen}">${question}</div>`],
  ['a translucent menu with its content directly inside', `<div style="${veil}">${question}</div>`],
  [
    'a sheet of header, body and footer',
    `<div style="${fullScreen};display:flex;flex-direction:column"><header><h2>Delete?</h2></header><div style="flex:1;overflow:auto"><button>Yes</button></div><footer><button>No</button></footer></div>`,
  ],
  [
    'a sheet in a positioned wrapper',
    `<div style="position:fixed;inset:0"><div style="position:absolute;inset:0;background:#fff"><header><h2>Delete?</h2></header><div style="height:400px"><button>Yes</button></div><button>No</button></div></div>`,
  ],
  [
    'a panel with a button on its veil',
    `<div style="${veil}"><div style="${panelAt('left:440px;top:200px')};height:300px"><h2>Delete?</h2><button>Yes</button></div><button style="position:absolute;right:60px;top:60px">No</button></div>`,
  ],
  [
    'a panel whose wrapper draws the veil as a pseudo-element',
    `<style>.d::before{content:"";position:fixed;inset:0;background:rgba(0,0,0,.6)}</style><div class=d><div style="${panelAt('left:440px;top:200px')}">${question}</div></div>`,
  ],
  [
    'a panel that draws its veil as a pseudo-element',
    `<style>.d::after{content:"";position:fixed;inset:0;z-index:-1;background:rgba(0,0,0,.6)}</style><div class=d style="${panelAt('left:440px;top:60px')};z-index:1">${question}</div>`,
  ],
])('%s is a dialog, and nothing beneath it is listed', async (_, html) => {
  await using page = await openScriptPage(`${links}<h1>Files</h1>${html}`)
  const snapshot = await page.snapshot()
  expect(roleNames(snapshot)).toEqual(['dialog Delete?', 'button Yes', 'button No'])
  const tree = findNode(snapshot, { role: 'dialog', ref: snapshot.meta.dialog as string })
  expect(roleNames({ ...snapshot, tree })).toEqual(expect.arrayContaining(['button Yes', 'button No']))
  expect(snapshot.stats.omitted?.inert).toBeGreaterThanOrEqual(8)
})

test.each([
  ['the body', 'body::before'],
  ['the root', 'html::after'],
])('a panel in front of a veil that a pseudo-element of %s draws is a dialog', async (_, selector) => {
  await using page = await openScriptPage(
    `<style>${selector}{content:"";position:fixed;inset:0;z-index:1;background:rgba(0,0,0,.6)}</style>${rows}<div style="${panelAt('left:440px;top:200px')};z-index:2">${question}</div>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['dialog Delete?', 'button Yes', 'button No'])
})

test.each([
  ['a frame in front of its veil', `<div style="${veil}"></div><iframe style="${panel}" srcdoc="<button>Pay</button>"></iframe>`],
  ['a frame on its veil', `<div style="${veil}"><iframe style="${panel}" srcdoc="<button>Pay</button>"></iframe></div>`],
  ['a frame that covers the page', `<iframe style="${fullScreen};width:100%;height:100%" srcdoc="<button>Pay</button>"></iframe>`],
])('%s is the dialog', async (_, html) => {
  await using page = await openScriptPage(`${rows}${html}`)
  const snapshot = await page.snapshot()
  expect(snapshot.meta.dialog).toBe(findNode(snapshot, { role: 'iframe' }).ref)
  expect(roleNames(snapshot).filter(name => name.startsWith('button'))).toEqual(['button Pay'])
})

test('a list of options in front of a modal leaves the modal the dialog', async () => {
  const options = `<div style="position:fixed;left:500px;top:300px;width:300px;background:#fff"><button>Ada</button><br><button>Alan</button><br><button>Grace</button></div>`
  await using page = await openScriptPage(
    `${rows}<div style="${veil}"><div style="${panelAt('left:440px;top:200px')};height:400px">${question}</div></div>${options}`,
  )
  expect(roleNames(await page.snapshot())).toEqual([
    'dialog Delete?',
    'button Yes',
    'button No',
    'button Ada',
    'button Alan',
    'button Grace',
  ])
})

test.each([
  ['beside its panel', `<div onclick=1 style="${veil}"></div><div style="${panel}">${question}</div>`],
  ['around its panel', `<div onclick=1 style="${veil}"><div onclick=2 style="${panel}">${question}</div></div>`],
])('a veil %s that can be clicked does not hide the dialog, and is called its backdrop', async (_, html) => {
  await using page = await openScriptPage(`<a href=1>One</a><a href=2>Two</a><a href=3>Three</a>${html}`)
  const snapshot = await page.snapshot()
  expect(roleNames(snapshot).filter(name => !/^generic$/.test(name))).toEqual(['dialog Delete?', 'button Yes', 'button No'])
  const veils = nodes(snapshot).filter(node => node.role === 'generic' && node.interactive)
  expect(veils.map(({ hint }) => hint)).toEqual([{ text: 'backdrop', from: 'position' }])
})

test.each([
  ['bottom right', 'right:0;bottom:0'],
  ['bottom left', 'left:0;bottom:0'],
  ['top right', 'right:0;top:0'],
])('a chat bubble in front of a veil at the %s leaves the panel a dialog', async (_, corner) => {
  const chat = `<div style="position:fixed;z-index:9;${corner}"><button style="width:64px;height:64px">Chat</button></div>`
  await using page = await openScriptPage(`${rows}<div style="${veil}"></div><div style="${panel}">${question}</div>${chat}`)
  expect(roleNames(await page.snapshot())).toEqual(['dialog Delete?', 'button Yes', 'button No', 'button Chat'])
})

test('a header in front of a veil leaves the small panel a dialog, and its own controls in the list', async () => {
  await using page = await openScriptPage(
    `<header style="position:fixed;z-index:9;top:0;left:0;right:0;height:50px;background:#fff"><button>Menu</button></header>
    <main style="margin-top:60px">${rows}</main><div style="${veil}"></div><div style="${panelAt('left:440px;top:60px')}">${question}</div>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['button Menu', 'dialog Delete?', 'button Yes', 'button No'])
})

test('a modal inside an application shell is a dialog', async () => {
  await using page = await openScriptPage(
    `<div style="${fullScreen}"><div style="position:absolute;inset:0;overflow:auto">${rows}</div><div><div style="${veil}"></div><div style="${panelAt('left:440px;top:60px')}">${question}</div></div></div>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['dialog Delete?', 'button Yes', 'button No'])
})

test('a panel that is in the same container as the page is a dialog without the page', async () => {
  await using page = await openScriptPage(
    `<div>${links}<div style="${panelAt('left:440px;top:200px')};z-index:2">${question}</div></div><div style="${veil};z-index:1"></div>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['dialog Delete?', 'button Yes', 'button No'])
})

test('a modal over a modal is the dialog, and the lower one is counted', async () => {
  await using page = await openScriptPage(
    `${rows}<div style="${veil}"><div style="${panel}"><h2>Edit</h2><button>Save</button><button>Cancel</button></div><div style="${veil}"><div style="${panelAt('left:340px;top:130px')}">${question}</div></div></div>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['dialog Delete?', 'button Yes', 'button No'])
})

const image = '<img alt=Sea src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">'
const layer = 'position:absolute;inset:0;width:100%;height:100%'
const hero = (background: string) =>
  `<style>body{margin:0}.hero{position:relative;height:100vh}.hero img,.hero video,.hero iframe,.cap{${layer}}</style><div class=hero>${background}<div class=cap><div style="padding:250px 0 0 300px;width:600px"><h1>Sail away</h1><a href=/book>Book</a></div></div></div><p>Below</p>`
const application = `<header><h1>Mail</h1>${links}</header><main><div style="margin:100px;width:600px">${rows}</div></main>`

test.each([
  ['a caption over an image', hero(image)],
  ['a caption over a video', hero('<video muted loop></video>')],
  ['a caption over a frame', hero('<iframe srcdoc="<p>Sea"></iframe>')],
  ['a caption over an image that is a link', hero(`<a href=/sea>${image}</a>`)],
  ['a caption over the other slides', hero(`<div class=cap style="opacity:0">${rows}</div>`)],
  ['a caption over large letters', hero('<div class=cap style="font-size:200px">SEA</div>')],
  [
    'a page over a background layer',
    `<div style="${layer};background:#def"></div><div style="${layer};overflow:auto">${application}</div>`,
  ],
  [
    'a page before a fixed gradient',
    `<div style="position:fixed;inset:0;z-index:-1;background:linear-gradient(red,blue)"></div>${application}`,
  ],
  [
    'a card before a fixed gradient',
    `<div style="position:fixed;inset:0;background:linear-gradient(red,blue)"></div><div style="position:relative;margin:100px auto;width:400px">${application}</div>`,
  ],
  ['an application shell', `<div style="${fullScreen}">${application}</div>`],
  [
    'an application shell of nested layers',
    `<div style="${fullScreen}"><div style="${layer}"><div style="${layer}">${application}</div></div></div>`,
  ],
  ['an application shell over what was shown until it loaded', `<p>Loading…</p><div style="${fullScreen}">${application}</div>`],
  ['an application shell over a link to its content', `<a href=#main>Skip</a><div style="${fullScreen}">${application}</div>`],
  [
    'an application shell over a closed menu',
    `<nav style="height:0;overflow:hidden">${links}</nav><a href=#main style="position:absolute;left:-999px">Skip</a><div style="${fullScreen}">${application}</div>`,
  ],
  [
    'a map with a side panel',
    `<div style="${fullScreen}"><canvas style="${layer}"></canvas><button style="position:absolute;right:9px;top:9px">Zoom in</button></div><div style="position:absolute;left:0;top:0;bottom:0;width:340px;background:#fff">${application}</div>`,
  ],
  ['a sticky header', `<header style="position:sticky;top:0;background:#fff">${links}</header>${rows}${rows}`],
  [
    'a toast in a layer that lets clicks through',
    `${rows}<div style="${veil};pointer-events:none"><div style="position:absolute;right:0;top:0;width:300px;height:80px;pointer-events:auto">Saved <button>Undo</button></div></div>`,
  ],
  [
    'a side panel in a layer that lets clicks through',
    `${rows}<div style="position:fixed;inset:0;pointer-events:none"><div style="position:absolute;left:0;top:0;bottom:0;width:60%;background:#fff;pointer-events:auto">${application}</div></div>`,
  ],
  ['a chat bubble', `${rows}<div style="position:fixed;right:0;bottom:0;width:64px;height:64px"><button>Chat</button></div>`],
  ['a veil without a panel', `${rows}<div style="${veil}"></div>`],
])('%s is not a dialog', async (_, html) => {
  await using page = await openScriptPage(html)
  const snapshot = await page.snapshot()
  expect(snapshot.meta.dialog).toBeUndefined()
  expect(roleNames(snapshot).filter(name => name.startsWith('dialog'))).toEqual([])
})

test('a page without a veil costs four hit tests', async () => {
  const counter = `<script>
    const { elementFromPoint } = Document.prototype
    window.hitTests = 0
    Document.prototype.elementFromPoint = function (x, y) { hitTests++; return elementFromPoint.call(this, x, y) }
  </script>`
  await using page = await openScriptPage(`${counter}<div style="height:3000px"></div>`, { late: true })
  await page.snapshot()
  expect(await page.evaluate('hitTests')).toBe(4)
})
