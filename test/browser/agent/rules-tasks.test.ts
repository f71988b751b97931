import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentRunResult, type BrowserAgent, createBrowserAgent, resumeBrowserAgent, rulesModel } from '../../../src/agent.ts'
import { fileRunStore } from '../../../src/evidence.ts'
import { account } from '../../agent/sites/account.ts'
import { openSite } from '../../agent/sites/site.ts'
import { agentTasks } from '../../agent/sites/tasks.ts'
import { approveAll } from '../../support/approve-all.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
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
  const { reason, error, summary } = await (
    await createBrowserAgent({ model: rulesModel(), session: opened.session, approvals: approveAll, goal, evidence: join(folder, 'runs') })
  ).run()
  expect([reason, error?.code]).toEqual(['error', 'not_done'])
  expect(summary).toContain('Not done: the page says "The password is wrong."')
  expect(summary).toContain('Not carried out: "log in as ada@bank.test", "click Statements"')
  expect(server.state).toEqual({ attempts: [{ user: 'ada@bank.test', password: 'wrong-horse' }], visits: [] })
})

test('the rules go on after the approval of an unattended run, also in another browser (S3-05 S3-48)', async () => {
  await using server = await openSite(account)
  const store = fileRunStore({ folder: join(folder, 'parked') })
  const goal = `Open ${server.url}, log in as ada@bank.test / correct-horse, tell me the balance`
  let parked: AgentRunResult | undefined
  let approvals = 0
  for (let process = 0; process < 6 && parked?.reason !== 'closed'; process++) {
    // a session of its own each time: what was typed before is lost
    await using opened = await openTestSession()
    const options = { model: rulesModel(), session: opened.session, evidence: store, redact: ['correct-horse'] }
    const agent: BrowserAgent = parked
      ? await resumeBrowserAgent(parked.run, { ...options, goal })
      : await createBrowserAgent({ ...options, goal, sites: [new URL(server.url).host] })
    parked = await agent.run()
    for (const { request } of await store.approvals({ pending: true })) {
      approvals++
      await store.decide(request.id, { approved: true, scope: 'run', by: 'ann', at: new Date().toISOString() })
    }
  }
  expect(parked).toMatchObject({ reason: 'closed', summary: expect.stringContaining('1,204.50') })
  expect(server.state).toEqual({ attempts: [{ user: 'ada@bank.test', password: 'correct-horse' }], visits: ['ada@bank.test'] })
  // for the rest of the run: it covers the other page of the log-in
  expect(approvals).toBe(1)
  const failing = await createBrowserAgent({
    model: scriptedModel([{ error: Object.assign(new Error('no credit'), { statusCode: 402 }) }]),
    run: async () => ({ ok: true, data: {} }),
    goal,
    evidence: store,
    redact: ['correct-horse'],
  })
  const { run } = await failing.run()
  await expect(resumeBrowserAgent(run, { run: async () => ({ ok: true, data: {} }), evidence: store })).rejects.toThrow('was redacted')
})
