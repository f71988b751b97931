import { expect, test } from 'vitest'
import { nodes, openScriptPage } from '../../support/script-page.ts'

/** the hint of each control without a name, '' if it has none */
async function hints(html: string): Promise<string[]> {
  await using page = await openScriptPage(html)
  return nodes(await page.snapshot())
    .filter(node => node.interactive && !/\w/.test(`${node.name ?? ''}${node.text ?? ''}`))
    .map(node => node.hint?.text ?? '')
}

const icons: [string, string][] = [
  ['fa fa-chevron-left', 'chevron left'],
  ['fas fa-chevron-right fa-lg fa-fw', 'chevron right'],
  ['bi bi-arrow-left', 'arrow left'],
  ['bi-arrow-right-circle-fill', 'arrow right'],
  ['fa-solid fa-align-center', 'align center'],
  ['fa-regular fa-heart', 'heart'],
  ['fa-brands fa-github fa-2x', 'github'],
  ['fa fa-link', 'link'],
  ['fa fa-image', 'image'],
  ['bi bi-box', 'box'],
  ['bi bi-x-lg', 'x'],
  ['fa fa-square', 'square'],
  ['fa fa-check-square', 'check'],
  ['mdi mdi-24px mdi-account-group', 'account group'],
  ['ti ti-text-size', 'text size'],
  ['glyphicon glyphicon-align-right', 'align right'],
  ['anticon anticon-double-left', 'double left'],
  ['icon icon-tabler icon-tabler-link', 'link'],
  ['lucide lucide-box', 'box'],
  ['icon-link', 'link'],
  ['info-icon', 'info'],
  ['link-icon menu-toggle', 'menu toggle'],
  ['el-icon-delete', 'delete'],
  ['chevron left icon', 'chevron left'],
  ['arrow right', 'arrow right'],
  ['slick-arrow slick-next', 'slick arrow next'],
  ['splide__arrow splide__arrow--prev', 'splide arrow prev'],
  ['btn btn-arrow-right', 'arrow right'],
  ['btn-close btn-close-white', 'close'],
  ['fa fa-fill', 'fill'],
  ['ic ic-emoji', 'emoji'],
  ['ico ico-phone', 'phone'],
  ['ico-trash', 'trash'],
  ['tb tb-underline', 'underline'],
  ['i-mail', 'mail'],
]

test.each(icons)('the class of an icon says what an unnamed button does: %s', async (name, hint) => {
  expect(await hints(`<button><i class="${name}"></i></button>`)).toEqual([hint])
})

const presentations = [
  ...[
    'btn btn-outline-primary',
    'btn btn-link btn-lg',
    'btn btn-info',
    'btn btn-outline-info',
    'btn btn-warning btn-block',
    'btn btn-icon btn-left',
    'button md',
  ],
  ...['fa fa-lg', 'fa fa-2x fa-fw', 'fa fa-spin', 'fa fa-pull-right', 'mdi mdi-48px mdi-light', 'icon icon-sm icon-white', 'icon-wrapper'],
  ...['ant-btn ant-btn-circle ant-btn-icon-only', 'mdc-icon-button mat-icon-button', 'chakra-button', 'icon-left', 'icon-box'],
  ...['ck ck_checked', 'dot dot-red', 'chip chip-lg', 'tile tile-first'],
  ...['flex items-center text-lg text-blue-500 rounded', 'MuiButtonBase-root MuiIconButton-root MuiIconButton-sizeSmall'],
]

test.each(presentations)('size, color, animation and layout are no hint: %s', async name => {
  expect(await hints(`<button class="${name}">×</button>`)).toEqual([''])
})

