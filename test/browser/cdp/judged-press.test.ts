import { expect, test } from 'vitest'
import { explain } from '../../../src/tools.ts'
import { type CdpPage, openCdpPage } from '../../support/cdp-page.ts'
import { openScriptPage } from '../../support/script-page.ts'

const judge = async (page: CdpPage, name: string, args: object) =>
  (await explain(page.session.run, { name, ...args }, { sites: [new URL(page.url).host] })).classes.join(' ')

const filler = (count: number) => '<i></i>'.repeat(count)

/** Each page has one element to click, called Card, and what a click on it is. */
const containers: readonly [string, string, string][] = [
  [
    'a region whose middle is a button that pays',
    '<section aria-label=Card tabindex=0 style="width:400px"><button style="width:400px;height:80px">Pay now</button></section>',
    'write pay',
  ],
  [
    'a card whose only points are those of a script control',
    '<div role=group aria-label=Card tabindex=0 style="width:300px"><div onclick="" style="height:60px">Delete account</div></div>',
    'write delete',
  ],
  [
    'a region with a submit button behind many elements',
    `<form method=post action=/pay><section aria-label=Card tabindex=0 style="width:300px">${filler(2_100)}<button style="width:300px;height:50px">Go</button></section></form>`,
    'submit',
  ],
  [
    'a region that is not in view, with more elements than are read',
    `<div style="height:4000px"></div><section aria-label=Card tabindex=0>${filler(2_100)}<button type=button>Go</button></section>`,
    'write submit',
  ],
  [
    'a region that is not in view, with a link to another site',
    '<div style="height:4000px"></div><section aria-label=Card tabindex=0><a href="https://evil.test/">Go</a></section>',
    'navigate-out',
  ],
  [
    'a card in a link to another site',
    '<a href="https://evil.test/"><span tabindex=0 role=group aria-label=Card>Tea</span></a>',
    'navigate-out',
  ],
  [
    'a label around a submit button',
    '<form method=post action=/pay><label tabindex=0 aria-label=Card role=group>Tea <input type=submit value=Go></label></form>',
    'submit',
  ],
  [
    'a link in an SVG image',
    '<svg width=100 height=40><a role=group aria-label=Card tabindex=0 href="https://evil.test/"><rect width=100 height=40 /></a></svg>',
    'navigate-out',
  ],
  [
    'an XLink in an SVG image',
    '<svg width=100 height=40><a role=group aria-label=Card tabindex=0 xlink:href="https://evil.test/"><rect width=100 height=40 /></a></svg>',
    'navigate-out',
  ],
  [
    'the same attribute in HTML, where it means nothing',
    '<a role=group aria-label=Card tabindex=0 xlink:href="https://evil.test/">Tea</a>',
    'write',
  ],
]

test.each(containers)('a click is judged by what it reaches: %s (TRUST G2)', async (_, html, expected) => {
  await using page = await openCdpPage(html)
  const card = (await page.nodes()).find(({ role, name }) => name === 'Card' && /group|region/.test(role)) ?? {
    ref: await page.ref('Card'),
  }
  const classes = await judge(page, 'click', { ref: card.ref })
  expect(expected.split(' ').filter(each => !classes.split(' ').includes(each))).toEqual([])
  if (expected === 'write') expect(classes).toBe('write')
})

/** The events of a card with a button in its middle, and room beside it. */
const card = (inner: string) => `<style>section{padding:30px;width:300px}section *{display:block;width:300px;height:60px}</style>
<section aria-label=Card tabindex=0 onclick="got.push(event.target.id||event.target.tagName)">${inner}</section><script>got=[]</script>`

test('a click on a container goes beside the buttons and links in it if there is room', async () => {
  for (const inner of ['<button>Pay</button>', '<a href="https://evil.test/">Out</a>', '<span role=button tabindex=0>Delete</span>']) {
    await using page = await openCdpPage(card(inner))
    const ref = await page.ref('Card')
    expect((await page.do('inspect', { ref })).reaches ?? []).toEqual([])
    await page.do('click', { ref })
    expect(await page.evaluate('got')).toEqual(['SECTION'])
  }
})

test('a checkbox that is checked by its label is not checked by the link in it', async () => {
  const html = `<style>input{position:absolute;width:1px;height:1px;opacity:0}label{display:block;padding:10px;width:300px}a{display:inline-block;width:280px}</style>
<label><input type=checkbox> <a href="https://evil.test/terms">the terms and conditions</a></label>`
  await using page = await openCdpPage(html)
  const ref = await page.ref('checkbox')
  expect(await judge(page, 'check', { ref })).toBe('write')
  await page.do('check', { ref })
  expect(await page.evaluate('[document.querySelector("input").checked, location.hostname]')).toEqual([true, '127.0.0.1'])
})

