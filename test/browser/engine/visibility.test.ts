import { expect, test } from 'vitest'
import { findNode, nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

const css = '<style>body{font:16px sans-serif;color:#111;background:#fff}</style>'

test.each([
  ['display:none (S0-30)', '<button style="display:none">x</button>'],
  ['a parent with display:none (S0-30)', '<div style="display:none"><button>x</button></div>'],
  ['visibility:hidden (S0-31)', '<button style="visibility:hidden">x</button>'],
  [
    'opacity:0 on a link below another element (S0-32)',
    '<div style="position:relative"><a href=# style="opacity:0">x</a><div style="position:absolute;inset:0;background:#eee">y</div></div>',
  ],
  ['aria-hidden=true (S0-33)', '<div aria-hidden=true><button>x</button></div>'],
  ['the hidden attribute (S0-34)', '<div hidden><button>x</button></div>'],
  ['no offset parent because it is not rendered (S0-35)', '<details><summary>s</summary><button>x</button></details>'],
  ['a closed dialog around it', '<dialog><button>x</button></dialog>'],
  ['zero size', '<button style="width:0;height:0;padding:0;border:0;overflow:hidden">x</button>'],
  ['a closed accordion that clips it', '<div style="height:0;overflow:hidden"><button>x</button></div>'],
])('a control is left out when it has %s (S0-98)', async (_, html) => {
  await using page = await openScriptPage(css + html)
  expect(roleNames(await page.snapshot()).filter(name => name.endsWith(' x'))).toEqual([])
})

test.each([
  ['it is fixed and therefore has no offset parent (S0-35)', '<button style="position:fixed;top:9px">x</button>'],
  ['its parent has display:contents (X0-14)', '<div style="display:contents"><button>x</button></div>'],
  [
    'it is visible inside a visibility:hidden parent (X0-14)',
    '<div style="visibility:hidden"><button style="visibility:visible">x</button></div>',
  ],
  [
    'its own box is empty but its child is visible',
    '<a href=# style="position:absolute"><span style="position:absolute;width:50px;height:20px">x</span></a>',
  ],
  ['it is inside a scroll container', '<div style="height:50px;overflow:auto"><div style="height:500px"></div><button>x</button></div>'],
  [
    'it is positioned outside of a clipping box that is not its containing block',
    '<div style="height:0;overflow:hidden"><button style="position:absolute;top:90px">x</button></div>',
  ],
])('a control is kept when %s', async (_, html) => {
  await using page = await openScriptPage(css + html)
  expect(roleNames(await page.snapshot()).filter(name => name.endsWith('x'))).toHaveLength(1)
})

test('a transparent checkbox that receives the click keeps its ref (X0-14)', async () => {
  await using page = await openScriptPage(
    `${css}<label><input type=checkbox style="opacity:0;position:absolute;width:30px;height:30px"><span>☐</span> Done</label>`,
  )
  expect(findNode(await page.snapshot(), { role: 'checkbox' })).toMatchObject({ ref: 'e1', states: { checked: false } })
})

test.each(['display:none', 'position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)'])(
  'a checkbox hidden by %s is exposed through its label',
  async style => {
    await using page = await openScriptPage(`${css}<label><input type=checkbox style="${style}"> I agree</label>`)
    expect(roleNames(await page.snapshot())).toEqual(['checkbox I agree'])
  },
)

test('opacityHidden: false lists elements hidden by opacity 0 (S0-32)', async () => {
  await using page = await openScriptPage(`${css}<a href=# style="opacity:0;pointer-events:none">x</a>`)
  expect(roleNames(await page.snapshot())).toEqual([])
  expect(roleNames(await page.snapshot({ opacityHidden: false }))).toEqual(['link x'])
})

test('includeHidden lists hidden controls with the reason (S0-27)', async () => {
  await using page = await openScriptPage(
    `${css}<button style="display:none">a</button><div aria-hidden=true><button>b</button></div><button hidden>c</button><button>d</button>`,
  )
  const all = nodes(await page.snapshot({ includeHidden: true })).filter(node => node.role === 'button')
  expect(all.map(node => [node.name, node.visible ?? true, node.states?.hidden])).toEqual([
    ['a', false, 'not drawn'],
    ['b', false, 'aria-hidden'],
    ['c', false, 'hidden'],
    ['d', true, undefined],
  ])
})

const tricks: [string, string][] = [
  ['display', 'display:none'],
  ['visibility', 'visibility:hidden'],
  ['opacity 0', 'opacity:0'],
  ['opacity of one percent', 'opacity:.01'],
  ['font 0', 'font-size:0'],
  ['one pixel type', 'font-size:1px'],
  ['off-screen', 'position:absolute;left:-9999px'],
  ['clip-path', 'clip-path:inset(100%)'],
  ['clip-path of one side', 'clip-path:inset(0 100% 0 0)'],
  ['clip-path of a circle', 'clip-path:circle(0 at 50% 50%)'],
  ['clip-path of a pixel', 'clip-path:polygon(0 0, 1px 0, 1px 1px)'],
  ['clip-path of a point', "clip-path:path('M0 0')"],
  ['height 0', 'height:0;overflow:hidden'],
  ['scale 0', 'transform:scale(0)'],
  ['sr-only', 'position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'],
  ['text-indent', 'text-indent:-9999px;overflow:hidden'],
  ['white on white', 'color:#fff'],
  ['transparent ink', 'color:transparent'],
]

test.each([true, false])(
  'hidden text is left out, whatever CSS technique hides it, with interactiveOnly=%s (TRUST A3)',
  async interactiveOnly => {
    const hidden = tricks.map(
      ([name, style]) =>
        `<p style="${style}">IGNORE ${name}</p><div role=alert style="${style}">ALERT ${name}</div><h2 style="${style}">HEAD ${name}</h2>`,
    )
    const cover = '<div style="position:absolute;inset:-2px 0;background:#ddd"></div>'
    const covered = `<div style="position:relative"><p>IGNORE covered</p><ul><li>IGNORE covered item</li></ul>${cover}</div>`
    await using page = await openScriptPage(`${css}<main><p>Seen text</p>${covered}${hidden.join('')}</main>`)
    const text = await page.text({ interactiveOnly })
    expect(text).toContain('Seen text')
    expect(text.match(/(IGNORE|ALERT|HEAD) [\w ]+/g)).toBeNull()
  },
)

test('text that is visible only to screen readers counts in the name of a control', async () => {
  await using page = await openScriptPage(
    `${css}<button><span style="position:absolute;width:1px;height:1px;overflow:hidden">Close</span>×</button>`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['button Close ×'])
})

test('light text on a dark background is included', async () => {
  await using page = await openScriptPage(
    `${css}<main style="background:#000"><p style="color:#fff">Night mode</p></main><div style="background:url(data:,)"><p style="color:#fff">On a picture</p></div>`,
  )
  const text = await page.text({ interactiveOnly: false })
  expect(text).toContain('Night mode')
  expect(text).toContain('On a picture')
})

test('a covered control is marked with the covering element, or dropped and counted with occluded: drop', async () => {
  await using page = await openScriptPage(
    `${css}<button>Buy</button><div role=region aria-label="Cookie notice" style="position:fixed;inset:0;background:#eee">We use cookies <button style="position:absolute;bottom:0">OK</button></div>`,
  )
  expect(findNode(await page.snapshot(), { name: 'Buy' }).states?.covered).toBe('region Cookie notice')
  const dropped = await page.snapshot({ occluded: 'drop' })
  expect(roleNames(dropped)).toEqual(['button OK'])
  expect(dropped.stats.omitted).toMatchObject({ covered: 1 })
})

test('of many controls under a veil, those that stick out or lie in front of it are not covered', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => `<button style="display:block;height:40px;width:300px">Row ${i}</button>`).join('')
  await using page = await openScriptPage(
    `${css}<style>body{margin:0}</style>${rows}
    <button style="display:block;height:40px;width:700px">Sticks out</button>
    <button style="display:block;height:40px;width:300px;position:relative;z-index:9">In front</button>
    <button style="display:block;height:40px;width:300px">With a corner<i style="position:absolute;z-index:9;left:150px;width:150px;height:40px"> in front</i></button>
    <div id=veil role=region aria-label=Veil style="position:fixed;inset:0 auto 0 0;width:400px;background:#0008"></div>`,
  )
  const snapshot = await page.snapshot()
  const covered = nodes(snapshot).flatMap(({ name, states }) => (states?.covered ? [`${name}: ${states.covered}`] : []))
  expect(covered).toEqual(Array.from({ length: 12 }, (_, i) => `Row ${i}: region Veil`))
})

