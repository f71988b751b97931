import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowserAgent, formatRecording, recordingOf, resumeBrowserAgent, rulesModel } from '../../../src/agent.ts'
import { fileRunStore, readLog } from '../../../src/evidence.ts'
import { run as runProgram } from '../../../src/programs/recordings.ts'
import { approveAll } from '../../support/approve-all.ts'
import { call, close, refIn, scriptedModel, type Turn } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

const html = `<title>Shop</title><form onsubmit="return false"><label>Name <input name=name></label><label>Password <input type=password name=pw></label>
  <label>Card number <input name=card autocomplete=cc-number></label><label>CVV <input name=cvv autocomplete=cc-csc></label></form>
  <button type=button onclick="document.title='Saved'">Save it</button>`
const goal = 'type Ada into Name, type tea123 into Password, type 4111111111111111 into Card number, type 737 into CVV, then click Save it'
const words = ['tea123', '4111111111111111', '737']
const runs = () => mkdtempSync(join(tmpdir(), 'pagehand-runs-'))

test('what a run types into fields that hide it is in no recording, report, summary or list of runs, also if the goal has it (S3-51)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const agent = await createBrowserAgent({ model: rulesModel(), session: page.session, goal, evidence, approvals: approveAll })
  const { reason, run, report = '' } = await agent.run()
  expect(reason).toBe('closed')
  const store = fileRunStore({ folder: evidence })
  const log = await store.read(run)
  const [info] = await store.list()
  const file = join(evidence, 'rec.json')
  expect(await runProgram(['record', run, '--evidence', evidence, '--out', file])).toBe(0)
  const texts = [
    formatRecording(recordingOf(log)),
    readFileSync(file, 'utf8'),
    readFileSync(report, 'utf8'),
    readFileSync(join(dirname(report), 'meta.json'), 'utf8'),
    readFileSync(join(evidence, 'index.html'), 'utf8'),
    JSON.stringify(info),
    basename(dirname(report)),
  ]
  // a hash may contain three figures by chance
  for (const text of texts) for (const word of words) expect(text).not.toMatch(new RegExp(`\\b${word}\\b`))
  expect(info?.goal).toBe(
    'type Ada into Name, type [redacted] into Password, type [redacted] into Card number, type [redacted] into CVV, then click Save it',
  )
  expect(recordingOf(log)).toMatchObject({ goal: info?.goal, secrets: ['password', 'card-number', 'cvv'] })
  for (const each of [file, report]) expect(statSync(each).mode & 0o077).toBe(0)
  // the log begins with the goal as it was given; nothing else in it has what was typed
  expect(log.damage).toBeUndefined()
  for (const word of words.slice(0, 2))
    expect(JSON.stringify(log.events.filter(({ goal: given }) => given === undefined))).not.toContain(word)
})

test('a run with a password in its goal is resumed with the goal as it was given, and still keeps it out of what it writes (S3-42)', async () => {
  await using page = await openTestSession({ html })
  const evidence = runs()
  const type: Turn = (_, all) => call('browser-act', { action: 'fill', ref: refIn(all, 'textbox "Password"'), text: 'tea123' })
  const failing = scriptedModel([
    call('browser-observe', { task: 'password' }),
    type,
    { error: Object.assign(new Error('no credit'), { statusCode: 402 }) },
  ])
  const options = { session: page.session, evidence, approvals: approveAll }
  const { run } = await (await createBrowserAgent({ ...options, goal: 'type tea123 into Password', model: failing })).run()
  const model = scriptedModel([call('browser-snapshot'), close('I typed tea123.')])
  const { reason, report = '' } = await (await resumeBrowserAgent(run, { ...options, model })).run()
  expect(reason).toBe('closed')
  expect(JSON.stringify(model.prompts[0])).toContain('type tea123 into Password')
  const { events, damage } = readLog(readFileSync(join(dirname(report), 'events.jsonl'), 'utf8'))
  expect(damage).toBeUndefined()
  expect(JSON.stringify(events.slice(1))).not.toContain('tea123')
  for (const name of readdirSync(dirname(report)).filter(each => /\.(html|json)$/.test(each)))
    expect(readFileSync(join(dirname(report), name), 'utf8')).not.toContain('tea123')
})
