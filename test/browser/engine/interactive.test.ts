import { expect, test } from 'vitest'
import { snapshot } from '../../../src/html.ts'
import { nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

test('elements with a click handler, a tabindex or their own pointer cursor are interactive (S0-28)', async () => {
  await using page = await openScriptPage(`
    <span onclick="1">attribute</span><span id=p>property</span><div tabindex=0>tab</div>
    <div style="cursor:pointer">cursor <span>inherits</span></div><div tabindex=-1>no</div><div>plain</div>
    <script>p.onclick = () => 1</script>`)
  const texts = async (cursorInteractive: boolean) =>
    nodes(await page.snapshot({ cursorInteractive }))
      .filter(node => node.interactive)
      .map(node => node.text)
  expect(await texts(false)).toEqual(['attribute', 'property', 'tab'])
  expect(await texts(true)).toEqual(['attribute', 'property', 'tab', 'cursor inherits'])
})

test('a clickable table cell is named by its content', async () => {
  await using page = await openScriptPage(
    '<table role=grid aria-label=May><tr><td role=gridcell tabindex=0>1</td><td onclick="1">2</td><th tabindex=0>Name</th></tr></table>',
  )
  expect(
    nodes(await page.snapshot())
      .filter(node => node.interactive)
      .map(node => node.name),
  ).toEqual(['1', '2', 'Name'])
})

test('a card with a pointer cursor keeps its ref and text, even around a heading or a button', async () => {
  await using page = await openScriptPage(
    '<div style="cursor:pointer"><h3>Card title</h3><p>From 99 EUR</p></div><div style="cursor:pointer"><b>Ann</b><p>Last message</p><button>x</button></div><div style="cursor:pointer"><a href=#>only a link</a></div>',
  )
  const snapshot = await page.snapshot()
  expect(
    nodes(snapshot)
      .filter(node => node.role === 'generic')
      .map(node => node.text),
  ).toEqual(['From 99 EUR', 'Ann | Last message'])
  expect(await page.text()).toContain('Card title')
})

test('children of a clickable element do not get refs', async () => {
  await using page = await openScriptPage(
    '<style>div{padding:2px}</style><div onclick="1" style="cursor:pointer"><div class=a>Title</div><div class=b>Sub</div></div>',
  )
  expect(
    nodes(await page.snapshot())
      .filter(node => node.ref)
      .map(node => node.text),
  ).toEqual(['Title | Sub'])
})

test('areas of an image map are links', async () => {
  await using page = await openScriptPage(
    '<map name=m><area href="/a" alt="North" shape=rect coords="0,0,20,20"></map><img usemap="#m" src="data:," width=40 height=40 alt=Map>',
  )
  expect(roleNames(await page.snapshot())).toEqual(['link North'])
})

const clickable = async (html: string, options?: object) => {
  await using page = await openScriptPage(html)
  return nodes(await page.snapshot(options))
    .filter(node => node.interactive)
    .map(node => node.name || node.text)
}

test.each([
  'data-action=save',
  'data-action="click->menu#open"',
  'jsaction="click:open"',
  'jsaction="load:start;click:open"',
  'data-bs-toggle=dropdown',
  'ng-click="open()"',
  '(click)="open()"',
  '@click.prevent="open"',
  'v-on:click="open"',
  'x-on:click="open = true"',
  'hx-get="/part"',
  'wire:click="save"',
  'data-route="/orders"',
])('an element with %s is a control, because a listener on the document serves it (S0-28)', async attribute => {
  expect(await clickable(`<div ${attribute}>Open</div>`)).toEqual(['Open'])
})

test.each([
  'data-action=""',
  'data-action="input->form#check"',
  'jsaction="load:start"',
  'data-toggle=buttons',
  'hx-get="/part" hx-trigger="load"',
  'data-id=7',
  'data-theme=dark',
])('an element with %s is no control', async attribute => {
  expect(await clickable(`<div ${attribute}>Open</div>`)).toEqual([])
})

test('a link without an address inside a clickable row has a ref, and the row is only an item (S0-28)', async () => {
  const row = (name: string) => `<tr><td><a>${name}</a></td><td>Berlin</td><td><span class=menu>Menu</span></td></tr>`
  const html = `<style>tr,.menu{cursor:pointer}</style><table>${row('Ann')}${row('Bob')}</table>`
  expect(await clickable(html)).toEqual(['Ann', 'Menu', 'Bob', 'Menu'])
})

test('a part of a clickable row has a ref if a style rule gives it the cursor, and not if it inherits it (S0-28)', async () => {
  const html = `<style>.day,.entry{cursor:pointer}.all *{cursor:pointer}</style>
    <div class=day><b>1</b><div class=entry>Meeting</div><i style="cursor: pointer">×</i></div><div class="day all"><u>2</u><b>May</b></div>`
  expect(await clickable(html)).toEqual(['1', 'Meeting', '×', '2May'])
})

test('elements far below the viewport are controls if a style rule gives them the cursor', async () => {
  const html = `<style>.far{cursor:pointer}</style><div class=far>Near</div><main><a href=#>Link</a><div style="height:9000px"></div><button>Far</button><div class=far>Below</div></main>`
  expect(await clickable(html)).toEqual(['Near', 'Link', 'Far', 'Below'])
})

test('what something can be dropped on has a ref: a handler, a name, or the container of draggable elements, even if it is empty', async () => {
  await using page = await openScriptPage(`<style>div, section { min-height: 20px }</style><h1>Board</h1>
    <section aria-label="To do"><h2>To do</h2><article draggable=true aria-label=Ticket>Ticket</article></section><section aria-label=Done></section>
    <div class=lane><div draggable=true>a</div><div draggable=true>b</div></div><div class=lane></div>
    <div id=bin ondrop="" ondragover=""></div><div id=box></div><div id=target>Drop here</div><div id=dropdown>no target</div><div class=plain></div>
    <script>box.ondragover = event => event.preventDefault()</script>`)
  expect(roleNames(await page.snapshot())).toEqual([
    'region To do',
    'article Ticket',
    'region Done',
    'item',
    'generic',
    'generic',
    'item',
    'generic',
    'generic',
    'generic',
  ])
  const text = await page.text()
  expect(text).toContain('hint="bin"')
  expect(text).toContain('hint="box"')
  expect(text).toMatch(/ref=e\d+\]: "Drop here"/)
})