const rows: [string, string, string[]][] = [
  ['beside other controls', '<div><span onclick=1>✓</span> Message 1 <span onclick=1>✗</span></div>', ['Message 1', 'Message 1']],
  [
    'beside controls that only the cursor shows',
    '<style>s{cursor:pointer}</style><div><s>✓</s> Message 1 <s>✗</s></div>',
    ['Message 1', 'Message 1'],
  ],
  [
    'of an item',
    '<ul><li><span onclick=1>☆</span><b>Subject 1</b> <i>Sender 1</i><span onclick=1>🗑</span><a href=/1>Open</a></li></ul>',
    ['Subject 1 Sender 1', 'Subject 1 Sender 1'],
  ],
  [
    'in other cells',
    '<table><tr><td><span onclick=1>☐</span></td><td>Invoice 7</td><td>Paid</td><td><span onclick=1>✎</span></td></tr></table>',
    ['Invoice 7 Paid', 'Invoice 7 Paid'],
  ],
  ['before each field', '<form>Name: <input> Mail: <input><button>Send</button></form>', ['Name:', 'Mail:']],
  ['after each box', '<div><span onclick=1>☐</span> Tea <span onclick=1>☐</span> Milk</div>', ['Tea', 'Milk']],
  [
    'before each slot',
    `<style>.slot{min-height:20px}</style><div><b draggable=true>Paris</b><b draggable=true>Rome</b><p><span>France:</span><div class=slot ondrop=1></div>
      <span>Italy:</span><div class=slot ondrop=1></div></div>`,
    ['France:', 'Italy:'],
  ],
  [
    'above its description',
    '<div><div><b>Dark mode</b><p>At night</p></div><div><u onclick=1>◐</u><u onclick=1>×</u></div></div>',
    ['Dark mode At night', 'Dark mode At night'],
  ],
]

test.each(rows)('the words of its row are a hint, without the words of other controls: %s', async (_, html, expected) => {
  expect(await hints(html)).toEqual(expected)
})

const noRows: [string, string][] = [
  ['the body', '<h1>Radio</h1><p>Weather: sunny</p><audio controls></audio>'],
  ['main', '<main><p>Weather: sunny</p><span onclick=1>▶</span></main>'],
  ['a header', '<header><p>Weather: sunny</p><span><span onclick=1>☰</span></span></header>'],
  ['a part with the title of the page', '<div><h1>Radio</h1><p>Weather: sunny</p><span onclick=1>▶</span></div>'],
  ['a list around its item', '<ul><li>Weather: sunny</li><li><span onclick=1>▶</span></li></ul>'],
  ['a row with glyphs only', '<div><span>★</span> – <span onclick=1>▶</span></div>'],
  ['a row with numbers only', '<div>€27 (3) <span onclick=1>♡</span></div>'],
  ['what is around the card of a control', '<div>Weather: sunny<div onclick=1 aria-label=Card><i onclick=1>▶</i></div></div>'],
  ['what belongs to a control in between', '<div>Sound <a href=/m>Mute all</a> <span onclick=1>▶</span></div>'],
]

test.each(noRows)('what is no row gives no hint: %s', async (_, html) => {
  expect(await hints(html)).toEqual([''])
})

const listening = `<script>document.querySelectorAll('.q').forEach(each => each.addEventListener('click', () => {}))</script>`

test('the words of a control that only its listener shows are no hint for others', async () => {
  expect(await hints(`<div><span class=q>Bold</span> <span class=q>Italic</span> <span class=q>¶</span></div>${listening}`)).toEqual([''])
})

const unseen: [string, string][] = [
  ['transparent', '<span style="opacity:0">ghost words</span>'],
  ['white on white', '<span style="color:#fff">ghost words</span>'],
  ['clipped away', '<div style="width:99px;overflow:hidden"><p style="margin-left:-200px;width:150px">ghost words</p></div>'],
  ['covered', '<p>ghost words</p><div style="position:relative;top:-60px;height:60px;background:#fff"></div>'],
]

test.each(unseen)('text that people cannot see is no hint: %s', async (_, ghost) => {
  expect(await hints(`<div><u onclick=1>◐</u>${ghost}</div>`)).toEqual([''])
})

