import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../../src/contract/approval.ts'
import { type AnyCommand, ok, wrap } from '../../src/contract/run.ts'
import { fileRunStore, recordRun } from '../../src/evidence.ts'
import { bundleProgram, startProgram } from '../support/child-program.ts'
import { recordingDriver } from '../support/recording-driver.ts'

const freshStore = () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-journal-'))
  return { folder, store: fileRunStore({ folder }) }
}
const driver = () => recordingDriver({ shows: () => ({ meta: { url: 'https://shop.test/', title: 'Shop' } }) as never })
const clicks = (commands: readonly AnyCommand[]) => commands.filter(({ name }) => name === 'click').length
const click = (): AnyCommand => ({ name: 'click', ref: 'e1' })

test('the same action id returns the recorded result, and nothing is dispatched (F8)', async () => {
  const { store } = freshStore()
  const { run, commands } = driver()
  const journal = await store.create({ label: 'twice', goal: 'buy tea' })
  const recorded = wrap(run, recordRun(journal).layer)
  journal.beginCall('call_1')
  const first = await recorded(click() as never)
  journal.beginCall('call_1')
  const second = await recorded(click() as never)
  expect(clicks(commands)).toBe(1)
  expect(second).toMatchObject({
    ok: true,
    data: { effect: (first as { data: { effect: object } }).data.effect, page: { url: 'https://shop.test/' } },
  })
  expect(JSON.stringify(second)).toContain('nothing was done now')
  journal.beginCall('call_1')
  expect(await recorded({ name: 'click', ref: 'e2' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  journal.beginCall('call_2')
  await recorded(click() as never)
  expect(clicks(commands)).toBe(2)
  await journal.close()
})

test('after a restart, results are returned again, and an intent without a result is outcome_unknown (F8)', async () => {
  const { store } = freshStore()
  const { run, commands } = driver()
  const journal = await store.create()
  const before = wrap(run, recordRun(journal).layer)
  journal.beginCall('a')
  await before(click() as never)
  // the process dies after the intent: nothing else is written
  journal.beginCall('b')
  const slot = journal.slotOf(click())
  await journal.append({ type: 'command', verb: 'click', arguments: { ref: 'e1' }, ...slot })
  await journal.close()

  const reopened = await store.open(journal.id)
  expect(reopened.action('a.1')).toMatchObject({ ok: true })
  expect(reopened.action('b.1')).toBe('outcome_unknown')
  expect(reopened.action('c.1')).toBeUndefined()
  const after = wrap(run, recordRun(reopened).layer)
  reopened.beginCall('b')
  expect(await after(click() as never)).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } })
  expect(clicks(commands)).toBe(1)
  reopened.beginCall('c')
  expect(await after(click() as never)).toMatchObject({ ok: true })
  expect(clicks(commands)).toBe(2)
  await reopened.end({ text: 'done' })
  const { events, damage } = await store.read(journal.id)
  expect(damage).toBeUndefined()
  const steps = events.filter(({ type }) => type === 'command').map(({ step }) => step)
  expect(new Set(steps).size).toBe(steps.length)
  await expect(store.open(journal.id)).rejects.toThrow('has ended')
})

test('a torn last line is dropped, and the chain goes on (F8)', async () => {
  const { folder, store } = freshStore()
  const journal = await store.create()
  await journal.append({ type: 'note', text: 'whole' })
  await journal.close()
  const file = join(folder, journal.id, 'events.jsonl')
  appendFileSync(file, '{"seq":3,"at":"2026')
  expect(await store.read(journal.id)).toMatchObject({ torn: true })
  const reopened = await store.open(journal.id)
  await reopened.append({ type: 'note', text: 'after' })
  await reopened.close()
  const { events, torn, damage } = await store.read(journal.id)
  expect([torn, damage]).toEqual([false, undefined])
  expect(events.map(({ type }) => type)).toEqual(['run.started', 'note', 'run.resumed', 'note'])
})

