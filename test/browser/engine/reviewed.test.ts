import { expect, test } from 'vitest'
import { AgentBrowser, type PageSnapshotOptions } from '../../../src/index.ts'
import { lookAt, named, nodes } from '../../support/looking.ts'

// each of these was once wrong

test('text of list items without controls is shown in the first lines or counted as omitted', async () => {
  await using page = await lookAt(
    `<main><h1>T</h1><ul>${Array.from({ length: 60 }, (_, i) => `<li>Plain item ${i}</li>`).join('')}</ul></main>`,
  )
  const { stats } = await page.look()
  const text = await page.text()
  expect(text).toContain('Plain item 0')
  expect((stats.omitted?.text ?? 0) + (text.match(/Plain item/g)?.length ?? 0)).toBe(60)
})

test('a clickable table cell is named by its content', async () => {
  await using page = await lookAt(
    '<table role=grid aria-label=May><tr><td role=gridcell tabindex=0>1</td><td onclick="1">2</td><th tabindex=0>Name</th></tr></table>',
  )
  expect(
    nodes(await page.look())
      .filter(node => node.interactive)
      .map(node => node.name),
  ).toEqual(['1', '2', 'Name'])
})

test('a card with a pointer cursor keeps its ref and text, even around a heading or a button', async () => {
  await using page = await lookAt(
    '<div style="cursor:pointer"><h3>Card title</h3><p>From 99 EUR</p></div><div style="cursor:pointer"><b>Ann</b><p>Last message</p><button>x</button></div><div style="cursor:pointer"><a href=#>only a link</a></div>',
  )
  const snapshot = await page.look()
  expect(
    nodes(snapshot)
      .filter(node => node.role === 'generic')
      .map(node => node.text),
  ).toEqual(['From 99 EUR', 'Ann Last message'])
  expect(await page.text()).toContain('Card title')
})

test('children of a clickable element do not get refs of their own', async () => {
  await using page = await lookAt(
    '<style>div{padding:2px}</style><div onclick="1" style="cursor:pointer"><div class=a>Title</div><div class=b>Sub</div></div>',
  )
  expect(
    nodes(await page.look())
      .filter(node => node.ref)
      .map(node => node.text),
  ).toEqual(['Title Sub'])
})

test('a menu on top of a modal dialog is not treated as behind it', async () => {
  await using page = await lookAt(`${'<button>page</button>'.repeat(12)}
    <div style="position:fixed;inset:0;background:#0008"><div role=dialog aria-modal=true aria-label=Edit style="position:absolute;left:100px;top:100px;width:300px;height:200px;background:#fff"><button>Save</button></div></div>
    <ul role=listbox aria-label=Colours style="position:fixed;left:120px;top:220px;width:100px;background:#fff;margin:0;padding:0"><li role=option>Red</li><li role=option>Blue</li></ul>`)
  expect(named(await page.look())).toEqual(['dialog Edit', 'button Save', 'listbox Colours', 'option Red', 'option Blue'])
})

test('following every call suggested by the text reaches every link of two columns', async () => {
  const column = (name: string) => `<div>${Array.from({ length: 400 }, (_, i) => `<p><a href=#>${name} ${i}</a></p>`).join('')}</div>`
  await using page = await lookAt(`<div style="display:flex">${column('left')}${column('right')}</div>`)
  const reached = new Set<string>()
  const calls: PageSnapshotOptions[] = [{}]
  const made = new Set<string>()
  for (let call = calls.shift(); call && made.size < 60; call = calls.shift()) {
    const { text } = AgentBrowser.renderSnapshot(await page.evaluate(AgentBrowser.snapshotJs(call)))
    for (const [, name] of text.matchAll(/link "((?:left|right) \d+)"/g)) reached.add(name ?? '')
    for (const [, kind, ref] of text.matchAll(/(after|scope)=(e\d+)/g)) {
      if (!made.has(`${kind}${ref}`)) calls.push({ [kind ?? '']: ref })
      made.add(`${kind}${ref}`)
    }
  }
  expect(reached.size).toBe(800)
})

test.each([
  'class Map {}',
  'class Set {}',
  'window.Object = null',
  'window.Array = {}',
  'window.JSON = {}',
  'Math = null',
  'class WeakRef {}',
  'window.Number = 0',
])('a page that runs "%s" gets a normal snapshot', async script => {
  await using page = await lookAt(`<button>A</button><select><option>b</select><script>${script}</script>`)
  expect(named(await page.look())).toEqual(['button A', 'combobox', 'option b'])
})

