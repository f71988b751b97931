import { expect, test } from 'vitest'
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

test('children of a clickable element do not get refs of their own', async () => {
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
