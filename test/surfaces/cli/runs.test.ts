import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { ApprovalRequest } from '../../../src/contract/approval.ts'
import { fileRunStore } from '../../../src/evidence.ts'
import { listRuns } from '../../../src/surfaces/cli/agent/runs.ts'
import { approvalCommand } from '../../../src/surfaces/cli/approval-commands.ts'

/** What a command prints to standard output. */
async function printed(command: () => Promise<number>): Promise<string> {
  let out = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(((text: string, done?: () => void) => {
    out += text
    done?.()
    return true
  }) as never)
  expect(await command()).toBe(0)
  spy.mockRestore()
  return out
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'pagehand-runs-'))

test('the list of runs says why each run ended or waits (S3-41)', async () => {
  const folder = newFolder()
  const store = fileRunStore({ folder })
  for (const [goal, reason] of Object.entries({ 'Buy tea': 'closed', 'Buy salt': 'error', 'Buy ice': 'aborted' })) {
    const journal = await store.create({ label: goal, goal })
    await journal.append({ type: 'agent.ended', reason })
    // runs of earlier versions have the reason in that event only
    await journal.end(reason === 'error' ? {} : { reason })
  }
  const waiting = await store.create({ label: 'Buy milk', goal: 'Buy milk' })
  await waiting.append({ type: 'agent.parked', reason: 'needs_approval' })
  await waiting.close()
  const lines = (await printed(() => listRuns(['--evidence', folder]))).trimEnd().split('\n')
  expect(lines.map(line => / {3}(\S+(?:: \S+)?) {3}/.exec(line)?.[1])).toEqual(
    expect.arrayContaining(['ended: closed', 'ended: error', 'ended: aborted', 'parked: needs_approval']),
  )
})

test('a request names the step that the console shows for its action (S3-05)', async () => {
  const folder = newFolder()
  const store = fileRunStore({ folder })
  const journal = await store.create({ label: 'Pay', goal: 'Pay' })
  await journal.append({ type: 'agent.turn', step: 2 })
  await journal.request({
    id: 'abcd1234',
    run: journal.id,
    step: 3,
    actionId: 's3',
    commandHash: 'h',
    command: { name: 'click', ref: 'e1' },
    classes: ['pay'],
    reasons: ['Its words mean to pay or order.'],
    origin: 'https://shop.test',
    url: 'https://shop.test/cart',
    rule: 'allow pay on https://shop.test',
    askedAt: '2026-01-01T00:00:00.000Z',
    kind: 'action',
  } satisfies ApprovalRequest)
  expect(await printed(() => approvalCommand('approvals', ['--folder', folder]))).toContain(`run ${journal.id}, step 2,`)
  await journal.close()
})