test.each([
  'Object.prototype.scope = "#x"',
  'Object.defineProperty(Object.prototype, "name", { set() {}, get() {}, configurable: true })',
  'Object.prototype.get = function () {}; Math.max = () => 7',
  'Object.defineProperty(Array.prototype, 0, { set() {}, configurable: true })',
])('a page that changes the prototype of every object does not affect the snapshot: %s', async script => {
  await using page = await lookAt(`<button>A</button><p id=x>b</p><script>${script}</script>`)
  expect(named(await page.look())).toEqual(['button A'])
})

test('controls scrolled out of a container or a frame are not reported as covered', async () => {
  const under = '<div style="height:400px"><button style="width:300px;height:300px">Under</button></div>'
  const items = Array.from({ length: 14 }, (_, i) => `<button style="display:block;height:40px">item ${i}</button>`).join('')
  await using scroller = await lookAt(`<div style="height:200px;overflow:auto">${items}</div>${under}`)
  await using frame = await lookAt(`<iframe style="height:200px" srcdoc='${items}'></iframe>${under}`)
  for (const page of [scroller, frame]) expect(nodes(await page.look()).filter(node => node.states?.covered)).toEqual([])
})

test('the input of a custom widget keeps its ref below the layers that the widget draws over it', async () => {
  await using page = await lookAt(
    '<div style="position:relative;width:200px;height:30px"><span style="display:block;height:30px"><input role=combobox aria-label=Fruit style="opacity:0;width:190px;height:24px"></span><span style="position:absolute;inset:0;background:#fff">Select a fruit</span></div>',
  )
  expect(named(await page.look())).toEqual(['combobox Fruit'])
})

test('a drawer parked outside the viewport is left out', async () => {
  const drawer = (style: string) =>
    `<div role=dialog aria-label=Cart style="position:fixed;top:0;width:400px;height:100%;${style}"><button>Checkout</button></div>`
  await using page = await lookAt(
    `<button>Open</button>${drawer('right:0;transform:translateX(100%)')}${drawer('right:-400px')}${drawer('left:-400px')}`,
  )
  expect(named(await page.look())).toEqual(['button Open'])
})

test('a link that wraps at the end of the viewport is not reported as covered', async () => {
  await using page = await lookAt(
    `<div style="width:400px;line-height:20px">${Array.from({ length: 600 }, (_, i) => `<a href=#>Link number ${i}</a> `).join('')}</div>`,
  )
  expect(nodes(await page.look({ maxNodes: 600 })).filter(node => node.states?.covered)).toEqual([])
})

test('areas of an image map are links', async () => {
  await using page = await lookAt(
    '<map name=m><area href="/a" alt="North" shape=rect coords="0,0,20,20"></map><img usemap="#m" src="data:," width=40 height=40 alt=Map>',
  )
  expect(named(await page.look())).toEqual(['link North'])
})

test('text in closed details and hidden frames is left out', async () => {
  const frame = (style: string) => `<iframe style="${style}" srcdoc="FRAMETEXT<button>f</button>"></iframe>`
  await using page = await lookAt(
    `<details><summary>More</summary>CLOSEDTEXT</details>${frame('position:absolute;left:-9999px')}${frame('opacity:0')}${frame('height:0;border:0')}`,
  )
  const text = await page.text({ interactiveOnly: false })
  expect(text).toContain('More')
  expect(text).not.toMatch(/CLOSEDTEXT|FRAMETEXT|button "f"/)
})