const swaps: readonly [string, string][] = [
  ['another button comes into the element', 'card.innerHTML="<button id=pay>Pay</button>"'],
  ['a script control comes into the element', 'card.innerHTML="<div id=pay tabindex=0>Pay</div>"'],
  ['a link comes around the element', 'const a=document.createElement("a");a.href="#pay";card.before(a);a.append(card)'],
]
const swapPage = `<style>#card,#card *{display:block;width:300px;height:60px}</style><div id=card role=group aria-label=Card tabindex=0>Tea</div>
<script>got=[];for(const type of ['pointerdown','mousedown','click'])addEventListener(type,event=>got.push(type))</script>`

test.each(swaps)('a press that would reach another control than the judged one is stopped: %s (TRUST G2)', async (_, swap) => {
  await using page = await openCdpPage(swapPage)
  const ref = await page.ref('Card')
  await page.do('inspect', { ref, guard: true })
  await page.evaluate(`void (()=>{${swap}})()`)
  expect(await page.fails('click', { ref })).toMatchObject({ code: 'approval_stale' })
  expect(await page.evaluate('got')).toEqual([])
  // judged again, it is pressed
  await page.do('inspect', { ref, guard: true })
  await page.do('click', { ref })
  expect(await page.evaluate('got')).toEqual(['pointerdown', 'mousedown', 'click'])
  // nothing is remembered after a press
  await page.evaluate(`void (()=>{const card=document.querySelector('[role=group]');card.innerHTML='<button>More</button>'})()`)
  await page.do('click', { ref })
})

test.each(swaps)('a press by the script of a WebView is stopped too: %s (TRUST G2)', async (_, swap) => {
  await using page = await openScriptPage(swapPage)
  const ref = await page.ref('Card')
  expect(await page.call('inspect', { ref, guard: true })).toMatchObject({ ok: true })
  await page.evaluate(`void (()=>{${swap}})()`)
  expect(await page.act(ref, 'click')).toMatchObject({ ok: false, error: { code: 'approval_stale' } })
  expect(await page.evaluate('got')).toEqual([])
  expect(await page.call('inspect', { ref, guard: true })).toMatchObject({ ok: true })
  expect(await page.act(ref, 'click')).toMatchObject({ ok: true })
})

test('an inspection without guard stops nothing', async () => {
  await using page = await openCdpPage(swapPage)
  const ref = await page.ref('Card')
  await page.do('inspect', { ref })
  await explain(page.session.run, { name: 'click', ref }, { sites: ['127.0.0.1'] })
  await page.evaluate(`void (()=>{${swaps[0]?.[1]}})()`)
  await page.do('click', { ref })
  expect(await page.evaluate('got')).toEqual(['pointerdown', 'mousedown', 'click'])
})

const verbs: readonly [string, object, string, string][] = [
  ['check', {}, '<form method=post><button role=switch aria-checked=false aria-label=It>Pay $500</button></form>', 'submit pay'],
  ['check', {}, '<a role=menuitemcheckbox aria-label=It href="https://evil.test/">Dark</a>', 'navigate-out'],
  ['uncheck', {}, '<input type=checkbox checked aria-label="It: delete my account permanently">', 'delete'],
  ['press', { key: 'Space' }, '<form method=post><button role=combobox aria-label=It>Pay now</button></form>', 'submit pay'],
  ['press', { key: 'Enter' }, '<form method=post><input type=submit role=textbox aria-label=It></form>', 'submit'],
  ['type', { text: ' ' }, '<form method=post><button contenteditable aria-label=It>Pay now</button></form>', 'submit pay'],
  ['press', { key: 'ArrowDown' }, '<input type=radio aria-label=It>', 'write'],
  ['press', { key: 'ArrowDown' }, '<div role=slider tabindex=0 aria-valuenow=1 aria-label=It>1</div>', 'write'],
  ['press', { key: 'ArrowDown' }, '<p tabindex=0 role=group aria-label=It>Text</p>', 'move'],
  ['press', { key: '#' }, '<p tabindex=0 role=group aria-label=It>Text</p>', 'submit'],
  ['press', { key: 'a' }, '<div contenteditable role=group aria-label=It>Text</div>', 'write'],
  ['select', { values: ['3'] }, '<select aria-label=It><option value=1>Keep<option value=3>Delete all messages</select>', 'delete'],
  ['fill', { value: '3' }, '<select aria-label=It><option value=1>Keep<option value=3>Delete all messages</select>', 'delete'],
  [
    'click',
    {},
    '<div role=dialog aria-label=Tip>此操作将永久删除该文件, 是否继续?<div><button type=button aria-label="确 定" id=It>确 定</button></div></div>',
    'delete',
  ],
]

test.each(verbs)('%s %o on %s is judged by the element (TRUST G2)', async (name, args, html, expected) => {
  await using page = await openCdpPage(html)
  const ref = await page.ref(
    html.includes('确 定') ? '确 定' : ((await page.nodes()).find(({ name = '' }) => name.startsWith('It'))?.name ?? 'It'),
  )
  const classes = (await judge(page, name, { ref, ...args })).split(' ')
  expect(
    expected.split(' ').filter(each => !classes.includes(each)),
    classes.join(' '),
  ).toEqual([])
  if (expected === 'move' || expected === 'write') expect(classes).toEqual([expected])
})
