import { expect, test } from 'vitest'
import { buildDocument, query, snapshot } from '../../src/html.ts'
import { malformed } from '../support/malformed.ts'

// that Chromium sees the same controls in them is in test/browser/static-agreement.test.ts
test.each(Object.entries(malformed))('%s: the snapshot has its limits, and every ref leads to its element', (_, html) => {
  const document = buildDocument(html)
  const { snapshotText, refs, error } = snapshot(document, { maxCharsTotal: 2_000 })
  expect(error).toBeUndefined()
  expect(snapshotText.length).toBeLessThanOrEqual(2_000)
  for (const [ref, { tag }] of refs) {
    const { value, error } = query(document, ref, 'OUTER_HTML', 100)
    expect(error).toBeUndefined()
    expect(value).toMatch(new RegExp(`^<${tag}[ >]`))
  }
})

test.each(Object.entries(malformed))('%s: twice the same', (_, html) => {
  expect(snapshot(html)).toEqual(snapshot(html))
})

test.each(Object.entries(malformed))('%s: cut off anywhere, it is still a page', (_, html) => {
  const step = Math.max(1, Math.floor(html.length / 60))
  for (let end = 0; end < html.length; end += step) expect(snapshot(html.slice(0, end)).error).toBeUndefined()
})
