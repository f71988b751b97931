import { expect, test } from 'vitest'
import { htmlDriver } from '../../../src/html.ts'
import { parseSnapshot } from '../../../src/render/decode/snapshot.ts'
import { extract } from '../../../src/render/rank/extract.ts'

/** the passages of a page that is read as a whole, without their refs */
async function passages(html: string, query = ''): Promise<string[]> {
  const result = await htmlDriver(html)({ name: 'snapshot', interactiveOnly: false, order: 'document' })
  const parsed = parseSnapshot(result.ok ? result.data : result.error)
  if (!parsed.ok) throw new Error(parsed.error.message)
  const lines = extract(parsed, { query, maxChars: 20_000 }).text.split('\n').slice(1)
  return lines.map(line => line.replace(/ \[ref=\w+\]/, ''))
}

const products = [
  ['Alpha', '$39.00', 'In stock'],
  ['Beta', '$59.50', 'Sold out'],
  ['Gamma', '$24.99', 'In stock'],
]

test('a price stands with its product, by repetition: cards without roles, with a picture, a heading and a button (C17)', async () => {
  const cards = products.map(
    ([name, price, state]) =>
      `<div class=card><img alt="${name} photo"><h3>${name}</h3><div><span>${price}</span></div><p>${state}</p><button>Add</button></div>`,
  )
  expect(await passages(`<h1>Kettles</h1><div>${cards.join('')}</div>`, 'Beta price')).toEqual([
    '- item under "Kettles": "Beta | $59.50 | Sold out | Add"',
    '… 3 that do not match: offset=1',
  ])
})

test('rows of div elements without any control are items as well (C17)', async () => {
  const rows = products.map(cells => `<div class=row>${cells.map(cell => `<div>${cell}</div>`).join('')}</div>`)
  expect(await passages(`<h1>List</h1>${rows.join('')}`)).toEqual([
    '- heading: "List"',
    '- item under "List": "Alpha | $39.00 | In stock"',
    '- item under "List": "Beta | $59.50 | Sold out"',
    '- item under "List": "Gamma | $24.99 | In stock"',
  ])
})

test('the features of a product are part of it; a list of products inside an item is not (C17)', async () => {
  const plans = ['Free', 'Team'].map(name => `<li><h3>${name}</h3><p>$12</p><ul><li>10 users<li>Support</ul></li>`)
  expect(await passages(`<ul>${plans.join('')}</ul>`)).toEqual([
    '- item: "Free | $12 | 10 users | Support"',
    '- item: "Team | $12 | 10 users | Support"',
  ])
  const shelf = (name: string) => `<li><h3>${name}</h3><ul><li><b>Cup</b><p>$3</p></li><li><b>Pot</b><p>$9</p></li></ul></li>`
  expect((await passages(`<ul>${shelf('Tea')}${shelf('Coffee')}</ul>`)).filter(line => line.includes('Cup'))).toEqual([
    '- item under "Tea": "Cup | $3"',
    '- item under "Coffee": "Cup | $3"',
  ])
})

test('links are passages, also cards that are links, and the links of a sentence stay in it (C17)', async () => {
  const html = `<h2>Pots</h2><a href=/r><div>Round pot</div><div>€12</div></a><a href=/s><div>Square pot</div><div>€15</div></a>
    <h2>Help</h2><div><a href=/1>Shipping costs</a> <a href=/2>Warranty</a></div>
    <ul><li>Orders above €60 are delivered <a href=/f>free</a>.<li>Read <a href=/p>the report</a> of 2025</ul>`
  expect(await passages(html, 'square')).toContain('- link under "Pots": "Square pot €15"')
  expect(await passages(html)).toEqual(
    expect.arrayContaining([
      '- link under "Help": "Shipping costs"',
      '- item under "Help": "Orders above €60 are delivered free."',
      '- item under "Help": "Read the report of 2025"',
    ]),
  )
})

test('an item whose name is asked for comes before one that mentions it (C17)', async () => {
  const lamps = [7, 17].map(number => `<div class=cell><a href=#>Lamp ${number}</a><span>$${24 - number}.00</span></div>`)
  expect((await passages(lamps.join(''), 'Lamp 17'))[0]).toBe('- item: "Lamp 17 | $7.00"')
})

test('an element that can be clicked is a passage with its ref, and a card with all its texts is one passage (C17)', async () => {
  const cards = [7, 17].map(n => `<div onclick=1><h3>Hotel ${n}</h3><p>£${70 + n} <a href=/n>per night</a></p><button>Book</button></div>`)
  expect(await passages(`${cards.join('')}<div onclick=1>Delivery date: 4 June</div>`)).toEqual([
    '- item: "Hotel 7 | £77 per night | Book"',
    '- item: "Hotel 17 | £87 per night | Book"',
    '- text: "Delivery date: 4 June"',
  ])
  expect((await passages(cards.join(''), 'Hotel 17 per night'))[0]).toBe('- item: "Hotel 17 | £87 per night | Book"')
})

