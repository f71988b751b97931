import { expect, test } from 'vitest'
import { drive } from '../support/session.ts'

const allowEval = true

test('tabs are listed, opened, selected and closed', async () => {
  await using session = await drive({ html: '<title>one', files: { 'two.html': '<title>two' } })
  const { tabs } = await session.do('tabs', { operation: 'new', url: `${session.url}two.html` })
  expect(tabs).toMatchObject([
    { tab: 't1', title: 'one', selected: false },
    { tab: 't2', title: 'two', url: `${session.url}two.html`, selected: true },
  ])
  expect((await session.do('snapshot')).meta.title).toBe('two')
  await session.do('tabs', { operation: 'select', tab: 't1' })
  expect((await session.do('snapshot')).meta.title).toBe('one')
  expect((await session.do('tabs', { operation: 'close', tab: 't1' })).tabs).toMatchObject([{ tab: 't2', selected: true }])
  expect(await session.fails('tabs', { operation: 'select', tab: 't1' })).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('t2'),
  })
  expect(await session.fails('tabs', { operation: 'select' })).toMatchObject({ code: 'invalid_input' })
})

test('when the last tab is closed, looking says so and the next page opens a new one', async () => {
  await using session = await drive({ html: '<title>one' })
  expect((await session.do('tabs', { operation: 'close' })).tabs).toEqual([])
  expect(await session.fails('snapshot')).toMatchObject({ code: 'target_closed' })
  expect((await session.do('open', { url: session.url })).page.title).toBe('one')
})

test('a ref of another tab is refused, and the tab it is in is named', async () => {
  await using session = await drive({ html: '<button>Here</button>' })
  const ref = await session.ref('Here')
  await session.do('tabs', { operation: 'new', url: session.url })
  expect(await session.ref('Here')).not.toBe(ref)
  expect(await session.fails('query', { ref, kind: 'text' })).toMatchObject({
    code: 'ref_not_found',
    message: `${ref} is in tab t1; select that tab first.`,
  })
})

test('a tab that a page opens is noted, not selected, and can be followed', async () => {
  await using session = await drive({ html: '<title>one', files: { 'two.html': '<title>two' } }, { allowEval })
  const { notes } = await session.do('evaluate', { js: 'void open("two.html")' })
  expect(notes).toEqual([expect.stringMatching(/^Tab t2 opened at .*select it/)])
  expect((await session.do('tabs', { operation: 'list' })).tabs).toMatchObject([
    { tab: 't1', selected: true },
    { tab: 't2', selected: false },
  ])
  await session.do('tabs', { operation: 'select', tab: 't2' })
  await expect.poll(async () => (await session.do('snapshot')).meta.title).toBe('two')
})

test('a tab without an opener is ours too when the whole context is', async () => {
  await using session = await drive({ html: '<title>one', files: { 'two.html': '<title>two' } }, { allowEval })
  await session.do('evaluate', { js: 'void open("two.html", "", "noopener")' })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs.length).toBe(2)
})

test('of fifty tabs that a page opens, five stay, and the others are told of (B5)', async () => {
  await using session = await drive({ html: '<title>one' }, { allowEval })
  const { notes } = await session.do('evaluate', { js: 'for (let i = 0; i < 50; i++) open("about:blank#" + i); 0' })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs.length).toBeLessThanOrEqual(6)
  const { tabs, notes: more } = await session.do('tabs', { operation: 'list' })
  expect(tabs).toHaveLength(6)
  expect([...(notes ?? []), ...(more ?? [])].join('\n')).toMatch(/more tabs were closed: a page may open 5 per action/)
})

test('a tab that closes itself is gone from the list', async () => {
  await using session = await drive({ html: '<title>one' }, { allowEval })
  await session.do('evaluate', { js: 'void (w = open("about:blank"))' })
  await session.do('evaluate', { js: 'w.close()' })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs.length).toBe(1)
})

test('a tab that a page opens where nobody may go is left at once (B4)', async () => {
  await using session = await drive({ html: '<title>one' }, { allowEval })
  await session.do('evaluate', {
    js: `void open(URL.createObjectURL(new Blob(['<title>blob</title><button>secret</button>'], { type: 'text/html' })))`,
  })
  await expect.poll(async () => (await session.do('tabs', { operation: 'list' })).tabs[1]?.url).toBe('about:blank')
  await session.do('tabs', { operation: 'select', tab: 't2' })
  expect(await session.text()).not.toContain('secret')
})
