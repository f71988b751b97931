import { expect, test } from 'vitest'
import { restoreRun } from '../../src/agent/resume.ts'
import type { LogEntry } from '../../src/contract/journal.ts'

const log = (...events: readonly object[]): readonly LogEntry[] =>
  [{ type: 'run.started', goal: 'Order' }, { type: 'agent.turn', text: '' }, ...events].map(
    (event, at) => ({ seq: at + 1, at: '2026-01-01T00:00:00.000Z', run: 'r', ...event }) as unknown as LogEntry,
  )
const called = { type: 'tool.call', call: 1, tool: 'browser-act', arguments: {} }
const begun = (step: number, verb = 'click') => ({ type: 'command', step, verb })
const carriedOut = (step: number) => ({ type: 'result', step, ok: true })
const asked = { type: 'approval.requested', approval: 'abcd' }
const decided = { type: 'approval.decided', approval: 'abcd', approved: true }

test.each([
  ['had done nothing', [called], /^aborted: the program ended before the call did anything\.$/],
  ['had begun an action', [called, begun(1)], /^outcome_unknown: .* may have happened/],
  ['was asking a person', [called, asked], /^approval_required: .*request abcd\. The action was not performed\.$/],
  [
    'was asking after other actions',
    [called, begun(1, 'fill'), carriedOut(1), asked],
    /^approval_required: .* Carried out before: fill\.$/,
  ],
  ['had an approval and used it', [called, asked, decided, begun(1)], /^outcome_unknown: /],
  ['had carried out everything', [called, begun(1), carriedOut(1)], /^outcome_unknown: .* Carried out before: click\.$/],
])('a resumed model reads what became of a call whose process %s (S3-41 F8)', (_, events, answer) => {
  const answers = (given: readonly object[]) => restoreRun(log(...given)).turns.flatMap(({ calls }) => calls.map(each => each.answer?.text))
  expect(answers(events)).toEqual([expect.stringMatching(answer)])
  // what the next process does is not about this call
  const later = [{ type: 'run.resumed' }, { type: 'agent.turn', text: '' }, { ...called, call: 2 }, begun(9), carriedOut(9)]
  expect(answers([...events, ...later, { type: 'tool.result', call: 2, ok: true, text: 'ok' }])).toEqual([
    expect.stringMatching(answer),
    'ok',
  ])
})