test('without draggable elements, the name of an element does not make it a drop target', async () => {
  await using page = await openScriptPage('<div id=target>Goal</div><section aria-label=Done>text</section>')
  expect(roleNames(await page.snapshot())).toEqual([])
})

test('the text of a control with a label is printed if it says more than the label', async () => {
  await using page =
    await openScriptPage(`<a href=/l aria-label="Likes of this post"><b>874</b> likes</a><button aria-label=Cart>Cart (3)</button>
    <a href=/a aria-label="Read article"><h3>Outage</h3><p>One in ten is affected</p></a><button aria-label="Add the oven to the cart">Add to cart</button>
    <button aria-label=Close>×</button><button aria-label=Share><span style="display:none">hidden words</span></button>
    <div role=textbox contenteditable aria-label=Note>some text</div>`)
  const lines = (await page.text())
    .split('\n')
    .flatMap(line => /^ *- (.*)/.exec(line)?.[1]?.replace(/ \[(ref|value|href)=[^\]]*\]/g, '') ?? [])
  expect(lines).toEqual([
    'link "Likes of this post": "874 likes"',
    'button "Cart": "Cart (3)"',
    'link "Read article": "Outage | One in ten is affected"',
    'button "Add the oven to the cart"',
    'button "Close"',
    'button "Share"',
    'textbox "Note"',
  ])
})