test('secrets are redacted in every kind of field (TRUST A4)', async () => {
  await using page =
    await lookAt(`<textarea role=combobox autocomplete=one-time-code>SENTINEL</textarea><select autocomplete=cc-exp-month><option>SENTINEL</select>
    <div contenteditable>Hi <span style="display:none">SENTINEL</span></div><input type=password value=SENTINEL>`)
  for (const options of [{}, { interactiveOnly: false }]) expect(JSON.stringify(await page.raw(options))).not.toContain('SENTINEL')
  expect(await page.raw({ includeAttrs: ['VALUE'] })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('neither a huge state nor deep nesting makes the JSON larger than 100 KB (TRUST A6)', async () => {
  await using page = await lookAt('<div id=d role=slider tabindex=0>x</div><main id=m></main>')
  await page.evaluate(
    'd.setAttribute("aria-valuetext", "x".repeat(1e6)); let e = m; for (let i = 0; i < 480; i++) { e = e.appendChild(document.createElement("section")); e.setAttribute("aria-label", "漢".repeat(200)) } e.innerHTML = "<button>b</button>"',
  )
  expect(Buffer.byteLength(await page.evaluate<string>(AgentBrowser.snapshotJs()))).toBeLessThanOrEqual(100_000)
})

test('a frame with a forged frameElement does not break the snapshot', async () => {
  await using page = await lookAt('<iframe id=f srcdoc="<button>in</button>"></iframe><button>out</button>')
  await page.evaluate('Object.defineProperty(f.contentWindow, "frameElement", { get() { return f.contentDocument.body } }), 1')
  expect(named(await page.look())).toEqual(['iframe', 'button in', 'button out'])
})

test('a ref is accepted as scope in every spelling, including a bare number (C1)', async () => {
  await using page = await lookAt('<button>a</button>')
  await page.look()
  expect((await page.look({ scope: '1' })).tree).toMatchObject({ ref: 'e1', name: 'a' })
})

test('hidden text is not counted as omitted text', async () => {
  await using page = await lookAt(`<nav>${'<p style="display:none">x</p>'.repeat(9)}<p>y</p></nav>`)
  expect((await page.look()).stats.omitted).toEqual({ text: 1 })
})

test('controls that are clipped away are counted as covered', async () => {
  await using page = await lookAt(
    `<div style="height:60px;overflow:hidden">${'<button style="display:block;height:30px">b</button>'.repeat(8)}</div>`,
  )
  expect((await page.look()).stats.omitted).toEqual({ covered: 6 })
})

test('scoping to a frame returns its content', async () => {
  await using page = await lookAt('<button>out</button><iframe title=F srcdoc="<button>in</button>"></iframe>')
  expect(named(await page.look())).toEqual(['button out', 'iframe F', 'button in'])
  expect(named(await page.look({ scope: 'iframe' }))).toEqual(['button in'])
  expect(named(await page.look({ scope: 'e2' }))).toEqual(['button in'])
})

test('format flat includes the text of list items', async () => {
  await using page = await lookAt('<ul><li>9 EUR <a href=/a>Lamp</a></li><li>12 EUR <a href=/b>Rug</a></li></ul>')
  expect(await page.text({}, { format: 'flat' })).toMatch(/text "9 EUR"\n\[1\] link "Lamp"\ntext "12 EUR"/)
})

test('images left out by interactiveOnly are counted as omitted', async () => {
  await using page = await lookAt('<main><h1>Charts</h1><img alt="Sales rose" src="data:," width=9 height=9></main>')
  expect((await page.look()).stats.omitted).toEqual({ text: 1 })
})

test('a snapshot with other options marks nothing as new on an unchanged page', async () => {
  await using page = await lookAt(
    '<ul><li>3 EUR <a href=#>x</a></li></ul><img alt=chart src="data:," width=9 height=9><button hidden>h</button>',
  )
  await page.look()
  for (const options of [{ interactiveOnly: false }, { includeHidden: true }, {}])
    expect(nodes(await page.look(options)).filter(node => node.new)).toEqual([])
})

test('an alert and a dialog that appear are marked as new in the text', async () => {
  await using page = await lookAt('<button>a</button>'.repeat(9))
  await page.look()
  await page.evaluate(
    'document.body.insertAdjacentHTML("beforeend", "<p role=alert>Saved</p><div role=dialog aria-label=Sure>Really?<button>Yes</button></div>"), 1',
  )
  const text = await page.text()
  expect(text).toMatch(/alert \[new\].*"Saved"/)
  expect(text).toMatch(/dialog "Sure" \[new\]/)
})

test('includeHidden marks every control behind a modal dialog as inert', async () => {
  await using page = await lookAt(
    `${'<p><a href=#>l</a></p>'.repeat(60)}<dialog id=d><button>ok</button></dialog><script>d.showModal()</script>`,
  )
  const links = nodes(await page.look({ includeHidden: true })).filter(node => node.role === 'link')
  expect(links).toHaveLength(60)
  expect(links.filter(node => !node.states?.inert)).toEqual([])
})

test('opening a modal dialog removes nothing in the diff', async () => {
  await using page = await lookAt(`${'<p><a href=#>l</a></p>'.repeat(60)}<dialog id=d><button>ok</button></dialog>`)
  const look = () => page.evaluate(AgentBrowser.snapshotJs())
  const closed = await look()
  await page.evaluate('d.showModal()')
  const open = await look()
  expect(AgentBrowser.diffSnapshots(closed, open).text).toMatch(/appeared=2\n[\s\S]*behind the dialog e\d+ now/)
  expect(AgentBrowser.diffSnapshots(open, closed).text).toMatch(/in reach again/)
})
