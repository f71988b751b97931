import { expect, test } from 'vitest'
import { findNode, openScriptPage } from '../../support/script-page.ts'

const wrong: [unknown, string][] = [
  [{ maxNodez: 1 }, 'unknown option "maxNodez"'],
  [{ maxNodes: 0 }, 'maxNodes must be a whole number from 1 to 5000'],
  [{ maxNodes: 1.5 }, 'maxNodes must be'],
  [{ maxNodes: 1e9 }, 'maxNodes must be'],
  [{ maxTextPerNode: '200' }, 'maxTextPerNode must be'],
  [{ interactiveOnly: 'yes' }, 'interactiveOnly must be a boolean'],
  [{ viewport: 'left' }, 'viewport must be all or visible'],
  [{ occluded: 'keep' }, 'occluded must be mark or drop'],
  [{ scope: '' }, 'scope must be a string'],
  [{ scope: 5 }, 'scope must be a string'],
  [{ includeAttrs: 'href' }, 'includeAttrs must be a list of attribute names'],
  [{ includeAttrs: ['a b'] }, 'includeAttrs must be a list of attribute names'],
  [{ bridge: 1 }, 'bridge must be a string'],
  [[], 'options must be an object'],
  ['x', 'options must be an object'],
]

test('an unknown, mistyped or out-of-range option is rejected by name', async () => {
  await using page = await openScriptPage('<button>a</button>')
  for (const [options, message] of wrong) {
    const { ok, error } = await page.rawSnapshot(options)
    expect([ok, error?.code, error?.message]).toEqual([false, 'invalid_input', expect.stringContaining(message)])
  }
})

test('null and undefined select the default', async () => {
  await using page = await openScriptPage('<button>a</button>')
  expect(await page.rawSnapshot({ maxNodes: null, scope: null })).toMatchObject({ ok: true })
  expect(
    await page.evaluate('[__agentBrowser.snapshot().ok, __agentBrowser.snapshot(null).ok, __agentBrowser.snapshot({scope: undefined}).ok]'),
  ).toEqual([true, true, true])
})

test('maxVisits and maxTimeMs end the traversal and are reported as truncation reasons (X0-4 TRUST A6)', async () => {
  await using page = await openScriptPage(`<button>first</button>${'<p>x</p>'.repeat(5_000)}`)
  expect((await page.snapshot({ maxVisits: 100 })).stats).toMatchObject({
    nodesVisited: 101,
    truncated: true,
    truncateReasons: ['maxVisits'],
  })
  // the clock is read every 512 elements; no machine visits 5,000 elements before the first reading
  await page.evaluate('document.body.innerHTML += "<p>x</p>".repeat(60000)')
  expect((await page.snapshot({ maxTimeMs: 1 })).stats.truncateReasons).toContain('maxTime')
})

test('a document without a body fails with no_root', async () => {
  await using page = await openScriptPage('<button>a</button>')
  expect(await page.evaluate('document.body.remove(), __agentBrowser.snapshot().error.code')).toBe('no_root')
})

test('a continued snapshot counts only the texts after its start as left out', async () => {
  await using page = await openScriptPage(
    `<main>${Array.from({ length: 30 }, (_, i) => `<p>A paragraph ${i} with some words</p><button>Buy ${i}</button>`).join('')}</main>`,
  )
  const all = await page.snapshot()
  const after = await page.snapshot({ after: findNode(all, { name: 'Buy 19' }).ref as string })
  expect(after.stats.omitted?.text).toBe(10)
})