test('a log with a changed, a removed or an added line is not opened, and its run is given back (F8)', async () => {
  for (const change of [
    (text: string) => text.replace('whole', 'other'),
    (text: string) => text.replace(/\n.*?\n/, '\n'),
    (text: string) => `${text}{"seq":4,"at":"x","run":"r","type":"note","prev":"0"}\n`,
  ]) {
    const { folder, store } = freshStore()
    const journal = await store.create()
    for (const text of ['whole', 'last']) await journal.append({ type: 'note', text })
    await journal.close()
    const file = join(folder, journal.id, 'events.jsonl')
    const original = readFileSync(file, 'utf8')
    writeFileSync(file, change(original))
    await expect(store.open(journal.id)).rejects.toMatchObject({ code: 'run_damaged' })
    expect((await store.list())[0]).toMatchObject({ state: 'damaged' })
    writeFileSync(file, original)
    await (await store.open(journal.id)).close()
  }
})

test('one process at a time has a run, and a killed one gives it up even if its pid is used again (F7 F8)', async () => {
  const { folder, store } = freshStore()
  const journal = await store.create()
  await expect(store.open(journal.id)).rejects.toMatchObject({ code: 'run_in_use', message: `Process ${process.pid} works on this run.` })
  await journal.close()
  const owners = join(folder, journal.id, 'owner')
  // the pid of this living process, but another start time: the pid was used again
  writeFileSync(join(owners, '7'), JSON.stringify({ pid: process.pid, started: 'before', host: (await import('node:os')).hostname() }))
  const first = await store.open(journal.id)
  expect(readdirSync(owners)).toEqual(['8'])
  expect((await store.list())[0]).toMatchObject({ state: 'running' })
  await first.close()
  expect((await store.list())[0]).toMatchObject({ state: 'parked' })
  // of many that open at once, one succeeds
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => store.open(journal.id)))
  const opened = results.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  expect(opened).toHaveLength(1)
  await opened[0]?.close()
  await expect(store.open('../../etc')).rejects.toMatchObject({ code: 'run_not_found' })
  await expect(store.open('20260101T000000000Z-0000')).rejects.toMatchObject({ code: 'run_not_found' })
})

test('a run of a process that was killed is opened by another one (F8)', async () => {
  const { folder, store } = freshStore()
  const program = await bundleProgram(
    `import { fileRunStore } from './src/evidence/run-store.ts'
const journal = await fileRunStore({ folder: ${JSON.stringify(folder)} }).create()
console.log(journal.id)
setInterval(() => {}, 1000)`,
    folder,
  )
  const { child, line, exit } = startProgram(program)
  const id = await line
  await expect(store.open(id)).rejects.toMatchObject({ code: 'run_in_use' })
  child.kill('SIGKILL')
  await exit
  await (await store.open(id)).close()
})

const request = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id: 'abcd1234',
  run: 'r',
  step: 1,
  actionId: 's1',
  commandHash: 'h',
  command: { name: 'click', ref: 'e1' },
  classes: ['submit'],
  reasons: ['it sends a form'],
  origin: 'https://shop.test',
  url: 'https://shop.test/',
  rule: 'allow submit on https://shop.test',
  askedAt: new Date().toISOString(),
  kind: 'action',
  ...over,
})
const yes = { approved: true, scope: 'once', by: 'ann', at: '2026-01-01T00:00:00.000Z' } as const

test('a request is decided from another process, the first decision wins, and it survives a restart (S3-48 F9)', async () => {
  const { folder, store } = freshStore()
  const journal = await store.create()
  await journal.request(request({ run: journal.id }))
  expect(await store.approvals({ pending: true })).toMatchObject([{ state: 'pending', request: { id: 'abcd1234' } }])
  await journal.close()
  const elsewhere = fileRunStore({ folder })
  const waiting = elsewhere.decision('abcd1234')
  const outcomes = await Promise.all([
    elsewhere.decide('abcd1234', { ...yes, approved: false, reason: 'no', by: 'bob' }),
    elsewhere.decide('abcd1234', yes),
    elsewhere.decide('abcd1234', yes),
  ])
  expect(outcomes.filter(each => each === 'decided')).toHaveLength(1)
  expect(await elsewhere.decide('abcd1234', yes)).toBe('already_decided')
  for (const id of ['zzzz9999', '../../x', '']) expect(await elsewhere.decide(id, yes)).toBe('unknown')
  const reopened = await store.open(journal.id)
  const [record] = await reopened.approvals()
  expect(record?.decision).toEqual(await waiting)
  expect(reopened.events().filter(({ type }) => type === 'approval.decided')).toHaveLength(1)
  await reopened.close()
})