test('a hint is not printed if the line around the control or the control before it says the same', async () => {
  await using page =
    await openScriptPage(`<p>Public <u onclick=1>◑</u></p><ul><li><b>Mail</b> at <i>night</i> <u onclick=1>◐</u></li><li>Sounds <u onclick=1>◐</u></li></ul>
    <div><b>Quality</b> <u onclick=1>★</u><u onclick=1>★</u></div><p><b>Delivery</b> <u onclick=1>★</u><u onclick=1>★</u></p>`)
  const lines = (await page.text()).split('\n').filter(line => /[◐◑★]/.test(line))
  expect(lines.map(line => line.replace(/ \[ref=\w+\]/, '').trim())).toEqual([
    '- generic [hint="Public" from=row]: "◑"',
    '- generic: "◐"',
    '- generic: "◐"',
    '- generic [hint="Quality" from=row]: "★"',
    '- generic: "★"',
    '- generic [hint="Delivery" from=row]: "★"',
    '- generic: "★"',
  ])
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.slice(1, 3).map(node => node.hint?.text)).toEqual(['Mail at night', 'Sounds'])
})

const glyph = '<svg width=16 height=16><path d="M0 0h9v9"/></svg>'

const pictures: [string, string][] = [
  ['<img alt="Insert table" width=16 height=16 src=/x.png>', 'Insert table'],
  ['<svg width=16 height=16 aria-label="Bullet list"></svg>', 'Bullet list'],
  ['<svg width=16 height=16><title>Undo</title></svg>', 'Undo'],
  ['<span><i aria-label=Redo>↷</i></span>', 'Redo'],
  ['<svg width=16 height=16><title>Alerts</title></svg><b>3</b>', 'Alerts'],
  ['<svg width=16 height=16 aria-hidden=true><title>Undo</title></svg>', ''],
  ['<img alt="Undo" style="display:none">↶', ''],
  ['<img alt="Photo" width=16 height=16 src=/x.png> Table', ''],
]

