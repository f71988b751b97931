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
