import { expect, test } from 'vitest'
import { charsOf, createBrowserAgent } from '../../../src/agent.ts'
import { isLong } from '../../faults/scale.ts'
import { call, close, scriptedModel, type Turn } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

/** two elements each; even the short page has three times the text that an answer may have */
const count = isLong ? 10_000 : 500
const rows = `<script>for (let i = 0; i < ${count}; i++) document.write('<p>Row ' + i + ' of a very long list of things <button>Action ' + i + '</button></p>')</script>`

test(`forty steps on a page of ${2 * count} elements stay below 70,000 characters (S3-29 S3-30 S3-31 S3-32 X3-12)`, {
  timeout: isLong ? 900_000 : 240_000,
}, async () => {
  await using page = await openTestSession({ html: `<title>Long</title>${rows}` })
  const steps: Turn[] = Array.from({ length: 39 }, (_, index) => {
    if (index % 4 === 0) return call('browser-snapshot', { maxChars: 100_000 })
    if (index % 4 === 1) return call('browser-observe', { task: `action ${index}`, maxChars: 50_000 })
    if (index % 4 === 2) return call('browser-act', { action: 'scroll', direction: index % 8 === 2 ? 'down' : 'up', amount: 400 + index })
    return call('browser-extract', { query: `row ${index}`, maxChars: 50_000 })
  })
  const model = scriptedModel([...steps, close('Seen.')])
  const agent = await createBrowserAgent({ model, session: page.session, goal: 'Look around', limits: { steps: 40 } })
  const { reason, usage } = await agent.run()
  expect(reason).toBe('closed')
  expect(usage.steps).toBe(40)
  const sizes = model.doStreamCalls.map(({ prompt }) => charsOf(prompt))
  expect(Math.max(...sizes)).toBeLessThan(70_000)
  // the second half of the run is no larger than the first: the size does not grow with the steps
  expect(Math.max(...sizes.slice(20))).toBeLessThan(1.3 * Math.max(...sizes.slice(0, 20)))
  const last = model.prompts.at(-1) ?? ''
  expect(last.match(/\[observe\] url=/g)).toHaveLength(1)
  expect(last.match(/\[dropped: older snapshot/g)?.length).toBeGreaterThan(5)
})
