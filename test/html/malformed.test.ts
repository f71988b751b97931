import { expect, test } from 'vitest'
import { buildDocument, query, snapshot } from '../../src/html.ts'
import { malformed } from '../support/malformed-markup.ts'

// test/browser/engine/static-agreement.test.ts checks that Chromium sees the same controls
test.each(Object.entries(malformed))('%s: the snapshot keeps its limits, and every ref leads to its element', (_, html) => {
  const document = buildDocument(html)
  const { snapshotText, refs, error } = snapshot(document, { maxCharsTotal: 2_000 })
  expect(error).toBeUndefined()
  expect(snapshotText.length).toBeLessThanOrEqual(2_000)
  for (const [ref, { tag }] of Object.entries(refs)) {
    const { value, error } = query(document, ref, 'OUTER_HTML', 100)
    expect(error).toBeUndefined()
    expect(value).toMatch(new RegExp(`^<${tag}[ >]`))
  }
})

test.each(Object.entries(malformed))('%s: two snapshots are equal', (_, html) => {
  expect(snapshot(html)).toEqual(snapshot(html))
})

test.each(Object.entries(malformed))('%s: any prefix gives a snapshot', (_, html) => {
  const step = Math.max(1, Math.floor(html.length / 60))
  for (let end = 0; end < html.length; end += step) expect(snapshot(html.slice(0, end)).error).toBeUndefined()
})