test.each(pictures)('a picture names the control without a role around it, as it names a button: %s', async (inside, name) => {
  await using page = await openScriptPage(`<div onclick=1>${inside}</div><p onclick=1>${inside}</p><ul><li onclick=1>${inside}</ul>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(node => node.name ?? '')).toEqual([name, name, name])
})

test('a picture of a control inside does not name the control around it', async () => {
  await using page = await openScriptPage(`<div onclick=1>7 <button><img alt=Like width=16 height=16 src=/x.png></button></div>`)
  expect(nodes(await page.snapshot()).map(node => node.name ?? '')).toEqual(['', 'Like'])
})

const tooltips: [string, string][] = [
  ['data-tooltip="Redo"', 'Redo'],
  ['data-title="Cut out"', 'Cut out'],
  ['data-original-title="Paste"', 'Paste'],
  ['data-tip="e-mail"', 'e mail'],
  ['data-tooltip="top"', ''],
  ['data-tooltip="#tip-2"', ''],
]

test.each(tooltips)('the text of a tooltip is a hint: %s', async (attribute, text) => {
  await using page = await openScriptPage(`<div onclick=1 ${attribute}>↷</div><button ${attribute}>${glyph}</button>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  const hint = text ? { text, from: 'tooltip' } : undefined
  expect(found.map(node => node.hint)).toEqual([hint, hint])
})

test('an item of a list that is only a glyph shows it', async () => {
  await using page = await openScriptPage('<ul><li onclick=1>1</li><li onclick=1>›</li><li onclick=1>🗑</li></ul>')
  expect(
    nodes(await page.snapshot())
      .filter(node => node.interactive)
      .map(node => node.text),
  ).toEqual(['1', '›', '🗑'])
})

test('a number as the name does not hide what the icon beside it says', async () => {
  await using page = await openScriptPage(`<button><svg width=9 height=9><use href="#cart"/></svg>2</button>
    <a href=/c><img alt="" width=9 height=9 src=/img/basket.svg><span>5</span></a> <div onclick=1><i class="fa fa-bell"></i> 3</div>
    <a href=/p class="calendar-day user-link" id=page>4</a> <a href=/q><span class=cart-count>6</span></a>`)
  const lines = (await page.text()).split('\n').slice(1)
  expect(lines.map(line => line.replace(/ \[(ref|href)=\S+\]/g, '').trim())).toEqual([
    '- button "2" [hint="cart" from=svg]',
    '- link "5" [hint="basket" from=src]',
    '- generic [hint="bell" from=class]: "3"',
    '- link "4"',
    '- link "6"',
  ])
})

/** role, hint and its source of each control */
async function sources(html: string): Promise<string[]> {
  await using page = await openScriptPage(html)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  return found.map(({ role, hint }) => [role, hint?.text, hint?.from].filter(part => part).join(' '))
}

const columns: [string, string, string[]][] = [
  [
    'a checkbox in each cell',
    '<table><tr><th>Name<th>Admin<th>Editor<tr><td>Ada<td><input type=checkbox checked><td><input type=checkbox></table>',
    ['checkbox Admin column', 'checkbox Editor column'],
  ],
  [
    'fields with a value',
    '<table><thead><tr><th>Item<th>Amount<th>Price</thead><tr><td>Nut<td> <input value=3> pc<td><p><input value=1.5></p></table>',
    ['textbox Amount column', 'textbox Price column'],
  ],
  [
    'a drawn switch',
    '<table><tr><th>Name<th>Active<tr><td>Ada<td><div class="switch on" style="width:40px;height:20px" onclick=1></div></table>',
    ['switch Active column'],
  ],
  [
    'cells that are wider',
    '<table><tr><th colspan=2>Name<th>Active<tr><td>Ada<td>Byron<td><input type=checkbox></table>',
    ['checkbox Active column'],
  ],
  [
    'a grid without table elements',
    '<div role=grid><div role=row><b role=columnheader>Name</b><b role=columnheader>Admin</b></div><div role=row><i role=gridcell>Ada</i><i role=gridcell><u onclick=1>◐</u></i></div></div>',
    ['generic Admin column'],
  ],
  ['an empty corner', '<table><tr><td><th>Mon<th>Tue<tr><th>10:00<td><u onclick=1>◐</u><td></table>', ['generic Mon column']],
  [
    'no column that is certain',
    '<table><tr><th>Name<th>Admin<tr><td rowspan=2>Ada<td><input type=checkbox><tr><td><input type=checkbox></table>',
    ['checkbox Admin column', 'checkbox'],
  ],
  [
    'several controls in a cell',
    '<table><tr><th>Name<th>Do<tr><td>Ada<td><u onclick=1>◐</u><u onclick=1>◑</u></table>',
    ['generic Ada row', 'generic Ada row'],
  ],
  [
    'a header that is not seen',
    '<table><tr><th>Name<th style="color:#fff">Admin<tr><td>Ada<td><input type=checkbox></table>',
    ['checkbox Ada row'],
  ],
]

test.each(columns)('the header of its column is the hint of a control without a name: %s', async (_, html, expected) => {
  expect(await sources(html)).toEqual(expected)
})

test('a tick that a style draws in some of the options is part of their text', async () => {
  await using page = await openScriptPage(`<style>.p .b::after,.d .b::after{content:"✓"}.d .b::after{opacity:0}</style>
    <div><div class=p onclick=1><span class=b></span>Austria</div><div onclick=1><span class=b></span>Belgium</div></div>
    <div><div class=d onclick=1><span class=b></span>Chile</div><div class=d onclick=1><span class=b></span>Denmark</div></div>`)
  const found = nodes(await page.snapshot()).filter(node => node.interactive)
  expect(found.map(node => node.text)).toEqual(['✓ Austria', 'Belgium', 'Chile', 'Denmark'])
})