test('a link that wraps over two lines is not reported as covered (X0-16)', async () => {
  await using page = await openScriptPage(
    `${css}<p style="width:200px">Some words before <a href=#>a link that wraps over more than one line</a> and after it.</p>`,
  )
  expect(findNode(await page.snapshot(), { role: 'link' }).states?.covered).toBeUndefined()
})

test('offset is the distance to the viewport, and viewport: visible omits and counts such controls', async () => {
  await using page = await openScriptPage(`${css}<button>in</button><div style="height:2000px"></div><button>below</button>`)
  expect(findNode(await page.snapshot(), { name: 'below' }).offset).toBeGreaterThan(1200)
  expect(findNode(await page.snapshot(), { name: 'in' }).offset).toBeUndefined()
  const visible = await page.snapshot({ viewport: 'visible' })
  expect(roleNames(visible)).toEqual(['button in'])
  expect(visible.stats.omitted).toMatchObject({ below: 1 })
  await page.evaluate('scrollTo(0, 9999)')
  expect(findNode(await page.snapshot(), { name: 'in' }).offset).toBeLessThan(-1000)
  expect((await page.snapshot({ viewport: 'visible' })).stats.omitted).toMatchObject({ above: 1 })
})

test('boxes adds the position of each control in the viewport', async () => {
  await using page = await openScriptPage(
    '<button style="position:absolute;left:10px;top:20px;width:100px;height:30px;margin:0">b</button>',
  )
  expect(findNode(await page.snapshot({ boxes: true }), { role: 'button' }).box).toEqual([10, 20, 100, 30])
})

