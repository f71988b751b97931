// An approval is for what was shown, and is used once, whatever layers a host has.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalRequest, Approve } from '../../src/contract/approval.ts'
import { joinCommands } from '../../src/contract/joint-commands.ts'
import { type AnyCommand, type AnyRun, type Layer, ok, wrap } from '../../src/contract/run.ts'
import type { SentData, TargetFacts } from '../../src/contract/target.ts'
import { fileRunStore, recordRun } from '../../src/evidence.ts'
import { fillFormLayer } from '../../src/layers/fill-form.ts'
import { approvalLayer } from '../../src/tools.ts'

/** A transfer form whose fields can be set; its digest is the text of what it would send. */
function transferPage() {
  const values: { [ref: string]: string } = { e1: 'alice', e2: '5' }
  const labels: { [ref: string]: string } = { e1: 'to', e2: 'amount' }
  const state = {
    values,
    tab: 't1',
    method: 'post' as 'post' | 'get',
    done: [] as AnyCommand[],
    secret: '',
    dialog: undefined as string | undefined,
    pictures: 0,
  }
  const dataWithout = (except: unknown): SentData => {
    const left = Object.entries(values).filter(([ref]) => !(Array.isArray(except) && except.includes(ref)))
    return { digest: JSON.stringify(left), fields: left.map(([ref, value]) => ({ label: labels[ref] ?? ref, value })) }
  }
  const run: AnyRun = async ({ name, ...args }) => {
    const url = 'https://bank.test/'
    if (name === 'status') return ok({ tab: state.tab, url, ...(state.dialog && { dialog: { message: state.dialog } }) })
    if (name === 'screenshot') {
      state.pictures++
      return ok({ mime: 'image/png', base64: 'AA==' })
    }
    if (name === 'snapshot') return ok({ tree: { tag: 'body', role: 'document', children: [] }, stats: { truncated: false } })
    if (name === 'inspect') {
      const form = { action: 'https://bank.test/send', method: state.method, button: 'Send money', data: dataWithout(args.except) }
      const facts: TargetFacts = {
        url,
        origin: 'https://bank.test',
        path: 'form',
        ...(args.ref === 'e3'
          ? { role: 'button', name: 'Send money', tag: 'button', submits: form }
          : {
              role: 'textbox',
              name: labels[String(args.ref)] ?? 'Other',
              tag: 'input',
              enterSubmits: form,
              ...(args.ref === state.secret && { secret: true as const }),
            }),
      }
      return ok(facts)
    }
    state.done.push({ name, ...args })
    if (name === 'fill') values[String(args.ref)] = String(args.value)
    return ok({ effect: name === 'press' ? { submitted: true } : { value: args.value }, settled: true, trusted: true })
  }
  return { state, run }
}

const newStore = () => fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-binding-')) })
const yes = { approved: true, scope: 'once', by: 'ann', at: '2026-01-01T00:00:00.000Z' } as const
const pending: Approve = async () => 'pending'
const send = { name: 'click', ref: 'e3' } as const
const fill = (ref: string, value: string) => ({ name: 'fill', ref, value })
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code)
const idIn = (result: unknown) => /request (\w+)/.exec(JSON.stringify(result))?.[1] ?? ''

async function openRun(approve: Approve, page = transferPage()) {
  const store = newStore()
  const journal = await store.create()
  const run = wrap(page.run, approvalLayer({ journal, sites: ['bank.test'], approve }), recordRun(journal).layer) as AnyRun
  return { store, journal, run, page, state: page.state }
}
const clicks = (done: readonly AnyCommand[]) => done.filter(({ name }) => name === 'click').length

const copying: Layer = next => (command, signal) => next({ ...command }, signal)
const stacks = {
  'evidence below': ['approval', 'evidence'],
  'a layer that copies below': ['approval', 'copy', 'evidence'],
  'a layer that copies above': ['copy', 'approval', 'evidence'],
  'a layer that copies at the bottom': ['approval', 'evidence', 'copy'],
  'copies everywhere': ['copy', 'approval', 'copy', 'evidence', 'copy'],
  'no evidence': ['approval'],
  'no evidence and a copy': ['approval', 'copy'],
} as const