test.each([
  ['a file field', '<label style="cursor:pointer">Upload CV<input type=file hidden></label>', 'button Upload CV'],
  ['a checkbox inside', '<label><input type=checkbox hidden><span>I agree</span></label>', 'checkbox I agree'],
  ['a radio button elsewhere', '<input type=radio id=r hidden><label for=r>Express</label>', 'radio Express'],
])('the label of an input with the hidden attribute is drawn in its place: %s', async (_, html, expected) => {
  await using page = await openScriptPage(html)
  expect(roleNames(await page.snapshot())).toEqual([expected])
  expect(snapshot(html).snapshotText).toContain(`"${expected.replace(/^\w+ /, '')}"`)
})

test('an input with the hidden attribute and without a label is left out', async () => {
  await using page = await openScriptPage('<input type=checkbox hidden><input type=text hidden value=x><button>Go</button>')
  expect(roleNames(await page.snapshot())).toEqual(['button Go'])
})

test('a label without a control is clickable by its cursor, like any other element', async () => {
  await using page = await openScriptPage(`<style>label { cursor: pointer }</style><label class=a><i></i> Apples</label><label></label>
    <label>Name <input></label>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(({ role, name, text }) => `${role} ${name || text}`)).toEqual(['generic Apples', 'textbox Name'])
})

test('the members of a group that listens for them have refs, and the group has none', async () => {
  await using page = await openScriptPage(`<div id=keys>${[7, 8, 9].map(key => `<div class=key>${key}</div>`).join('')}</div>
    <ul id=menu><li>Rename<li>Duplicate<li>Delete</ul>
    <div id=board>${'<div class=cell style="width:40px;height:40px"></div>'.repeat(4)}</div>
    <section id=text>${'<p>A paragraph of an article that counts its clicks, and nothing else.</p>'.repeat(3)}</section>
    <div id=card style="cursor:pointer"><p>One<p>Two<p>Three</div>
    <script>for (const each of [keys, menu, board, text, card]) each.addEventListener('click', () => 1)</script>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(node => node.name || node.text)).toEqual([
    ...['7', '8', '9', 'Rename', 'Duplicate', 'Delete', '', '', '', ''],
    expect.stringMatching(/^A paragraph/),
    'One | Two | Three',
  ])
})

/** names or texts of all controls, in document order */
const controlsOf = async (html: string) => {
  await using page = await openScriptPage(html)
  return nodes(await page.snapshot())
    .filter(node => node.interactive)
    .map(node => node.name || node.text)
}
const times = (count: number, html: (i: number) => string) => Array.from({ length: count }, (_, i) => html(i + 1)).join('')
const listening = (html: string) => `<div id=all>${html}</div><script>all.addEventListener('click', () => 1)</script>`

test.each([
  {
    what: 'cards in the columns of a board',
    html: times(2, column => `<div class=col><h3>${column}</h3>${times(2, i => `<div class=card>Task ${column}${i}</div>`)}</div>`),
    controls: ['Task 11', 'Task 12', 'Task 21', 'Task 22'],
  },
  {
    what: 'rows of a table, whatever their length, and not its header',
    html: `<table><tr><th>Name<th>Company</tr>${times(3, i => `<tr><td>Ada ${i}<td>A company with quite a long name, number ${i}`)}</table>`,
    controls: times(3, i => `Ada ${i} | A company with quite a long name, number ${i};`)
      .split(';')
      .slice(0, 3),
  },
  {
    what: 'cells of a sheet, empty ones too',
    html: `<table>${times(2, row => `<tr><td style="width:40px;height:20px">${row}<td style="width:40px;height:20px">`)}</table>`,
    controls: ['1', '', '2', ''],
  },
  {
    what: 'icons behind the words of an item',
    html: times(3, i => `<div class=file><span>File ${i}</span> <b class=del>\u2715</b></div>`),
    controls: ['File 1', '\u2715', 'File 2', '\u2715', 'File 3', '\u2715'],
  },
  {
    what: 'an appointment on a day',
    html: '<b>Monday</b>',
    after: `<div id=day style="position:relative;height:600px"><div style="position:absolute;top:90px"><b>Standup</b> 9:00</div></div>
      <script>day.addEventListener('mousedown', () => 1)</script>`,
    controls: ['Monday', 'Standup 9:00'],
  },
  {
    what: 'elements with a class for scripts, even if others show the cursor',
    html: `<span style="cursor:pointer">New</span> <span class="pill js-stage">Won</span> <span class=note>7 leads</span>`,
    controls: ['New', 'Won'],
  },
])(
  'an element that listens for others without a cursor has no ref, and they have: $what (S0-28)',
  async ({ html, after = '', controls }) => {
    expect(await controlsOf(listening(html) + after)).toEqual(controls)
  },
)

