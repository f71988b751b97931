import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BrowserAgentOptions, createBrowserAgent, resumeBrowserAgent } from '../../src/agent.ts'
import { failure } from '../../src/contract/failures.ts'
import type { RunStore } from '../../src/contract/journal.ts'
import type { AnyRun } from '../../src/contract/run.ts'
import { fileRunStore } from '../../src/evidence.ts'
import { call, close, scriptedModel, type Turn } from '../support/scripted-model.ts'

const noPage: AnyRun = async () => ({ ok: false, error: failure('browser_crashed', 'there is no page') })
const untouched: AnyRun = () => {
  throw new Error('a run that has ended acts')
}
const silent = () =>
  scriptedModel([
    () => {
      throw new Error('a run that has ended asks its model')
    },
  ])

/** A store whose process dies when a run has logged the end of its agent, before it ends the run. */
const dying = (store: RunStore): Pick<RunStore, 'create'> => ({
  async create(run) {
    const journal = await store.create(run)
    return Object.assign(journal, { end: () => journal.close() })
  },
})

interface Ending {
  readonly reason: string
  readonly turns: readonly Turn[]
  readonly options?: Partial<BrowserAgentOptions>
  readonly isAborted?: boolean
}

const endings: readonly Ending[] = [
  { reason: 'closed', turns: [close('Ordered and paid.', ['All done', 'No. 7'])] },
  { reason: 'max_cost', turns: [call('browser-snapshot')], options: { limits: { tokens: 1 } } },
  { reason: 'loop', turns: [call('browser-snapshot')] },
  { reason: 'error', turns: ['I only talk.'] },
  { reason: 'aborted', turns: [close('never said')], isAborted: true },
]

test.each(endings)(
  'a process that dies between the end of its agent ($reason) and the end of the run leaves nothing to do but to end the run (S3-41 F8)',
  async ({ turns, options, isAborted, reason }) => {
    const folder = mkdtempSync(join(tmpdir(), 'pagehand-ended-'))
    const store = fileRunStore({ folder })
    const check = async () => [{ says: 'the order is there', held: true }]
    const evidence = { ...store, ...dying(store) }
    const first = await createBrowserAgent({ model: scriptedModel(turns), run: noPage, goal: 'Order and pay', evidence, check, ...options })
    const { message: _, report: __, ...outcome } = await first.run(isAborted ? { signal: AbortSignal.abort() } : {})
    expect(outcome.reason).toBe(reason)
    const before = (await store.read(first.id)).events
    expect(before.at(-1)).toMatchObject({ type: 'agent.ended', reason })

    const model = silent()
    // neither another limit nor another check changes an outcome
    const again = { model, run: untouched, evidence: store, check: () => Promise.reject(new Error('checked twice')), limits: { steps: 99 } }
    const second = await resumeBrowserAgent(first.id, again)
    const { message, report = '', ...result } = await second.run()
    expect(model.prompts).toEqual([])
    expect(result).toEqual(outcome)
    expect(message.metadata).toMatchObject({ run: first.id, reason, usage: outcome.usage })
    const { events, damage } = await store.read(first.id)
    expect(damage).toBeUndefined()
    expect(events.slice(before.length)).toMatchObject([{ type: 'run.resumed' }, { type: 'run.ended', text: outcome.summary }])
    expect(readFileSync(report, 'utf8')).toContain(outcome.summary)
  },
)

test('a run whose end was logged needs neither its redacted goal nor more time: an abort does not change its outcome (S3-41)', async () => {
  const store = fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-ended-')) })
  const evidence = { ...store, ...dying(store) }
  const options = { run: noPage, evidence, goal: 'Log in with hunter22', redact: ['hunter22'] }
  const first = await createBrowserAgent({ ...options, model: scriptedModel([close('Logged in.')]) })
  await first.run()
  const second = await resumeBrowserAgent(first.id, { model: silent(), run: untouched, evidence: store })
  expect(await second.run({ signal: AbortSignal.abort() })).toMatchObject({ reason: 'closed', summary: 'Logged in.' })
})