test.each(Object.entries(stacks))('a once-approval is used once with %s: two clicks are two questions (TRUST G1 F9)', async (_, names) => {
  const page = transferPage()
  const journal = await newStore().create()
  let asked = 0
  const approvals = approvalLayer({
    journal,
    sites: ['bank.test'],
    approve: async () => {
      asked++
      return { approved: true, scope: 'once' }
    },
  })
  const layers = { approval: approvals, copy: copying, evidence: recordRun(journal).layer }
  const run = wrap(page.run, ...names.map(name => layers[name])) as AnyRun
  const command = { ...send }
  for (const given of [command, command]) expect(codeOf(await run(given))).toBe('ok')
  expect(asked).toBe(2)
  expect((await journal.approvals()).map(({ state }) => state)).toEqual(['used', 'used'])
  // the same form, given as the same object
  const form = { name: 'fillForm', fields: [{ ref: 'e1', value: 'bob' }], submit: true }
  asked = 0
  const before = page.state.done.length
  for (const given of [form, form]) await fillFormLayer(run)(given)
  expect(asked).toBeGreaterThanOrEqual(2)
  expect(page.state.done.slice(before).filter(({ name }) => name === 'press')).toHaveLength(2)
  await journal.close()
})

test('nothing is dispatched if the use of the approval cannot be recorded (TRUST G1 F5)', async () => {
  for (const failing of ['approval.used', 'approval.requested']) {
    const page = transferPage()
    const journal = await newStore().create()
    const append = journal.append.bind(journal)
    journal.append = async event => {
      if (event.type === failing) throw new Error('disk full')
      return append(event)
    }
    const run = wrap(page.run, approvalLayer({ journal, sites: ['bank.test'], approve: async () => ({ approved: true, scope: 'once' }) }))
    expect(codeOf(await (run as AnyRun)(send)), failing).toBe('not_logged')
    expect(page.state.done).toEqual([])
    await journal.close()
  }
})

test('two calls at the same time use one approval once (F9)', async () => {
  const page = transferPage()
  const journal = await newStore().create()
  const run = wrap(
    page.run,
    approvalLayer({ journal, sites: ['bank.test'], approve: async () => ({ approved: true, scope: 'once' }) }),
  ) as AnyRun
  await Promise.all([run({ ...send }), run({ ...send })])
  const used = (await journal.approvals()).filter(({ state }) => state === 'used')
  expect(clicks(page.state.done)).toBe(used.length)
  await journal.close()
})

test('a crash between the use of an approval and the action asks again (F9)', async () => {
  const page = transferPage()
  const store = newStore()
  const journal = await store.create()
  let first = true
  const crash: Layer = next => (command, signal) => {
    if (command.name === 'click' && first) {
      first = false
      throw new Error('killed')
    }
    return next(command, signal)
  }
  const approve: Approve = async () => ({ approved: true, scope: 'once' })
  journal.beginCall('call_1')
  const run = wrap(page.run, approvalLayer({ journal, sites: ['bank.test'], approve }), crash, recordRun(journal).layer) as AnyRun
  await expect(run(send)).rejects.toThrow('killed')
  await journal.close()
  const resumed = await store.open(journal.id)
  resumed.beginCall('call_1')
  const after = wrap(
    page.run,
    approvalLayer({ journal: resumed, sites: ['bank.test'], approve: pending }),
    recordRun(resumed).layer,
  ) as AnyRun
  expect(codeOf(await after({ ...send }))).toBe('approval_required')
  expect(page.state.done).toEqual([])
  await resumed.close()
})

test('the request names the data, and an act of the run between question and use ends it (TRUST G1)', async () => {
  const { run, state, journal, store } = await openRun(pending)
  const first = idIn(await run(send))
  expect((await store.approvals())[0]?.request).toMatchObject({
    method: 'post',
    data: {
      fields: [
        { label: 'to', value: 'alice' },
        { label: 'amount', value: '5' },
      ],
    },
  })
  // a field that is not part of the form: only the act itself can be seen
  expect(codeOf(await run(fill('e9', 'x')))).toBe('ok')
  delete state.values.e9
  expect((await journal.approvals())[0]).toMatchObject({ state: 'stale', staleBecause: 'act' })
  expect(await store.decide(first, yes)).toBe('decided')
  expect(codeOf(await run({ ...send }))).toBe('approval_required')
  expect(clicks(state.done)).toBe(0)
  // approved before the act
  const second = idIn(await run({ ...send }))
  expect(await store.decide(second, yes)).toBe('decided')
  expect(codeOf(await run(fill('e9', 'x')))).toBe('ok')
  expect(await run({ ...send })).toMatchObject({
    error: { code: 'approval_stale', message: expect.stringContaining('something else was done on the page') },
  })
  expect(codeOf(await run({ ...send }))).toBe('approval_required')
  expect(clicks(state.done)).toBe(0)
  await journal.close()
})

