import { expect, test } from 'vitest'
import { nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

test('text of ::before, ::after and ::marker is part of names, with attr(), counters and alternative text (S0-33)', async () => {
  await using page = await openScriptPage(`<style>
    .attr::before{content:attr(data-x) " "}.count{counter-reset:n 4}.count button::before{counter-increment:n;content:counter(n) ". "}
    .alt::after{content:"\\2192" / "next"}.star li::marker{content:"* "}.step{counter-set:s 7}.step::before{content:"" / counter(s)}
    .lines::before{content:"a\\A b "}.loud::after{content:" now";text-transform:uppercase}</style>
    <button class=attr data-x=Big>Save</button><div class=count><button>One</button><button>Two</button></div><button class=alt>Page</button>
    <button class=step>Go</button><button>pre<b class=step>view</b></button><button class=lines>c</button><button class=loud>Buy</button>
    <ol start=3><li id=o>Order</li></ol><ul class=star><li id=u>Note</li></ul><button aria-labelledby=o></button><button aria-labelledby=u></button>`)
  expect(roleNames(await page.snapshot())).toEqual([
    'button Big Save',
    'button 5. One',
    'button 6. Two',
    'button Page next',
    'button 7 Go',
    'button pre7 view',
    'button a b c',
    'button Buy NOW',
    'button 3. Order',
    'button * Note',
  ])
})

test('content that another element owns by aria-owns is part of the name of that element only', async () => {
  await using page = await openScriptPage('<button aria-owns=w>Open</button><a href=#>Report <span id=w>in a new window</span></a>')
  expect(roleNames(await page.snapshot())).toEqual(['button Open in a new window', 'link Report'])
})

test('an element owns nothing by aria-owns if it is hidden, cannot have children, is part of it or is not the first to claim it', async () => {
  await using page = await openScriptPage(
    `<a href=#1><i hidden aria-owns=one>x</i> <b id=one>One</b></a><a href=#2><i aria-hidden=true aria-owns=two>x</i> <b id=two>Two</b></a>
    <div aria-hidden=true><i aria-owns=three>x</i></div><a href=#3><b id=three>Three</b></a><input aria-owns=four aria-label=Field>
    <a href=#4><b id=four>Four</b></a><button aria-owns=five>First</button><button aria-owns=five>Second</button><p id=five>Five</p>
    <a href=#6><b id=six>Six<i aria-owns=six></i></b></a>`,
  )
  const expected = ['link One', 'link Two', 'link Three', 'textbox Field', 'link Four', 'button First Five', 'button Second', 'link Six']
  expect(roleNames(await page.snapshot())).toEqual(expected)
})

test('words are capitalized as they are drawn', async () => {
  await using page = await openScriptPage(
    `<style>button{text-transform:capitalize}</style><button>buy us-now (or don't) and/or "wait" at example.com</button>`,
  )
  expect(roleNames(await page.snapshot())).toEqual([`button Buy Us-Now (Or Don't) And/Or "Wait" At Example.com`])
})

test('a row that can be clicked prints its cells and not its name, unless it has a label', async () => {
  const row = (attributes: string) => `<div role=row tabindex=0 ${attributes}><div role=gridcell>Tea</div><div role=gridcell>$3</div></div>`
  await using page = await openScriptPage(`<div role=grid>${row('')}${row('aria-label=Green')}</div>`)
  const rows = nodes(await page.snapshot()).filter(({ role }) => role === 'row')
  expect(rows.map(({ name, text }) => [name, text])).toEqual([
    ['', 'Tea | $3'],
    ['Green', 'Tea | $3'],
  ])
})

test('a hidden label is a hint and does not turn the placeholder into a name', async () => {
  await using page = await openScriptPage(
    `<label for=a hidden>Phone</label><input id=a><label for=b style="display:none">Phone</label><input id=b placeholder="+1 555">`,
  )
  expect(await page.text()).toMatch(/textbox \[hint="Phone" from=label\] .*\n- textbox \[placeholder="\+1 555"\]/)
})

test('a dialog without a name is named by its first heading, and a heading by its aria-label', async () => {
  await using page = await openScriptPage(
    '<div role=dialog><div><h2>Delete?</h2></div><h3>Later</h3><button>Yes</button></div><h1 aria-label="Full title">T</h1><p>text</p>',
  )
  const found = nodes(await page.snapshot())
  expect(found.find(({ role }) => role === 'dialog')?.name).toBe('Delete?')
  expect(found.find(({ tag }) => tag === 'h1')?.name).toBe('Full title')
})