test.each([
  ['paragraphs and a list with bullets', '<p>One</p><p>Two</p><p>Three</p><section><ul><li>Milk<li>Flour<li>Eggs</ul></section>'],
  ['items that are read', times(3, () => `<div class=post>${'A sentence that is there to be read. '.repeat(5)}</div>`)],
  ['items that consist of links', times(3, i => `<div class=item><a href=/${i}>Link ${i}</a></div>`)],
])('a text in an element that counts clicks gets no refs: %s', async (_, html) => {
  const found = await controlsOf(listening(`${html}<div style="height:200px"></div><div>${times(50, () => '<i></i>')}</div>`))
  expect(found.filter(name => !/^Link/.test(`${name}`))).toEqual([])
})

test('the root of a framework is no control, although it has a handler for clicks as a property', async () => {
  const html = `<div id=root><div><b>Revenue</b> $48</div><div id=view>View all</div></div><svg width=20 height=20><rect id=bar width=20 height=20 /></svg><script>
    for (let i = 0; i < 40; i++) root.addEventListener(i ? 'type' + i : 'click', () => 1)
    root.onclick = () => {}
    view.onclick = bar.onclick = () => 1</script>`
  expect(await controlsOf(html)).toEqual(['View all', ''])
})

test('elements with a cursor for dragging have refs, and so have clickable ones inside them', async () => {
  await using page = await openScriptPage(`<style>.it { cursor: grab } .row { cursor: move } .menu { cursor: pointer }</style>
    <ul><li class=it>One <span class=menu>⋮ more</span></li><li class=it>Two</li></ul><div class=row>Row 1</div>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(node => node.name || node.text)).toEqual(['One', '⋮ more', 'Two', 'Row 1'])
})

test('a shape of an SVG image is not covered by its own label', async () => {
  await using page = await openScriptPage(`<svg id=s width=400 height=120><g><rect width=30 height=30 style="cursor:pointer"/>
    <text x=2 y=22 font-size=22>A1</text></g></svg><script>s.addEventListener('click', () => 1)</script>`)
  const [seat] = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(seat?.states?.covered).toBeUndefined()
  expect((await page.act(seat?.ref as string, 'click')).ok).toBe(true)
})

test('a part of the page without controls that scrolls has a ref and says where it goes on, and the page is not complete', async () => {
  const pane = (id: string, content: string) => `<div id=${id} style="height:100px;overflow:auto">${content}</div>`
  await using page =
    await openScriptPage(`<main>${pane('log', '<p>Line</p>'.repeat(20))}${pane('list', '<p>Row <button>Open</button></p>'.repeat(20))}
    ${pane('short', '<p>All of it</p>')}</main>`)
  const before = await page.text()
  expect(before).toMatch(/- generic \[scrolls="down"\] \[ref=e1\]/)
  expect(before.match(/scrolls=/g)).toHaveLength(1)
  expect(before.split('\n')[0]).not.toContain('complete')
  await page.evaluate('log.scrollTop = 50')
  expect(await page.text()).toContain('[scrolls="up and down"]')
  await page.evaluate('log.scrollTop = 1e6')
  expect(await page.text()).toContain('[scrolls="up"]')
})
