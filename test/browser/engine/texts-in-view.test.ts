import { expect, test } from 'vitest'
import { openScriptPage } from '../../support/script-page.ts'

const paragraph = 'A sentence of the article that is there to be read. '.repeat(8)

test('short texts in view are printed wherever they are, and longer ones are counted (S0-30)', async () => {
  await using page = await openScriptPage(`<main><h1>Cart</h1><p>${paragraph}</p><p>${paragraph}</p><button>Buy</button></main>
    <aside><h2>Summary</h2><p>Subtotal 40 €</p><p>Total 45 €</p></aside>
    <dl>${Array.from({ length: 6 }, (_, i) => `<dt>Field ${i}</dt><dd>Value ${i}</dd>`).join('')}</dl>
    <div style="margin-top:3000px">Far below</div>`)
  const text = await page.text()
  for (const shown of ['Subtotal 40 €', 'Total 45 €', 'Field 5', 'Value 5']) expect(text).toContain(shown)
  expect(text).not.toContain('Far below')
  expect(text).toMatch(/… 2 texts or pictures not shown/)
})

test('words that are drawn beside their text for screen readers are read, and names of icons are not', async () => {
  const card = (name: string, price: string) => `<div class=card><h3>${name}</h3><span aria-hidden=true><b>€</b>${price}</span>
    <span style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">Price in words</span>
    <i class=icon aria-hidden=true>favorite</i><button>Buy</button></div>`
  await using page = await openScriptPage(card('Pan', '20,50') + card('Pot', '31,00'))
  const text = await page.text({ interactiveOnly: false })
  expect(text).toContain('€20,50')
  expect(text).toContain('€31,00')
  expect(text).not.toMatch(/favorite|Price in words/)
})

test('a page with a hidden application behind its dialog does not print it', async () => {
  await using page = await openScriptPage(`<div aria-hidden=true><p>${paragraph}</p><a href=/x>Link</a></div><button>Close</button>`)
  expect(await page.text({ interactiveOnly: false })).not.toMatch(/sentence|Link/)
})

test('what is clipped, or transparent until the page is scrolled to it, is counted, and the page is not complete', async () => {
  await using page = await openScriptPage(`<button>Show</button><div style="height:0;overflow:hidden"><a href=/x>Hidden link</a></div>
    <div style="margin-top:2000px;opacity:0"><h2>Contact</h2><a href=/c>Write</a></div><p>End</p>`)
  const text = await page.text()
  expect(text).toContain('… 2 clipped or transparent now: open or scroll to what contains them')
  expect(text).not.toMatch(/ complete|covered by something|Contact|Hidden link/)
})

test('a list that draws only some of its rows has a ref for scrolling, and the page is not complete', async () => {
  const rows = Array.from({ length: 3 }, (_, i) => `<a href=/${i} style="position:absolute;top:${i * 40}px">Order ${i}</a>`).join('')
  await using page = await openScriptPage(`<h1>Orders</h1><div style="height:300px;overflow:auto">
    <div style="height:48000px;position:relative">${rows}</div></div>`)
  const text = await page.text()
  expect(text).toMatch(/- generic \[scrolls="down"\] \[ref=e\d+\]/)
  expect(text.split('\n')[0]).not.toContain('complete')
})

test('a page that is much longer than what it contains is not complete', async () => {
  await using page = await openScriptPage('<a href=/1>Order 1</a><div style="height:90000px"></div>')
  expect((await page.text()).split('\n')[0]).not.toContain('complete')
  await page.evaluate('document.querySelector("div").remove()')
  expect((await page.text()).split('\n')[0]).toContain('complete')
})

test('icons without a name are not counted as pictures that are not shown', async () => {
  await using page = await openScriptPage(`<div onclick=1><svg width=16 height=16><path d="M0 0h9v9z" /></svg> Alerts</div>
    <img width=20 height=20 src="data:," alt="">`)
  expect((await page.text()).split('\n')[0]).toContain('complete')
})

test('a raised number is not a part of the number before it', async () => {
  await using page = await openScriptPage(`<p>$3<sup>99</sup></p><a href=/x>Soup $4<sup>50</sup></a>
    <p>1<span style="font-size:60%;vertical-align:top">49</span> \u20ac</p><p>2<b>5</b> left, x<sup>2</sup></p><h2>2024<sup>1</sup></h2>`)
  const text = await page.text()
  for (const shown of ['"$3 99"', 'link "Soup $4 50"', '"1 49 \u20ac"', '"25 left, x2"', 'heading "2024 1"']) expect(text).toContain(shown)
})