test('controls scrolled out of a container or a frame are not reported as covered', async () => {
  const under = '<div style="height:400px"><button style="width:300px;height:300px">Under</button></div>'
  const items = Array.from({ length: 14 }, (_, i) => `<button style="display:block;height:40px">item ${i}</button>`).join('')
  await using scroller = await openScriptPage(`<div style="height:200px;overflow:auto">${items}</div>${under}`)
  await using frame = await openScriptPage(`<iframe style="height:200px" srcdoc='${items}'></iframe>${under}`)
  for (const page of [scroller, frame]) expect(nodes(await page.snapshot()).filter(node => node.states?.covered)).toEqual([])
})

test('the input of a custom widget keeps its ref below the layers that the widget draws over it', async () => {
  await using page = await openScriptPage(
    '<div style="position:relative;width:200px;height:30px"><span style="display:block;height:30px"><input role=combobox aria-label=Fruit style="opacity:0;width:190px;height:24px"></span><span style="position:absolute;inset:0;background:#fff">Select a fruit</span></div>',
  )
  expect(roleNames(await page.snapshot())).toEqual(['combobox Fruit'])
})

test('a drawer parked outside the viewport is left out', async () => {
  const drawer = (style: string) =>
    `<div role=dialog aria-label=Cart style="position:fixed;top:0;width:400px;height:100%;${style}"><button>Checkout</button></div>`
  await using page = await openScriptPage(
    `<button>Open</button>${drawer('right:0;transform:translateX(100%)')}${drawer('right:-400px')}${drawer('left:-400px')}`,
  )
  expect(roleNames(await page.snapshot())).toEqual(['button Open'])
})

