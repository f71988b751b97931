import { expect, test } from 'vitest'
import { AgentBrowser, type RenderResult, renderDefaults } from '../../../src/index.ts'
import { openPage } from '../../support/open-page.ts'
import { nodes, openScriptPage } from '../../support/script-page.ts'

const todo = `<!doctype html><title>Todo</title><main><h1>Todo</h1><form id=f><input name=what aria-label="What to do"><button>Add</button></form><ul id=l></ul></main>
  <script>f.onsubmit = e => { e.preventDefault(); l.insertAdjacentHTML('beforeend', '<li><label><input type=checkbox> ' + f.what.value + '</label></li>'); f.reset() }</script>`

test('a host with only evaluate(string) sees changes under stable refs (S0-01 S0-03 S0-05 S0-07 S0-58 S0-61 S0-77)', async () => {
  await using page = await openPage({ html: todo })
  const evaluate = (expression: string): Promise<string> => page.evaluate(expression)
  await evaluate(AgentBrowser.getScript())
  const before = await evaluate(AgentBrowser.snapshotJs())
  expect(AgentBrowser.renderSnapshot(before).text).toContain('- textbox "What to do" [name="what"] [ref=e2]')
  // the user's doing between two snapshots
  await evaluate('f.what.value = "Buy bread", f.requestSubmit(), 1')
  const after = await evaluate(AgentBrowser.snapshotJs())
  const { text } = AgentBrowser.renderSnapshot(after)
  expect(text).toContain('- textbox "What to do" [name="what"] [ref=e2]')
  expect(text).toContain('- checkbox "Buy bread" [new] [ref=e4]')
  expect(AgentBrowser.diffSnapshots(before, after).text).toContain('+ checkbox "Buy bread" [ref=e4]')
})

test('a rendered result has text, refs, stats and reasons by default (S0-37 S0-56 S0-57 S0-80 S0-81 S0-82 S0-83)', async () => {
  await using page = await openScriptPage(Array.from({ length: 400 }, (_, i) => `<span><a href="/${i}">L${i}</a> and</span> `).join(''))
  const snapshot = await page.evaluate(AgentBrowser.snapshotJs())
  // by default, the limit of nodes does not hold back what is in view; one that is given holds
  expect(AgentBrowser.renderSnapshot(snapshot).text.length).toBeLessThanOrEqual(12_000)
  const result: RenderResult = AgentBrowser.renderSnapshot(snapshot, { maxNodes: renderDefaults.maxNodes })
  expect(renderDefaults).toMatchObject({ maxCharsTotal: 12_000, maxNodes: 200, maxDepth: 12, compact: true })
  expect(result.text.length).toBeLessThanOrEqual(12_000)
  expect(result.stats.nodesRendered).toBeLessThanOrEqual(200)
  expect(result.refs.length).toBeGreaterThanOrEqual(100)
  expect(result).toMatchObject({
    truncated: true,
    truncateReasons: expect.arrayContaining(['maxNodes']),
    stats: { chars: result.text.length },
  })
})

test('empty structure is never emitted, and compact unwraps containers with a single child (S0-70 S0-97)', async () => {
  await using page = await openScriptPage(
    `<main><ul>${'<li><div><span></span></div></li>'.repeat(20)}</ul><fieldset><a href=#>one</a></fieldset></main>`,
  )
  const loose = await page.text({}, { compact: false })
  const tight = await page.text()
  expect(loose).toMatch(/- main:\n {2}- group:\n {4}- link "one"/)
  expect(tight).toMatch(/- main:\n {2}- link "one"/)
  expect(await page.text({ interactiveOnly: false })).not.toContain('listitem')
})

test('following the calls suggested by the text reaches all 1,500 links of a page (S0-69 X0-25)', async () => {
  const many = 1_500
  await using page = await openScriptPage(Array.from({ length: many }, (_, i) => `<p><a href=#>Link ${i}</a></p>`).join(''))
  const reached = new Set<string>()
  let after: string | undefined
  for (let looks = 0; looks < 40; looks++) {
    const { text } = AgentBrowser.renderSnapshot(await page.evaluate(AgentBrowser.snapshotJs(after ? { after } : {})))
    for (const [, name] of text.matchAll(/link "(Link \d+)"/g)) reached.add(name ?? '')
    after = [...text.matchAll(/after=(e\d+)/g)].at(-1)?.[1]
    if (!after) break
  }
  expect(reached.size).toBe(many)
})

test('a snapshot makes no request and logs nothing to the console (S0-12)', async () => {
  await using page = await openScriptPage('<img src="data:," alt=x><a href="/never">x</a><iframe src="about:blank"></iframe>')
  const seen: string[] = []
  await page.tab.send('Network.enable')
  page.tab.on('Network.requestWillBeSent', ({ request }) => void seen.push(request.url))
  page.tab.on('Runtime.consoleAPICalled', ({ type }) => void seen.push(type))
  await page.snapshot({ interactiveOnly: false, includeHidden: true })
  await page.evaluate('1')
  expect(seen).toEqual([])
})

test('an exception during the traversal is returned as an error answer (X0-26)', async () => {
  await using page = await openScriptPage(
    '<button>a</button><script>Element.prototype.getBoundingClientRect = () => { throw new Error("broken") }</script>',
    { late: true },
  )
  expect(await page.rawSnapshot()).toMatchObject({
    ok: false,
    type: 'snapshot',
    error: { code: 'snapshot_failed', message: 'an unexpected error', page: { error: 'broken' } },
  })
})

test('a double-encoded answer, as Android returns it, is parsed', async () => {
  await using page = await openScriptPage('<button>a</button>')
  const twice = JSON.stringify(await page.evaluate(AgentBrowser.snapshotJs()))
  const snapshot = AgentBrowser.parseSnapshot(twice)
  expect(snapshot.ok && nodes(snapshot).map(node => node.name)).toEqual(['a'])
})