test('reading, scrolling and working in another tab do not end a request (TRUST G1)', async () => {
  const { run, state, journal, store } = await openRun(pending)
  const id = idIn(await run(send))
  for (const name of ['snapshot', 'scroll', 'hover']) await run({ name, ref: 'e1', direction: 'down' })
  await run({ name: 'tabs', operation: 'list' })
  state.tab = 't2'
  expect(codeOf(await run(fill('e9', 'x')))).toBe('ok')
  delete state.values.e9
  state.tab = 't1'
  await store.decide(id, yes)
  expect(codeOf(await run({ ...send }))).toBe('ok')
  expect(clicks(state.done)).toBe(1)
  await journal.close()
})

test.each<[string, (state: ReturnType<typeof transferPage>['state']) => void]>([
  ['a value', state => (state.values.e2 = '5000')],
  ['a field that is added', state => (state.values.h1 = 'hidden')],
  ['the method', state => (state.method = 'get')],
])('%s that the page or a person changes while the person is asked makes the approval stale (TRUST G1)', async (_, change) => {
  const { run, state, journal } = await openRun(async () => {
    change(state)
    return { approved: true, scope: 'always' }
  })
  expect(await run(send)).toMatchObject({
    error: { code: 'approval_stale', message: expect.stringContaining('the data that would be sent') },
  })
  expect(state.done).toEqual([])
  await journal.close()
})

test('the question about a form or a call names what it types and what is in the other fields (S3-05)', async () => {
  const asked: ApprovalRequest[] = []
  const approve: Approve = async request => {
    asked.push(request)
    return { approved: true, scope: 'once' }
  }
  const { run, state, journal } = await openRun(approve)
  const commands = [fill('e2', '7'), { ...send }]
  joinCommands(commands)
  for (const command of commands) expect(codeOf(await run(command))).toBe('ok')
  const form = { name: 'fillForm', fields: [{ ref: 'e1', value: 'bob' }], submit: true }
  expect(codeOf(await fillFormLayer(run)(form))).toBe('ok')
  expect(asked.map(({ data }) => data?.fields)).toEqual([
    [
      { label: 'to', value: 'alice' },
      { label: 'amount', value: '7' },
    ],
    [
      { label: 'to', value: 'bob' },
      { label: 'amount', value: '7' },
    ],
  ])
  expect(state.done.map(({ name, ref }) => `${name} ${ref}`)).toEqual(['fill e2', 'click e3', 'fill e1', 'press e1'])
  await journal.close()
})

test('a field that changes while an approved form is filled in asks again before the form is sent (TRUST G1)', async () => {
  let asked = 0
  const page = transferPage()
  page.state.secret = 'e1'
  const meddling: AnyRun = async (command, signal) => {
    const result = await page.run(command, signal)
    if (command.name === 'fill') page.state.values.e2 = '5000'
    return result
  }
  const { run, state, journal } = await openRun(
    async () => {
      asked++
      return { ...yes, approved: asked === 1 }
    },
    { ...page, run: meddling },
  )
  const form = { name: 'fillForm', fields: [{ ref: 'e1', value: 'bob' }], submit: true }
  expect(codeOf(await fillFormLayer(run)(form))).toBe('approval_denied')
  expect([asked, state.done.map(({ name }) => name)]).toEqual([2, ['fill']])
  await journal.close()
})

test('an amount that a call sets after it sends the form is not what the form sends (TRUST G1)', async () => {
  const asked: ApprovalRequest[] = []
  const { run, journal } = await openRun(async request => {
    asked.push(request)
    return 'pending'
  })
  const commands = [{ ...send }, fill('e2', '1')]
  joinCommands(commands)
  await run(commands[0] as AnyCommand)
  expect(asked[0]?.data?.fields).toContainEqual({ label: 'amount', value: '5' })
  await journal.close()
})

test('a dialog is asked about with its words, and a page with nothing on it has no picture (S3-05)', async () => {
  const asked: ApprovalRequest[] = []
  const page = transferPage()
  page.state.dialog = 'Delete all 12 files?'
  const { run, state, journal } = await openRun(async request => {
    asked.push(request)
    state.dialog = 'Delete everything?'
    return { approved: true, scope: 'once' }
  }, page)
  expect(codeOf(await run({ name: 'dialog', accept: true }))).toBe('approval_stale')
  expect(asked[0]).toMatchObject({ dialog: 'Delete all 12 files?' })
  expect(asked[0]?.picture).toBeUndefined()
  expect(page.state.pictures).toBe(0)
  await journal.close()
})

test('a program that declines by itself is not an answer, and the request stays open (TRUST G5)', async () => {
  const { run, journal, store } = await openRun(async () => 'declined')
  expect(await run(send)).toMatchObject({ error: { code: 'approval_required', message: expect.stringContaining('declined the question') } })
  expect(await store.approvals({ pending: true })).toHaveLength(1)
  await journal.close()
})