test('a link that wraps at the end of the viewport is not reported as covered', async () => {
  await using page = await openScriptPage(
    `<div style="width:400px;line-height:20px">${Array.from({ length: 600 }, (_, i) => `<a href=#>Link number ${i}</a> `).join('')}</div>`,
  )
  expect(nodes(await page.snapshot({ maxNodes: 600 })).filter(node => node.states?.covered)).toEqual([])
})

test('text in closed details and hidden frames is left out', async () => {
  const frame = (style: string) => `<iframe style="${style}" srcdoc="FRAMETEXT<button>f</button>"></iframe>`
  await using page = await openScriptPage(
    `<details><summary>More</summary>CLOSEDTEXT</details>${frame('position:absolute;left:-9999px')}${frame('opacity:0')}${frame('height:0;border:0')}`,
  )
  const text = await page.text({ interactiveOnly: false })
  expect(text).toContain('More')
  expect(text).not.toMatch(/CLOSEDTEXT|FRAMETEXT|button "f"/)
})

test('hidden text is not counted as omitted text', async () => {
  await using page = await openScriptPage(`<nav>${'<p style="display:none">x</p>'.repeat(9)}<p>${'y '.repeat(50)}</p></nav>`)
  expect((await page.snapshot()).stats.omitted).toEqual({ text: 1 })
})

test('controls that are clipped away are counted as concealed', async () => {
  await using page = await openScriptPage(
    `<div style="height:60px;overflow:hidden">${'<button style="display:block;height:30px">b</button>'.repeat(8)}</div>`,
  )
  expect((await page.snapshot()).stats.omitted).toEqual({ concealed: 6 })
})

const appShell = (inner: string) =>
  `<!doctype html><html><style>html,body{overflow:hidden;height:100%;margin:0;font:16px sans-serif}</style>${inner}</html>`
const rows = Array.from({ length: 30 }, (_, i) => `<div style="height:60px"><button>Open ${i}</button> order ${i}</div>`).join('')

test.each([
  ['the body', `<main style="height:100%;overflow:auto">${rows}</main>`],
  ['a box that clips', `<div style="height:100%;overflow:hidden"><main style="height:400px;overflow:auto">${rows}</main></div>`],
  [
    'a flex box inside a box that clips',
    `<div style="height:100%;overflow:hidden;display:flex"><div style="overflow:hidden"><main style="height:500px;overflow:auto">${rows}</main></div></div>`,
  ],
])('what is below the fold of a scroll container inside %s is below, not covered', async (_, html) => {
  await using page = await openScriptPage(appShell(html))
  const snapshot = await page.snapshot()
  expect(roleNames(snapshot).filter(name => name.startsWith('button'))).toHaveLength(30)
  expect(snapshot.stats.omitted?.covered).toBeUndefined()
  expect(findNode(snapshot, { name: 'Open 29' }).offset).toBeGreaterThan(900)
  expect(findNode(snapshot, { name: 'Open 9' }).offset ?? 0).toBe(html.includes('400px') ? 140 : html.includes('500px') ? 40 : 0)
  expect((await page.snapshot({ viewport: 'visible' })).stats.omitted?.below).toBeGreaterThan(15)
  const click = await page.act(findNode(snapshot, { name: 'Open 29' }).ref ?? '', 'click')
  expect(click.ok).toBe(true)
  const after = await page.snapshot()
  expect(findNode(after, { name: 'Open 29' }).offset).toBeUndefined()
  expect(findNode(after, { name: 'Open 0' }).offset).toBeLessThan(-900)
})

test('a box that clips and does not scroll hides what is outside of it', async () => {
  await using page = await openScriptPage(
    appShell('<div style="height:100px;overflow:hidden"><button>In</button><div style="height:200px"></div><button>Out</button>OUT</div>'),
  )
  expect(await page.text({ interactiveOnly: false })).not.toMatch(/out/i)
})

