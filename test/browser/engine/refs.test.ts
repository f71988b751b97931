import { expect, test } from 'vitest'
import { AgentBrowser, createSeal } from '../../../src/index.ts'
import { findNode, nodes, openScriptPage, roleNames } from '../../support/script-page.ts'

const refs = async (page: Awaited<ReturnType<typeof openScriptPage>>) => nodes(await page.snapshot()).map(node => [node.ref, node.name])

test('an element keeps its ref across snapshots, moves and renames (C2 S0-73)', async () => {
  await using page = await openScriptPage('<button id=a>a</button><button id=b>b</button>')
  expect(await refs(page)).toEqual([
    ['e1', 'a'],
    ['e2', 'b'],
  ])
  await page.evaluate('a.textContent = "renamed"; document.body.append(a)')
  expect(await refs(page)).toEqual([
    ['e2', 'b'],
    ['e1', 'renamed'],
  ])
})

test('a ref is never reused for another element of the document (C2 X0-1)', async () => {
  await using page = await openScriptPage('<button id=a>Save</button>')
  await page.snapshot()
  await page.evaluate('a.remove(); document.body.insertAdjacentHTML("afterbegin", "<button>Delete</button>")')
  expect(await refs(page)).toEqual([['e2', 'Delete']])
  expect(await page.rawSnapshot({ scope: 'e1' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
})

test('a reload starts a new document whose first snapshot starts at e1 (C2)', async () => {
  await using page = await openScriptPage('<button>a</button><button>b</button>')
  await page.snapshot()
  await page.reload()
  expect(await refs(page)).toEqual([
    ['e1', 'a'],
    ['e2', 'b'],
  ])
})

test('a scoped snapshot and a failed snapshot leave all refs unchanged', async () => {
  await using page = await openScriptPage('<nav><a href=#>n</a></nav><main><button>m</button></main>')
  const before = await refs(page)
  expect(await page.rawSnapshot({ scope: '>>nonsense' })).toMatchObject({ ok: false, error: { code: 'invalid_selector' } })
  expect(await page.rawSnapshot({ scope: '#nothing' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
  expect(await page.rawSnapshot({ maxNodes: 'x' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(roleNames(await page.snapshot({ scope: 'main' }))).toEqual(['button m'])
  expect(await refs(page)).toEqual(before)
})

test('scope accepts a selector or a ref, and the scoped root always has role and name (X0-24)', async () => {
  await using page = await openScriptPage('<nav aria-label=Main><a href=#>n</a></nav><form aria-label=Login><button>Go</button></form>')
  expect((await page.snapshot({ scope: 'nav' })).tree).toMatchObject({
    tag: 'nav',
    role: 'navigation',
    name: 'Main',
    ref: expect.any(String),
  })
  const form = findNode(await page.snapshot(), { role: 'form' })
  expect((await page.snapshot({ scope: `[ref=${form.ref}]` })).tree).toMatchObject({ role: 'form', name: 'Login', ref: form.ref })
})

test('a clone with a copied data-agent-ref gets its own ref (X0-21 C3)', async () => {
  await using page = await openScriptPage('<button id=a>Delete</button>')
  await page.snapshot()
  await page.evaluate('document.body.prepend(a.cloneNode(true))')
  expect(await refs(page)).toEqual([
    ['e2', 'Delete'],
    ['e1', 'Delete'],
  ])
  expect(await page.evaluate('[...document.querySelectorAll("button")].map(b => b.dataset.agentRef)')).toEqual(['e2', 'e1'])
})

test('a data-agent-ref that the page forged is ignored (C3)', async () => {
  await using page = await openScriptPage('<button data-agent-ref=e7>Forged</button>')
  expect(await page.rawSnapshot({ scope: 'e7' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
  expect(await refs(page)).toEqual([['e1', 'Forged']])
})

test('injecting the script twice keeps all refs', async () => {
  await using page = await openScriptPage('<button>a</button>')
  await page.snapshot()
  await page.evaluate('document.body.insertAdjacentHTML("afterbegin", "<button>b</button>")')
  await page.evaluate(AgentBrowser.getScript())
  expect(await refs(page)).toEqual([
    ['e2', 'b'],
    ['e1', 'a'],
  ])
})

test('an __agentBrowser object created by the page is replaced (X0-20)', async () => {
  await using page = await openScriptPage(
    '<button>real</button><script>__agentBrowser = { version: "0", seal: "x", call: () => "spoofed", snapshot: () => "spoofed" }</script>',
    { late: true },
  )
  expect(roleNames(await page.snapshot())).toEqual(['button real'])
})

test('a locked __agentBrowser object created by the page is not trusted and gives not_injected (X0-20)', async () => {
  await using page = await openScriptPage(
    '<button>real</button><script>Object.defineProperty(window, "__agentBrowser", { value: { seal: "x", call: () => \'{"ok":true}\' } })</script>',
    { late: true },
  )
  expect(await page.rawSnapshot()).toMatchObject({ ok: false, type: 'snapshot', error: { code: 'not_injected' } })
})

test('the page cannot replace, change or delete the injected object (X0-20)', async () => {
  await using page = await openScriptPage(
    '<button>real</button><script>try { __agentBrowser = 1 } catch {} try { delete window.__agentBrowser } catch {} try { __agentBrowser.call = () => "spoofed" } catch {}</script>',
  )
  expect(roleNames(await page.snapshot())).toEqual(['button real'])
})

test('a document injected with a custom seal only answers expressions that carry it', async () => {
  await using page = await openScriptPage('<button>a</button>', { late: true })
  await page.reload()
  const seal = createSeal()
  await page.evaluate(AgentBrowser.getScript({ seal }))
  expect(AgentBrowser.parseSnapshot(await page.evaluate(AgentBrowser.snapshotJs({}, { seal })))).toMatchObject({ ok: true })
  expect(await page.rawSnapshot()).toMatchObject({ ok: false, error: { code: 'not_injected' } })
})

test('an expression evaluated before injection gives not_injected', async () => {
  await using page = await openScriptPage('<button>a</button>', { late: true })
  await page.reload()
  expect(await page.rawSnapshot()).toMatchObject({ ok: false, type: 'snapshot', error: { code: 'not_injected' } })
})

test('meta.integrity tells whether the script was injected before the page scripts (TRUST A5)', async () => {
  await using early = await openScriptPage('<button>a</button>')
  expect((await early.snapshot()).meta.integrity).toBe('verified')
  await using late = await openScriptPage('<button>a</button>', { late: true })
  expect((await late.snapshot()).meta.integrity).toBe('unverified')
})

test('nodes that appeared since the last snapshot are marked new; nodes that scrolled into view are not', async () => {
  await using page = await openScriptPage(`<button>a</button><div style="height:3000px"></div>${'<a href=#>x</a>'.repeat(30)}`)
  expect(nodes(await page.snapshot()).filter(node => node.new)).toEqual([])
  await page.evaluate(
    'document.body.insertAdjacentHTML("afterbegin", "<div role=alert>Saved</div><button>Undo</button>"); scrollTo(0, 3000)',
  )
  expect(
    nodes(await page.snapshot())
      .filter(node => node.new)
      .flatMap(node => node.name || node.text || []),
  ).toEqual(['Saved', 'Undo'])
  expect(nodes(await page.snapshot()).filter(node => node.new)).toEqual([])
})

test('after continues behind a ref, in document order', async () => {
  await using page = await openScriptPage(Array.from({ length: 30 }, (_, i) => `<button>b${i + 1}</button>`).join(''))
  const first = await page.snapshot({ maxNodes: 10 })
  expect(first.stats).toMatchObject({ truncateReasons: ['maxNodes'], omitted: { below: 20 } })
  const next = await page.snapshot({ maxNodes: 10, after: 'e10' })
  expect(roleNames(next)).toEqual(Array.from({ length: 10 }, (_, i) => `button b${i + 11}`))
  expect(next.meta.after).toBe('e10')
  expect(await page.rawSnapshot({ after: 'e99' })).toMatchObject({ ok: false, error: { code: 'ref_not_found' } })
  expect(await page.rawSnapshot({ after: 'nonsense' })).toMatchObject({ ok: false, error: { code: 'invalid_ref' } })
})

test('a detached element loses its ref until it is attached again', async () => {
  await using page = await openScriptPage('<div id=d><button id=a>a</button></div>')
  await page.snapshot()
  await page.evaluate('window.kept = a; a.remove()')
  expect(await page.rawSnapshot({ scope: 'e1' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
  await page.evaluate('d.append(kept)')
  expect(await page.rawSnapshot({ scope: 'e1' })).toMatchObject({ ok: true })
})

test('a ref is accepted as scope in every spelling, including a bare number (C1)', async () => {
  await using page = await openScriptPage('<button>a</button>')
  await page.snapshot()
  expect((await page.snapshot({ scope: '1' })).tree).toMatchObject({ ref: 'e1', name: 'a' })
})

test('a snapshot with other options marks nothing as new on an unchanged page', async () => {
  await using page = await openScriptPage(
    '<ul><li>3 EUR <a href=#>x</a></li></ul><img alt=chart src="data:," width=9 height=9><button hidden>h</button>',
  )
  await page.snapshot()
  for (const options of [{ interactiveOnly: false }, { includeHidden: true }, {}])
    expect(nodes(await page.snapshot(options)).filter(node => node.new)).toEqual([])
})

test('an alert and a dialog that appear are marked as new in the text', async () => {
  await using page = await openScriptPage('<button>a</button>'.repeat(9))
  await page.snapshot()
  await page.evaluate(
    'document.body.insertAdjacentHTML("beforeend", "<p role=alert>Saved</p><div role=dialog aria-label=Sure>Really?<button>Yes</button></div>"), 1',
  )
  const text = await page.text()
  expect(text).toMatch(/alert \[new\].*"Saved"/)
  expect(text).toMatch(/dialog "Sure" \[new\]/)
})