test('extract finds what buttons, tabs, checkboxes and fields say, without the options of a select and without secrets (C17)', async () => {
  const html = `<p>Press <button>Start</button>. Only <select><option>1<option selected>2</select> left.</p>
    <button role=tab>Reviews (12)</button><button>Buy for $15</button><label><input type=checkbox checked>I agree</label>
    <label>E-mail <input value=bob@example.com></label><label>Password <input type=password value=s3cret></label><input placeholder=Search>
    <ul><li><input type=checkbox checked> Bread</li><li>Milk <button>Delete</button></li></ul>
    <table><tr><th>Item<th>Count<tr><td>Tea<td><select><option>1<option selected>5</select></table>`
  expect(await passages(html)).toEqual([
    '- paragraph: "Press Start. Only 2 left."',
    '- tab: "Reviews (12)"',
    '- button: "Buy for $15"',
    '- checkbox: "[x] I agree"',
    '- textbox: "E-mail: bob@example.com"',
    '- textbox: "Password"',
    '- textbox: "Search"',
    '- item: "[x] Bread"',
    '- item: "Milk | Delete"',
    '- row: {"Item":"Tea","Count":"5"}',
  ])
})

test('equal values of a card are all in it; a title that repeats the link before it is not', async () => {
  const match = (home: string, goals: number, guest: string, others: number) =>
    `<div class=m><a href=/1>${home}</a><div>${goals}</div><a href=/2>${guest}</a><div>${others}</div><p>Yes</p><p>Yes</p></div>`
  expect(await passages(match('Arsenal', 2, 'Chelsea', 2) + match('Leeds', 0, 'Everton', 1))).toEqual([
    '- item: "Arsenal | 2 | Chelsea | 2 | Yes | Yes"',
    '- item: "Leeds | 0 | Everton | 1 | Yes | Yes"',
  ])
  const card = (name: string) =>
    `<li><a href=/p><img alt="${name}"></a><h3><a href=/p>${name}</a></h3><b>3</b><p>beds</p><b>3</b><p>baths</p></li>`
  expect(await passages(`<ul>${card('Loft')}${card('Cabin')}</ul>`)).toEqual([
    '- item: "Loft | 3 | beds | 3 | baths"',
    '- item: "Cabin | 3 | beds | 3 | baths"',
  ])
})

test('a text that repeats the link of the picture before it is not read twice', async () => {
  const card = (name: string) => `<div class=card><a href=/p><img alt="${name}"></a><div>${name}</div><div>¥199</div></div>`
  expect(await passages(card('红色连衣裙') + card('蓝色衬衫'))).toEqual(['- item: "红色连衣裙 | ¥199"', '- item: "蓝色衬衫 | ¥199"'])
})

test('cards are found by a word of their class, by their tag and through wrappers', async () => {
  const shop = `<div class="product post-37 sale"><b>Sale</b><div>Cup 1</div><div>$19</div><button>Add</button></div>
    <div class="product post-74"><div>Cup 2</div><div>$29</div><button>Add</button></div>`
  expect(await passages(shop)).toEqual(['- item: "Sale | Cup 1 | $19 | Add"', '- item: "Cup 2 | $29 | Add"'])
  const custom = '<x-card><b>Cup 1</b><p>$19</p></x-card><x-card><b>Cup 2</b><p>$29</p><button>Add</button></x-card>'
  expect(await passages(custom)).toEqual(['- item: "Cup 1 | $19"', '- item: "Cup 2 | $29 | Add"'])
  const wrapped = [1, 2].map(n => `<div><div class=in${n}><h3>Cup ${n}</h3><p>$${n}9</p><button>Add</button></div></div>`).join('')
  expect(await passages(wrapped)).toEqual(['- item: "Cup 1 | $19 | Add"', '- item: "Cup 2 | $29 | Add"'])
})

test('an answer is an item of its own, and the comment that it answers another', async () => {
  const comment = (name: string, answers = '') =>
    `<div class=comment><a href=/u>${name}</a><span>1h</span><p>Body of ${name}.</p><a href=/r>reply</a><div class=children>${answers}</div></div>`
  const html = comment('ann', comment('kim')) + comment('bob', comment('lee') + comment('max')) + comment('cid')
  expect(await passages(html)).toEqual(
    ['ann', 'kim', 'bob', 'lee', 'max', 'cid'].map(name => `- item: "${name} | 1h | Body of ${name}. | reply"`),
  )
})

test('a part of a card with a class for layout is not a card in it', async () => {
  const card = (name: string) =>
    `<div class=row><h4>${name}</h4><div><div class=row><h4>$5</h4><div><button>Buy</button></div></div></div></div>`
  expect(await passages(card('Cup') + card('Pot'))).toEqual(['- item: "Cup | $5 | Buy"', '- item: "Pot | $5 | Buy"'])
})