test('text below something transparent is shown, text below something opaque is not', async () => {
  const below = (text: string, cover: string) => `<div style="position:relative;height:40px"><p style="margin:0">${text}</p>${cover}</div>`
  const cover = (style: string, inner = '') => `<div style="position:absolute;inset:0;${style}">${inner}</div>`
  await using page = await openScriptPage(
    css +
      below('SEEN plain', cover('')) +
      below('SEEN input', '<input aria-label=Field style="position:absolute;inset:0;opacity:0;width:100%">') +
      below('SEEN veil', cover('background:rgba(0,0,0,.3)')) +
      below('SEEN faded', cover('background:#ddd;opacity:.1')) +
      below('GONE opaque', cover('background:#ddd')) +
      below('GONE child', cover('', '<div style="background:#ddd;height:40px">cover</div>')) +
      below('GONE picture', cover('background:url(data:,)')),
  )
  for (const interactiveOnly of [true, false]) {
    const text = await page.text({ interactiveOnly })
    expect(text.match(/(SEEN|GONE) \w+/g)).toEqual(['SEEN plain', 'SEEN input', 'SEEN veil', 'SEEN faded'])
  }
})

test('the texts of an item are left out where something opaque or a closed accordion hides them', async () => {
  await using page = await openScriptPage(
    `${css}<ul><li>SEEN <a href=#>a</a><div style="height:0;overflow:hidden"><p>GONE accordion</p></div></li>
    <li><div style="position:relative"><p>GONE below</p><div style="position:absolute;inset:-2px 0;background:#ddd">SEEN cover</div></div><a href=#>b</a></li></ul>`,
  )
  const text = await page.text()
  expect(text).toContain('SEEN')
  expect(text).toContain('SEEN cover')
  expect(text).not.toContain('GONE')
})

test('text in an element with display:contents is shown, and a control with it can be clicked', async () => {
  await using page = await openScriptPage(
    `${css}<main><div style="display:contents">Loose words</div><button style="display:contents" onclick="this.textContent='Pressed'">Press</button></main>`,
  )
  expect(await page.text()).toContain('Loose words')
  expect((await page.act(await page.ref('button "Press"'), 'click')).ok).toBe(true)
  expect(await page.text()).toContain('button "Pressed"')
})

test('text of ::before and ::after that is not drawn is not part of a name', async () => {
  await using page = await openScriptPage(`${css}<style>
    a::before { content: 'Hidden '; visibility: hidden } a::after { content: ' gone'; display: none } button::before { content: 'Very ' }
  </style><a href=#>Home</a><button>good</button>`)
  expect(roleNames(await page.snapshot())).toEqual(expect.arrayContaining(['link Home', 'button Very good']))
})

test('text below a canvas or a gradient that shows through is included', async () => {
  await using page = await openScriptPage(`${css}<main><div style="position:relative"><p>Doors open at 19:00</p>
    <div style="position:absolute;inset:0;background:linear-gradient(transparent, rgba(0,0,0,.2))"></div></div>
    <div style="position:relative"><p>Under a solid gradient</p>
    <div style="position:absolute;inset:0;background:linear-gradient(red, rgb(0,0,9))"></div></div>
    <p>Under confetti</p></main><canvas style="position:fixed;inset:0;width:100%;height:100%"></canvas>`)
  const text = await page.text()
  expect(text).toContain('Doors open at 19:00')
  expect(text).toContain('Under confetti')
  expect(text).not.toContain('Under a solid gradient')
})

