import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowserAgent, rulesModel } from '../../../src/agent.ts'
import { account } from '../../agent/sites/account.ts'
import { openSite } from '../../agent/sites/site.ts'
import { agentTasks } from '../../agent/sites/tasks.ts'
import { approveAll } from '../../support/approve-all.ts'
import { openTestSession } from '../../support/test-session.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagehand-rules-'))
  await writeFile(join(folder, 'cv.txt'), 'Baker since 2019.')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

for (const task of agentTasks)
  test(`the rules: ${task.name}, as the server of the site confirms, with a report (S3-40, S3-41)`, async () => {
    const { site, goal, outcome, expected, told = '', secrets = [] } = task
    await using server = await openSite(site)
    await using opened = await openTestSession({}, { uploadRoots: [folder] })
    const agent = await createBrowserAgent({
      model: rulesModel(),
      session: opened.session,
      approvals: approveAll,
      goal: goal({ url: server.url, file: join(folder, 'cv.txt') }),
      evidence: join(folder, 'runs'),
      redact: secrets,
    })
    const result = await agent.run()
    expect(result.summary).toMatch(/^Done by fixed rules, without AI\./)
    expect(result.reason).toBe('closed')
    await expect.poll(() => outcome(server.state)).toEqual(expected)
    expect(result.summary).toContain(told)
    const report = await readFile(result.report as string, 'utf8')
    expect(report).toContain('Done by fixed rules, without AI.')
    for (const secret of secrets) expect(report).not.toContain(secret)
  })

test('the rules say truthfully that a log-in failed, and do nothing after it (S3-40)', async () => {
  await using server = await openSite(account)
  await using opened = await openTestSession()
  const goal = `Open ${server.url}, log in as ada@bank.test / wrong-horse, click Statements`
  const { reason, summary } = await (
    await createBrowserAgent({ model: rulesModel(), session: opened.session, approvals: approveAll, goal, evidence: join(folder, 'runs') })
  ).run()
  expect(reason).toBe('closed')
  expect(summary).toContain('Not done: the page says "The password is wrong."')
  expect(summary).toContain('Not carried out: "log in as ada@bank.test", "click Statements"')
  expect(server.state).toEqual({ attempts: [{ user: 'ada@bank.test', password: 'wrong-horse' }], visits: [] })
})
