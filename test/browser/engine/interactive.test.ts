import { expect, test } from 'vitest'
import { lookAt, named, nodes } from '../../support/looking.ts'

test('elements with a click handler, a tabindex or their own pointer cursor are interactive (S0-28)', async () => {
  await using page = await lookAt(`
    <span onclick="1">attribute</span><span id=p>property</span><div tabindex=0>tab</div>
    <div style="cursor:pointer">cursor <span>inherits</span></div><div tabindex=-1>no</div><div>plain</div>
    <script>p.onclick = () => 1</script>`)
  const texts = async (cursorInteractive: boolean) =>
    nodes(await page.look({ cursorInteractive }))
      .filter(node => node.interactive)
      .map(node => node.text)
  expect(await texts(false)).toEqual(['attribute', 'property', 'tab'])
  expect(await texts(true)).toEqual(['attribute', 'property', 'tab', 'cursor inherits'])
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

test('areas of an image map are links', async () => {
  await using page = await lookAt(
    '<map name=m><area href="/a" alt="North" shape=rect coords="0,0,20,20"></map><img usemap="#m" src="data:," width=40 height=40 alt=Map>',
  )
  expect(named(await page.look())).toEqual(['link North'])
})