test('text below an opaque pseudo-element is left out, text above it or below a transparent one is not', async () => {
  const over = 'content:"";position:absolute;inset:0'
  await using page = await openScriptPage(`${css}<style>div { position: relative } .over::after { ${over};background:#fff }
    .below::before { ${over};background:#ccc;z-index:-1 } .clear::after { ${over};background:rgba(0,0,0,.1) }
    .front::before { ${over};background:#ccc } .front span { position: relative }</style>
    <main><div class=over><p>Covered words</p></div><div class=over>Covered text</div><div class=below style="z-index:0">Above it</div>
    <div class=clear><p>Seen through</p></div><div class=front><span>In front</span></div></main>`)
  const text = await page.text()
  expect(text).not.toMatch(/Covered/)
  for (const words of ['Above it', 'Seen through', 'In front']) expect(text).toContain(words)
})

test('controls below a veil that a pseudo-element of the page draws are covered', async () => {
  await using page =
    await openScriptPage(`<style>body::before { content: ""; position: fixed; inset: 0; background: #0008; z-index: 1 }</style>
    <a href=/h>Home</a><div style="position:fixed;left:30%;top:30%;width:40%;height:40%;z-index:2;background:#fff"><button>No</button></div>`)
  // the panel is a dialog, so that the link is listed only among what is hidden
  const snapshot = await page.snapshot({ includeHidden: true })
  expect(findNode(snapshot, { name: 'Home' }).states?.covered).toBe('body')
  expect(findNode(snapshot, { name: 'No' }).states?.covered).toBeUndefined()
})

test('text below something that shows through is included, whatever notation its color has', async () => {
  const below = (text: string, background: string) =>
    `<div style="position:relative"><p>${text}</p><div style="position:absolute;inset:0;${background}"></div></div>`
  await using page = await openScriptPage(
    css +
      below('SEEN mixed', 'background:color-mix(in oklab, black 20%, transparent)') +
      below('SEEN oklch', 'background:oklch(.5 0 0 / .3)') +
      below('SEEN gradient', 'background:linear-gradient(in oklab, oklch(.5 0 0 / .1), oklch(.5 0 0 / .2))') +
      below('SEEN blended', 'background:#fff;mix-blend-mode:multiply') +
      below('GONE oklch', 'background:oklch(1 0 0)') +
      below('GONE srgb', 'background:color(srgb 1 1 1)') +
      below('GONE gradient', 'background:linear-gradient(in oklab, oklch(.5 0 0), oklch(.7 0 0))') +
      '<p style="color:oklch(1 0 0)">GONE white</p><p style="color:oklch(0 0 0 / 0)">GONE transparent</p>' +
      '<div style="background:oklch(.3 .1 200)"><p style="color:oklch(.3 .1 200)">GONE same</p><p style="color:oklch(1 0 0)">SEEN light</p></div>',
  )
  const text = await page.text({ interactiveOnly: false })
  expect(text.match(/(SEEN|GONE) \w+/g)).toEqual(['SEEN mixed', 'SEEN oklch', 'SEEN gradient', 'SEEN blended', 'SEEN light'])
})

test('text below a cover that takes no clicks is left out if the cover is certainly opaque and in front', async () => {
  const cover = 'position:absolute;inset:0;width:100%;height:100%'
  const box = (text: string, inner: string) => `<div style="position:relative;z-index:0"><p>${text}</p>${inner}</div>`
  await using page = await openScriptPage(
    `${css}<style>.after::after{content:"";${cover};background:#fff} .none{pointer-events:none}</style>` +
      box('GONE layer', `<div style="${cover};background:#fff;pointer-events:none"></div>`) +
      box('GONE shape', `<svg style="${cover};pointer-events:none"><rect width=100% height=100% fill=white /></svg>`) +
      box('GONE clickable', `<svg style="${cover}"><rect width=100% height=100% fill=white /></svg>`) +
      box('GONE shadow', `<div style="${cover};box-shadow:inset 0 0 0 900px #fff"></div>`) +
      box('GONE borders', '<div style="position:absolute;left:0;top:0;border:400px solid #fff;clip-path:inset(0 0 760px 0)"></div>') +
      box('GONE pseudo', '<i class=after></i>') +
      box('SEEN veil', `<div style="${cover};background:#0003;pointer-events:none"></div>`) +
      box('SEEN below', `<div style="${cover};background:#fff;pointer-events:none;z-index:-1"></div>`) +
      box('SEEN picture', `<div style="${cover};background:url(data:,);pointer-events:none"></div>`) +
      `<div style="position:relative"><div style="${cover};background:#eee;pointer-events:none"></div><p style="position:relative">SEEN front</p></div>`,
  )
  const text = await page.text({ interactiveOnly: false })
  expect(text.match(/(SEEN|GONE) \w+/g)).toEqual(['SEEN veil', 'SEEN below', 'SEEN picture', 'SEEN front'])
})