test('a forged decision or a changed request decides nothing (F9)', async () => {
  const { folder, store } = freshStore()
  const journal = await store.create()
  await journal.request(request({ run: journal.id }))
  const at = (name: string) => join(folder, journal.id, 'approvals', name)
  for (const forged of [
    '{}',
    'yes',
    JSON.stringify(yes),
    JSON.stringify({ ...yes, request: 'another' }),
    JSON.stringify({ ...yes, approved: 1 }),
  ]) {
    writeFileSync(at('abcd1234.decision.json'), forged)
    expect((await journal.approvals())[0], forged).toMatchObject({ state: 'pending' })
  }
  // a person would see another action than the one that was asked
  writeFileSync(at('abcd1234.json'), JSON.stringify(request({ run: journal.id, reasons: ['harmless'] })))
  expect(await journal.approvals()).toEqual([])
  await expect(journal.decide('abcd1234', yes)).rejects.toMatchObject({ code: 'run_damaged' })
  // a request that is in no log does not exist
  writeFileSync(at('ffff0000.json'), JSON.stringify(request({ id: 'ffff0000' })))
  expect(await store.approvals()).toEqual([])
  await journal.close()
})

test('waiting for a decision ends only by a decision or the signal (S3-05)', async () => {
  const { store } = freshStore()
  const journal = await store.create()
  await journal.request(request({ run: journal.id }))
  const stop = new AbortController()
  const waiting = store.decision('abcd1234', stop.signal)
  stop.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  expect(await store.approvals({ pending: true })).toHaveLength(1)
  await journal.close()
})

test('hashes of commands are keyed until the run ends, and typed words are not in the log (A4)', async () => {
  const { folder, store } = freshStore()
  const journal = await store.create()
  const run = wrap(async () => ok({ effect: {}, page: { url: 'https://shop.test/', title: '' } }), recordRun(journal).layer)
  await run({ name: 'fill', ref: 'e1', value: 'hunter22' })
  expect(journal.slotOf({ name: 'fill', ref: 'e1', value: 'x' }).commandHash).toBe(
    journal.slotOf({ value: 'x', ref: 'e1', name: 'fill' } as never).commandHash,
  )
  expect(readFileSync(join(folder, journal.id, 'events.jsonl'), 'utf8')).not.toContain('hunter22')
  expect(readdirSync(join(folder, journal.id))).toContain('run.key')
  await journal.end()
  expect(readdirSync(join(folder, journal.id))).not.toContain('run.key')
})

test('grants are added, listed and revoked by any process (S3-53)', async () => {
  const { folder, store } = freshStore()
  const grant = await store.grants.add({ rule: 'allow submit on https://shop.test', scope: 'site', by: 'ann' })
  expect(await fileRunStore({ folder }).grants.list()).toEqual([grant])
  writeFileSync(join(folder, 'grants', 'g00.json'), '{"id":"g00","rule":"allow everything"}')
  expect(await store.grants.list()).toEqual([grant])
  expect(await store.grants.revoke('../x')).toBe(false)
  expect(await store.grants.revoke(grant.id)).toBe(true)
  expect(await store.grants.list()).toEqual([])
})

test('the name of a run has only the first words of its goal: a password may follow', async () => {
  const { store } = freshStore()
  const goal = 'log in as ada with password correct horse'
  expect((await store.create({ label: goal, goal })).id).toMatch(/^\w+-log-in-as-\w{4}$/)
  const chinese = '用密码correcthorse登录'
  expect((await store.create({ label: chinese, goal: chinese })).id).not.toContain('horse')
})