test('headings and images are left out and counted below something opaque, and seen through what is transparent', async () => {
  const image =
    '<img alt="NAME image" width=90 height=40 src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">'
  const below = (name: string, style: string) =>
    `<div style="position:relative"><h2>${name} heading</h2>${image.replace('NAME', name)}<a href=# aria-label=Card style="position:absolute;inset:0;${style}"></a></div>`
  await using page = await openScriptPage(css + below('SEEN', '') + below('GONE', 'background:#eee'))
  const snapshot = await page.snapshot({ interactiveOnly: false })
  expect(roleNames(snapshot).filter(name => /heading|image/.test(name))).toEqual(['heading SEEN heading', 'img SEEN image'])
  expect(nodes(snapshot).filter(node => node.states?.covered)).toEqual([])
  expect(snapshot.stats.omitted).toMatchObject({ covered: 2, coveredText: 2 })
})

test('text is left out if the opacities around it leave nearly nothing, and shown if they do not', async () => {
  await using page = await openScriptPage(
    `${css}<div style="opacity:.3"><p style="opacity:.3">GONE faint</p><p style="opacity:.5">SEEN pale</p></div>`,
  )
  expect((await page.text({ interactiveOnly: false })).match(/(SEEN|GONE) \w+/g)).toEqual(['SEEN pale'])
})

test('an element of which clip-path shows a part is included', async () => {
  const shapes = [
    'inset(60% 0 0 0)',
    'inset(0 50% 0 0 round 4px)',
    'circle(40%)',
    'polygon(0 0, 100% 0, 100% 100%)',
    'inset(calc(1px + 1%))',
  ]
  await using page = await openScriptPage(css + shapes.map((shape, i) => `<p style="clip-path:${shape}">Part ${i}</p>`).join(''))
  expect((await page.text({ interactiveOnly: false })).match(/Part \d/g)).toHaveLength(shapes.length)
})

test.each([
  ['right of a page that cannot be scrolled sideways', '<html><style>body{overflow-x:hidden}</style>', 'left:100%'],
  ['right of a page whose root clips it', '<html><style>html{overflow:hidden}</style>', 'left:100%'],
  ['left of a page', '<html>', 'right:100%'],
  ['right of a page that is written from right to left', '<html dir=rtl>', 'left:100%'],
])('a menu %s is left out', async (_, html, style) => {
  const menu = `<nav style="position:absolute;top:0;width:300px;${style}"><a href=#>Closed</a></nav>`
  await using page = await openScriptPage(`<!doctype html>${html}<a href=#>Home</a>${menu}</html>`)
  expect(roleNames(await page.snapshot()).filter(name => name.startsWith('link'))).toEqual(['link Home'])
})

test.each([
  ['right of a page that can be scrolled', '<html>', 'left:100%'],
  ['left of a page that is written from right to left', '<html dir=rtl>', 'right:100%'],
])('a menu %s is listed', async (_, html, style) => {
  const menu = `<nav style="position:absolute;top:0;width:300px;${style}"><a href=#>Beside</a></nav>`
  await using page = await openScriptPage(`<!doctype html>${html}<a href=#>Home</a>${menu}</html>`)
  expect(roleNames(await page.snapshot()).filter(name => name.startsWith('link'))).toEqual(['link Home', 'link Beside'])
})
