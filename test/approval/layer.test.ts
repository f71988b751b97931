import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest, Approve } from '../../src/contract/approval.ts'
import { joinCommands } from '../../src/contract/joint-commands.ts'
import type { RunStore } from '../../src/contract/journal.ts'
import { type AnyCommand, type AnyRun, fail, ok, wrap } from '../../src/contract/run.ts'
import type { TargetFacts } from '../../src/contract/target.ts'
import { fileRunStore, recordRun } from '../../src/evidence.ts'
import { fillFormLayer } from '../../src/layers/fill-form.ts'
import { type ApprovalOptions, approvalHeadline, approvalLayer, approvePlan, explain } from '../../src/tools.ts'

const button: TargetFacts = {
  url: 'https://shop.test/cart',
  origin: 'https://shop.test',
  role: 'button',
  name: 'Send',
  path: 'main > form "Checkout"',
  tag: 'button',
  type: 'submit',
  submits: { action: 'https://shop.test/buy', method: 'post' },
  text: 'Send',
}

/** A page whose element can be changed, and that counts what is done to it. */
function fakePage() {
  const state = { facts: button as TargetFacts | undefined, done: [] as AnyCommand[], buttons: undefined as readonly string[] | undefined }
  const page = () => ({ url: state.facts?.url ?? 'https://shop.test/', title: 'Shop' })
  const run: AnyRun = async command => {
    if (command.name === 'inspect') return state.facts ? ok(state.facts) : fail('ref_not_found', 'it is gone.')
    if (command.name === 'status') return ok({ running: true, url: page().url })
    if (command.name === 'screenshot')
      return ok({ mime: 'image/png', base64: command.mark ? 'bWFyaw==' : 'cGFnZQ==', width: 1, height: 1, page: page() })
    if (command.name === 'snapshot' && state.buttons)
      return ok({
        stats: { truncated: false },
        tree: { tag: 'body', role: 'generic', children: state.buttons.map(name => ({ tag: 'button', role: 'button', name })) },
      })
    if (command.name === 'snapshot') return fail('snapshot_failed', 'there is no page.')
    state.done.push(command)
    return ok({ page: page(), effect: {}, settled: true, trusted: true })
  }
  return { state, run }
}

const newStore = () => fileRunStore({ folder: mkdtempSync(join(tmpdir(), 'pagehand-approval-')) })

async function openRun(
  approve: Approve,
  options: Partial<ApprovalOptions> & { store?: RunStore; id?: string; page?: ReturnType<typeof fakePage> } = {},
) {
  const { store = newStore(), id, page = fakePage(), ...rest } = options
  const journal = id ? await store.open(id) : await store.create()
  const run = wrap(page.run, approvalLayer({ journal, sites: ['shop.test'], approve, ...rest }), recordRun(journal).layer)
  return { store, journal, run, state: page.state, page }
}
const never: Approve = async () => {
  throw new Error('nobody is asked')
}
const pending: Approve = async () => 'pending'
const click = { name: 'click', ref: 'e1' } as const
const yes = { approved: true, scope: 'once', by: 'ann', at: '2026-01-01T00:00:00.000Z' } as const
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'ok' : result.error?.code)
const idIn = (result: unknown) => /request (\w+)/.exec(JSON.stringify(result))?.[1] ?? ''

test('reading, moving and writing on the sites of the run never asks (S3-21)', async () => {
  const { run, state, journal } = await openRun(never)
  state.facts = { ...button, name: 'Next', text: 'Next', type: 'button', submits: undefined as never }
  for (const command of [
    { name: 'snapshot' },
    { name: 'scroll', direction: 'down' },
    click,
    { name: 'fill', ref: 'e1', value: 'x' },
    { name: 'open', url: 'https://shop.test/tea' },
  ])
    expect(codeOf(await run(command as never)), command.name).not.toMatch(/approval/)
  expect(state.done).toHaveLength(4)
  await journal.close()
})

test('a person sees what, where and why, with the target marked; typed text is not shown (S3-05 S3-20)', async () => {
  let seen: ApprovalRequest | undefined
  const { run, state, journal, store } = await openRun(async request => {
    seen = request
    return { approved: true, scope: 'once' }
  })
  expect(codeOf(await run(click))).toBe('ok')
  expect(seen).toMatchObject({
    run: journal.id,
    kind: 'action',
    command: click,
    classes: ['submit'],
    reasons: ['It sends a form.'],
    origin: 'https://shop.test',
    url: 'https://shop.test/cart',
    destination: 'https://shop.test/buy',
    target: { role: 'button', name: 'Send', path: 'main > form "Checkout"', text: 'Send' },
    picture: { mime: 'image/png', base64: 'bWFyaw==' },
    rule: 'allow submit on https://shop.test',
  })
  state.facts = { ...button, role: 'textbox', tag: 'input', type: 'password', secret: true, name: 'Password' }
  await run({ name: 'fill', ref: 'e1', value: 'hunter22' })
  expect(seen).toMatchObject({ classes: ['credentials'], command: { name: 'fill', value: '[typed]' } })
  expect(JSON.stringify(await store.approvals())).not.toContain('hunter22')
  expect(readFileSync(join(journal.folder, 'events.jsonl'), 'utf8')).not.toContain('hunter22')
  await journal.close()
})

test('after an approval and after a denial the run goes on, and a denial is not asked again (S3-48)', async () => {
  let asked = 0
  const { run, state, journal } = await openRun(async () => {
    asked++
    return { approved: false, scope: 'once', reason: 'wrong size' }
  })
  expect(await run(click)).toMatchObject({ ok: false, error: { code: 'approval_denied', message: expect.stringContaining('wrong size') } })
  expect(codeOf(await run({ ...click }))).toBe('approval_denied')
  expect([asked, state.done.length]).toEqual([1, 0])
  expect(codeOf(await run({ name: 'scroll', direction: 'down' }))).toBe('ok')
  // another element is another question
  state.facts = { ...button, name: 'Send later' }
  await run({ ...click })
  expect(asked).toBe(2)
  await journal.close()
})

test('an approval is used once, and only for its command (F9)', async () => {
  const { run, state, journal, store } = await openRun(pending)
  const first = await run(click)
  expect(codeOf(first)).toBe('approval_required')
  expect(await run({ ...click })).toEqual(first)
  expect(await store.approvals({ pending: true })).toHaveLength(1)
  expect(await store.decide(idIn(first), yes)).toBe('decided')
  expect(codeOf(await run({ name: 'dblclick', ref: 'e1' }))).toBe('approval_required')
  expect(codeOf(await run({ name: 'click', ref: 'e2' }))).toBe('approval_required')
  expect(state.done).toHaveLength(0)
  expect(codeOf(await run({ ...click }))).toBe('ok')
  expect(state.done).toHaveLength(1)
  // replayed
  expect(codeOf(await run({ ...click }))).toBe('approval_required')
  expect(state.done).toHaveLength(1)
  expect((await journal.approvals())[0]).toMatchObject({ state: 'used' })
  expect(journal.events().find(({ type }) => type === 'command')).toMatchObject({
    approval: idIn(first),
    origin: 'https://shop.test',
    fingerprint: 'button "Send" in main > form "Checkout"',
  })
  await journal.close()
})

test.each<[string, Partial<TargetFacts>]>([
  ['the name', { name: 'Send everything' }],
  ['the text', { text: 'Pay 900' }],
  ['the place', { path: 'main > row "Bob"' }],
  ['the page', { url: 'https://shop.test/other' }],
  ['the document', { origin: 'https://evil.test' }],
  ['the destination', { submits: { action: 'https://shop.test/refund', method: 'post' } }],
])('an approval is stale if %s has changed, before or while it is decided (F9)', async (_, change) => {
  const { run, state, journal, store } = await openRun(pending)
  const first = await run(click)
  await store.decide(idIn(first), yes)
  state.facts = { ...button, ...change }
  expect(codeOf(await run({ ...click }))).toBe('approval_stale')
  // a stale approval is over, even if the page comes back
  state.facts = button
  expect(codeOf(await run({ ...click }))).toBe('approval_required')
  expect(state.done).toHaveLength(0)
  await journal.close()

  const slow = await openRun(async () => {
    slow.state.facts = { ...button, ...change }
    return { approved: true, scope: 'always' }
  })
  expect(codeOf(await slow.run(click))).toBe('approval_stale')
  expect(slow.state.done).toHaveLength(0)
  expect(await slow.store.grants.list()).toEqual([])
  await slow.journal.close()
})

test('an element that is gone is not asked about, and an approval for it is stale (F9)', async () => {
  const { run, state, journal, store } = await openRun(pending)
  const first = await run(click)
  await store.decide(idIn(first), yes)
  state.facts = undefined
  expect(codeOf(await run({ ...click }))).toBe('ref_not_found')
  await journal.close()
})

const openUrl = { name: 'open', url: 'https://pay.test/' } as const

test('an approval to open a URL survives a restart, is decided by another process, and cannot be used in another run (F9 S3-48)', async () => {
  const before = await openRun(pending)
  before.journal.beginCall('call_1')
  const first = await before.run(openUrl)
  await before.journal.close()
  expect(await before.store.decide(idIn(first), yes)).toBe('decided')

  const other = await openRun(pending, { store: before.store, page: before.page })
  expect(codeOf(await other.run({ ...openUrl }))).toBe('approval_required')
  await other.journal.close()

  const after = await openRun(pending, { store: before.store, id: before.journal.id, page: before.page })
  after.journal.beginCall('call_1')
  expect(codeOf(await after.run({ ...openUrl }))).toBe('ok')
  after.journal.beginCall('call_1')
  expect(codeOf(await after.run({ ...openUrl }))).toBe('ok') // the recorded result
  expect(after.state.done).toHaveLength(1)
  expect(codeOf(await after.run({ ...openUrl }))).toBe('approval_required')
  await after.journal.close()
})

test.each(['pending', 'approved'])(
  'after a restart a request about a page that was %s is over, and the action asks again (TRUST G1 F9 S3-48)',
  async state => {
    const page = fakePage()
    page.state.buttons = ['Send', 'Back']
    const before = await openRun(pending, { page })
    const first = await before.run(click)
    // in one browser, refs tell equal elements apart
    expect(codeOf(await before.run({ name: 'click', ref: 'e9' }))).toBe('approval_required')
    expect(await before.store.approvals({ pending: true })).toHaveLength(2)
    await before.journal.close()
    if (state === 'approved') await before.store.decide(idIn(first), yes)
    const after = await openRun(pending, { store: before.store, id: before.journal.id, page })
    for (const ref of ['e1', 'e7']) expect(codeOf(await after.run({ name: 'click', ref }))).toBe('approval_required')
    expect((await after.store.approvals()).map(record => [record.state, record.staleBecause])).toEqual([
      ['stale', 'browser'],
      ['stale', 'browser'],
      ['pending', undefined],
      ['pending', undefined],
    ])
    expect(page.state.done).toEqual([])
    await after.journal.close()
  },
)

test('after a restart a denial still holds, and so does what an approval allows for the rest of the run (S3-48 S3-53)', async () => {
  for (const [decision, code, asks] of [
    [{ ...yes, approved: false, reason: 'too dear' }, 'approval_denied', 0],
    [{ ...yes, scope: 'run' }, 'ok', 0],
  ] as const) {
    const page = fakePage()
    page.state.buttons = ['Send', 'Back']
    const before = await openRun(pending, { page })
    const first = await before.run(click)
    await before.journal.close()
    await before.store.decide(idIn(first), decision)
    let asked = 0
    const approve: Approve = async () => {
      asked++
      return 'pending'
    }
    const after = await openRun(approve, { store: before.store, id: before.journal.id, page })
    for (const _ of [1, 2]) expect(codeOf(await after.run({ name: 'click', ref: 'e7' }))).toBe(code)
    expect(asked).toBe(asks)
    await after.journal.close()
  }
})

test('a window that fails or is closed is not a no, and an aborted wait does nothing (S3-05)', async () => {
  const { run, state, journal, store } = await openRun(never)
  expect(codeOf(await run(click))).toBe('approval_required')
  expect(await store.approvals({ pending: true })).toHaveLength(1)
  await journal.close()
  const stop = new AbortController()
  const stopped = await openRun(async () => {
    stop.abort()
    return { approved: true, scope: 'once' }
  })
  expect(codeOf(await stopped.run(click, stop.signal))).toBe('aborted')
  expect([state.done.length, stopped.state.done.length]).toEqual([0, 0])
  await stopped.journal.close()
})

test('of two deciders the first wins, also if the host answers later (F9)', async () => {
  const store = newStore()
  const { run, state, journal } = await openRun(
    async request => {
      await store.decide(request.id, { ...yes, approved: false, reason: 'first', by: 'bob' })
      return { approved: true, scope: 'once' }
    },
    { store },
  )
  expect(await run(click)).toMatchObject({ ok: false, error: { code: 'approval_denied', message: expect.stringContaining('first') } })
  expect(state.done).toHaveLength(0)
  await journal.close()
})

test('a grant has its scope: this run, this site and class, always; and is revocable (S3-53)', async () => {
  const store = newStore()
  const run1 = await openRun(async () => ({ approved: true, scope: 'run' }), { store, grants: store.grants })
  await run1.run(click)
  await run1.journal.close()
  const resumed = await openRun(never, { store, grants: store.grants, id: run1.journal.id, page: run1.page })
  expect(codeOf(await resumed.run({ ...click }))).toBe('ok')
  await resumed.journal.close()
  const run2 = await openRun(async () => ({ approved: true, scope: 'site', by: 'ann' }), { store, grants: store.grants })
  await run2.run(click)
  expect(await store.grants.list()).toMatchObject([{ rule: 'allow submit on https://shop.test', scope: 'site', by: 'ann' }])
  const run3 = await openRun(never, { store, grants: store.grants })
  expect(codeOf(await run3.run(click))).toBe('ok')
  run3.state.facts = { ...button, name: 'Pay' }
  expect(codeOf(await run3.run({ ...click }))).toBe('approval_required')
  await store.grants.revoke((await store.grants.list())[0]?.id ?? '')
  run3.state.facts = button
  expect(codeOf(await run3.run({ ...click }))).toBe('approval_required')
  const run4 = await openRun(async () => ({ approved: true, scope: 'always' }), { store, grants: store.grants })
  await run4.run(click)
  expect(await store.grants.list()).toMatchObject([{ rule: 'allow submit on any site', scope: 'always' }])
  for (const { journal } of [run2, run3, run4]) await journal.close()
})

test('a plan is approved once, and a checkout then asks at most twice (S3-05 S3-53)', async () => {
  const asked: ApprovalRequest[] = []
  const approve: Approve = async request => {
    asked.push(request)
    return { approved: true, scope: 'once' }
  }
  const { run, state, journal, store } = await openRun(approve)
  const plan = { sites: ['shop.test'], classes: ['submit', 'credentials'], text: 'Buy green tea.' } as const
  expect(await approvePlan(plan, { journal, approve })).toEqual({ approved: true })
  expect(await approvePlan(plan, { journal, approve })).toEqual({ approved: true })
  const field = { ...button, role: 'textbox', tag: 'input', type: 'text', name: 'Name' }
  const steps: readonly [AnyCommand, TargetFacts][] = [
    [{ name: 'open', url: 'https://shop.test/tea' }, button],
    [click, { ...button, name: 'Add to cart', text: 'Add to cart' }],
    [
      { ...click, ref: 'e2' },
      { ...button, name: 'Checkout', text: 'Checkout' },
    ],
    [{ name: 'fill', ref: 'e3', value: 'Ann' }, field],
    [
      { name: 'fill', ref: 'e4', value: '4111' },
      { ...field, secret: true, name: 'Card' },
    ],
    [
      { ...click, ref: 'e5' },
      { ...button, name: 'Continue', text: 'Continue' },
    ],
    [
      { ...click, ref: 'e6' },
      { ...button, name: 'Pay now', text: 'Pay now' },
    ],
  ]
  for (const [command, facts] of steps) {
    state.facts = facts
    expect(codeOf(await run(command as never)), JSON.stringify(command)).toBe('ok')
  }
  expect(asked.map(({ kind, classes }) => `${kind} ${classes.join(' ')}`)).toEqual(['plan submit credentials', 'action submit pay'])
  expect(await store.grants.list()).toEqual([])
  await journal.close()
})

test('the policy denies without asking, and a policy or site that is not valid makes no layer (TRUST C2)', async () => {
  const { run, state, journal } = await openRun(never, { policy: { classes: { submit: 'deny' } } })
  expect(await run(click)).toMatchObject({
    ok: false,
    error: { code: 'approval_denied', message: expect.stringContaining('The policy denies submit') },
  })
  expect(state.done).toHaveLength(0)
  for (const wrong of [
    { policy: {} },
    { policy: { classes: { all: 'allow' } } as never },
    { sites: ['https://shop.test/x'] },
    { sites: ['*'] },
  ])
    expect(() => approvalLayer({ journal, sites: [], approve: never, ...wrong })).toThrow()
  await journal.close()
})

test('going to another site asks, and is then part of the run only if the decision lasts (S3-20)', async () => {
  const opened: (readonly string[])[] = []
  for (const scope of ['once', 'run'] as const) {
    const { run, state, journal } = await openRun(
      async ({ classes }) => (classes.includes('navigate-out') ? { approved: true, scope } : 'pending'),
      {
        onSites: sites => opened.push(sites),
      },
    )
    expect(codeOf(await run({ name: 'open', url: 'https://pay.test:8443/' }))).toBe('ok')
    state.facts = {
      ...button,
      url: 'https://pay.test:8443/',
      origin: 'https://pay.test:8443',
      submits: undefined as never,
      type: 'button',
      name: 'Next',
      text: 'Next',
    }
    expect(codeOf(await run(click))).toBe(scope === 'once' ? 'approval_required' : 'ok')
    await journal.close()
  }
  expect(opened).toEqual([
    ['shop.test', 'pay.test:8443'],
    ['shop.test', 'pay.test:8443'],
  ])
})

test('a note that comes with an inspection reaches the caller with the action, or with the next result if the action failed', async () => {
  for (const approved of [true, false]) {
    const page = fakePage()
    let notes = ['said once']
    const noting: AnyRun = async (command, signal) => {
      const result = await page.run(command, signal)
      if (!result.ok || notes.length === 0) return result
      const data = { ...(result.data as object), notes }
      notes = []
      return ok(data)
    }
    const { run, journal } = await openRun(async () => ({ ...yes, approved }), { page: { ...page, run: noting } })
    const first = await run(click)
    expect(first.ok).toBe(approved)
    const results = [first, await run({ name: 'scroll', direction: 'down' })]
    expect(results.map(result => (result.ok ? result.data.notes : undefined))).toEqual(
      approved ? [['said once'], undefined] : [undefined, ['said once']],
    )
    await journal.close()
  }
})

test('explain says the classes, the rule and why, without acting (S3-53)', async () => {
  const { run, state } = fakePage()
  expect(await explain(run, click, { sites: ['shop.test'] })).toMatchObject({
    classes: ['submit'],
    reasons: ['It sends a form.'],
    rule: 'ask',
    why: 'The policy asks before submit here.',
    grant: 'allow submit on https://shop.test',
  })
  const grants = [{ id: 'g1', rule: 'allow submit on https://shop.test', scope: 'site', createdAt: '', by: 'ann' }] as const
  expect(await explain(run, click, { sites: ['shop.test'], grants })).toMatchObject({ rule: 'allow', why: expect.stringContaining('g1') })
  expect(await explain(run, { name: 'open', url: 'https://evil.test/' }, { sites: ['shop.test'] })).toMatchObject({
    classes: ['navigate-out'],
    rule: 'ask',
  })
  await expect(explain(run, { name: 'click' })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(state.done).toEqual([])
})

test('explain takes the site of the open page for that of the run by default (S3-53)', async () => {
  const { run, state } = fakePage()
  expect((await explain(run, click)).reasons).toEqual(['It sends a form.'])
  expect((await explain(run, { name: 'open', url: 'https://shop.test/other' })).classes).toEqual(['move'])
  expect((await explain(run, { name: 'open', url: 'https://evil.test/' })).classes).toEqual(['navigate-out'])
  expect((await explain(run, click, { sites: [] })).classes).toContain('navigate-out')
  // a frame of another site does not make that site one of the run
  state.facts = {
    ...button,
    url: 'https://pay.test/',
    origin: 'https://pay.test',
    submits: { action: 'https://pay.test/buy', method: 'post' },
  }
  const framed: AnyRun = async (command, signal) =>
    command.name === 'status' ? ok({ running: true, url: 'https://shop.test/' }) : run(command, signal)
  expect((await explain(framed, click)).classes).toContain('navigate-out')
  const loopback: AnyRun = async (command, signal) =>
    command.name === 'status' ? ok({ running: true, url: 'http://[::1]:8080/' }) : run(command, signal)
  expect((await explain(loopback, { name: 'open', url: 'http://[::1]:8080/next' })).classes).toEqual(['move'])
})

/** A log-in form with two fields and a button, of which each can be changed. */
function loginPage() {
  const form = { action: 'https://shop.test/login', method: 'post', button: 'Log in' } as const
  const field = { ...button, tag: 'input', role: 'textbox', submits: undefined as never, text: undefined as never, enterSubmits: form }
  const facts: { [ref: string]: TargetFacts } = {
    e1: { ...field, name: 'Email', type: 'email' },
    e2: { ...field, name: 'Password', type: 'password', secret: true },
    e3: { ...button, name: 'Log in', text: 'Log in', submits: form },
  }
  const page = fakePage()
  const node = (ref: string, tag: string, role: string) => ({ ref, tag, role, name: facts[ref]?.name ?? '', interactive: true })
  const tree = {
    tag: 'body',
    role: 'document',
    children: [
      {
        tag: 'form',
        role: 'form',
        children: [node('e1', 'input', 'textbox'), node('e2', 'input', 'textbox'), node('e3', 'button', 'button')],
      },
    ],
  }
  const snapshot = {
    ok: true,
    type: 'snapshot',
    meta: { url: button.url, title: 'Log in', viewport: { width: 1, height: 1 }, readyState: 'complete', ts: 1, version: '1' },
    stats: { nodesVisited: 4, nodesEmitted: 4, truncated: false, truncateReasons: [], elapsedMs: 1 },
    refs: {},
    tree,
  }
  const run: AnyRun = async (command, signal) => {
    if (command.name === 'inspect') return ok(facts[String(command.ref)])
    if (command.name === 'snapshot') return ok(snapshot)
    if (command.name === 'query') return ok({ value: '{"type":"submit"}' })
    return page.run(command, signal)
  }
  return { facts, page: { ...page, run } }
}
const recordTo =
  (asked: ApprovalRequest[], answer: (request: ApprovalRequest) => ApprovalAnswer = () => yes): Approve =>
  async request => {
    asked.push(request)
    return answer(request)
  }
const logIn = {
  name: 'fillForm',
  fields: [
    { ref: 'e1', value: 'ada@shop.test' },
    { ref: 'e2', value: 'correct-horse' },
  ],
  submit: true,
} as const

test('a form with a password asks once, for its fields and for sending it, and the approval is used up (S3-05 S3-20)', async () => {
  const asked: ApprovalRequest[] = []
  const { page } = loginPage()
  const { run, state, journal } = await openRun(recordTo(asked), { page })
  const filling = fillFormLayer(run)
  expect(codeOf(await filling(logIn))).toBe('ok')
  expect(asked).toMatchObject([
    {
      classes: ['write', 'credentials', 'submit'],
      target: { role: 'form', name: 'Email, Password' },
      destination: 'https://shop.test/login',
      command: { name: 'fillForm', fields: [{ value: '[typed]' }, { value: '[typed]' }] },
    },
  ])
  expect(state.done.map(({ name, ref }) => `${name} ${ref}`)).toEqual(['fill e1', 'fill e2', 'click e3'])
  expect((await journal.approvals()).map(each => each.state)).toEqual(['used'])
  // the next form is another question
  expect(codeOf(await filling({ ...logIn }))).toBe('ok')
  expect(asked).toHaveLength(2)
  await journal.close()
})

test('an approval of a form does not hold for a button that does more, or that sends elsewhere (S3-20)', async () => {
  for (const [change, classes] of [
    [{ name: 'Delete account', text: 'Delete account' }, ['submit', 'delete']],
    [{ name: 'Log in everywhere', text: 'Log in everywhere' }, ['submit']],
    [{ submits: { action: 'https://evil.test/', method: 'post' } }, ['submit', 'navigate-out']],
  ] as const) {
    const asked: ApprovalRequest[] = []
    const { page, facts } = loginPage()
    facts.e3 = { ...(facts.e3 as TargetFacts), ...change }
    const answer = recordTo(asked, request => ({ ...yes, approved: request.command.name === 'fillForm' }))
    const { run, state, journal } = await openRun(answer, { page })
    expect(codeOf(await fillFormLayer(run)(logIn))).toBe('approval_denied')
    expect(asked.map(request => request.classes)).toEqual([['write', 'credentials', 'submit'], classes])
    expect(state.done.map(({ name }) => name)).toEqual(['fill', 'fill'])
    await journal.close()
  }
})

test('without a person a form is pending as a whole, and goes on after a decision (S3-48)', async () => {
  const { page } = loginPage()
  const { run, state, journal, store } = await openRun(pending, { page })
  const id = idIn(await fillFormLayer(run)(logIn))
  expect(state.done.map(({ name }) => name)).toEqual(['fill'])
  await store.decide(id, yes)
  // the fields that were set before are a part of the form, so they do not end the request
  expect(codeOf(await fillFormLayer(run)({ ...logIn }))).toBe('ok')
  expect(state.done.map(({ name }) => name)).toEqual(['fill', 'fill', 'fill', 'click'])
  await journal.close()
})

/** The actions of one call, as `browser-act` marks them. */
async function runTogether(run: AnyRun, commands: readonly AnyCommand[]) {
  joinCommands(commands)
  const codes: (string | undefined)[] = []
  for (const command of commands) codes.push(codeOf(await fillFormLayer(run)(command)))
  return codes
}
const payNow = (): readonly AnyCommand[] => [
  { name: 'fillForm', fields: logIn.fields },
  { name: 'click', ref: 'e3' },
]

/** The log-in form with a button that pays. */
function paymentPage() {
  const opened = loginPage()
  opened.facts.e3 = { ...(opened.facts.e3 as TargetFacts), name: 'Pay 12', text: 'Pay 12' }
  return opened
}

test('the actions of one call ask once, and the approval names all of them (S3-05 S3-20)', async () => {
  const asked: ApprovalRequest[] = []
  const { page } = paymentPage()
  const { run, state, journal } = await openRun(recordTo(asked), { page })
  expect(await runTogether(run, payNow())).toEqual(['ok', 'ok'])
  expect(asked).toMatchObject([
    {
      classes: ['write', 'credentials', 'submit', 'pay'],
      target: { role: 'group', name: 'form "Email, Password", button "Pay 12"' },
      destination: 'https://shop.test/login',
      command: {
        commands: [
          { name: 'fillForm', fields: [{ value: '[typed]' }, { value: '[typed]' }] },
          { name: 'click', ref: 'e3' },
        ],
      },
    },
  ])
  expect(state.done.map(({ name, ref }) => `${name} ${ref}`)).toEqual(['fill e1', 'fill e2', 'click e3'])
  expect((await journal.approvals()).map(each => each.state)).toEqual(['used'])
  // the same call again is another question
  expect(await runTogether(run, payNow())).toEqual(['ok', 'ok'])
  expect(asked).toHaveLength(2)
  await journal.close()
})

test('an action of a call that is no longer the one that was approved asks itself (S3-20 S3-48)', async () => {
  const asked: ApprovalRequest[] = []
  const { page, facts } = paymentPage()
  const answer = recordTo(asked, () => ({ ...yes, approved: asked.length === 1 }))
  const { run, state, journal } = await openRun(answer, { page })
  const driver: AnyRun = async (command, signal) => {
    const result = await (run as AnyRun)(command, signal)
    if (command.ref === 'e2') facts.e3 = { ...(facts.e3 as TargetFacts), name: 'Pay 1200', text: 'Pay 1200' }
    return result
  }
  expect(await runTogether(driver, payNow())).toEqual(['ok', 'approval_denied'])
  expect(asked.map(request => request.target?.name)).toEqual(['form "Email, Password", button "Pay 12"', 'Pay 1200'])
  expect(state.done.map(({ name }) => name)).toEqual(['fill', 'fill'])
  await journal.close()
})

test('a call without a person is pending as a whole, and is carried out once after a decision (S3-48)', async () => {
  const { page } = paymentPage()
  const { run, state, journal, store } = await openRun(pending, { page })
  const commands = payNow()
  joinCommands(commands)
  const id = idIn(await fillFormLayer(run)(commands[0] as AnyCommand))
  expect((await journal.approvals()).map(({ request }) => request.classes)).toEqual([['write', 'credentials', 'submit', 'pay']])
  await store.decide(id, yes)
  state.done.length = 0
  expect(await runTogether(run, payNow())).toEqual(['ok', 'ok'])
  expect(state.done.map(({ name }) => name)).toEqual(['fill', 'fill', 'click'])
  await journal.close()
})

test('an approval to search for the rest of a run does not cover passwords and card numbers (S3-05 S3-53)', async () => {
  const asked: ApprovalRequest[] = []
  const { page, facts } = loginPage()
  const { run, journal } = await openRun(
    recordTo(asked, () => ({ ...yes, scope: 'run' })),
    { page },
  )
  const search = { action: 'https://shop.test/search', method: 'get', button: 'Search' } as const
  facts.e4 = { ...(facts.e1 as TargetFacts), name: 'Search', type: 'search', enterSubmits: search }
  expect(codeOf(await run({ name: 'press', key: 'Enter', ref: 'e4' }))).toBe('ok')
  expect(asked).toMatchObject([{ rule: 'allow submit on https://shop.test' }])
  expect(asked[0]?.runRule).toBeUndefined()
  expect(codeOf(await run({ name: 'press', key: 'Enter', ref: 'e4' }))).toBe('ok')
  expect(asked).toHaveLength(1)
  expect(codeOf(await run({ name: 'fill', ref: 'e2', value: 'secret' }))).toBe('ok')
  expect(asked[1]).toMatchObject({ classes: ['credentials'], runRule: 'allow submit, credentials on https://shop.test' })
  await journal.close()
})

test('for the rest of a run, an approval to send a form or to log in covers both on that site, and never a payment (S3-05 S3-53)', async () => {
  const asked: ApprovalRequest[] = []
  const { page, facts } = loginPage()
  const { run, journal } = await openRun(
    recordTo(asked, () => ({ ...yes, scope: 'run' })),
    { page },
  )
  expect(codeOf(await run({ name: 'click', ref: 'e3' }))).toBe('ok')
  expect(asked).toMatchObject([{ rule: 'allow submit on https://shop.test', runRule: 'allow submit, credentials on https://shop.test' }])
  expect(codeOf(await fillFormLayer(run)(logIn))).toBe('ok')
  expect(codeOf(await run({ name: 'press', key: 'Enter', ref: 'e1' }))).toBe('ok')
  expect(asked).toHaveLength(1)
  // Enter presses the button, whose words mean to pay
  const { enterSubmits, ...field } = facts.e1 as TargetFacts
  facts.e1 = { ...field, enterSubmits: { action: 'https://shop.test/pay', method: 'post', button: 'Pay 12' } }
  expect(codeOf(await run({ name: 'press', key: 'Enter', ref: 'e1' }))).toBe('ok')
  expect(asked[1]).toMatchObject({ classes: ['submit', 'pay'], rule: 'allow pay on https://shop.test' })
  facts.e3 = { ...(facts.e3 as TargetFacts), origin: 'https://other.test' }
  expect(codeOf(await run({ name: 'click', ref: 'e3' }))).toBe('ok')
  expect(asked).toHaveLength(3)
  await journal.close()
})

test('a request of a run that has ended is over, and nobody is asked to decide it (S3-48)', async () => {
  const { run, journal, store } = await openRun(pending)
  const id = idIn(await run(click))
  expect((await store.approvals({ pending: true })).map(({ request }) => request.id)).toEqual([id])
  await journal.end({ text: 'stopped' })
  expect(await store.approvals({ pending: true })).toEqual([])
  expect((await store.approvals()).map(({ state }) => state)).toEqual(['stale'])
})

test('the question about a key names the key, except in a field that may hold a secret (S3-05)', async () => {
  const asked: ApprovalRequest[] = []
  const { page, facts } = loginPage()
  const { run, journal } = await openRun(recordTo(asked), { page })
  facts.e4 = { ...(facts.e3 as TargetFacts), name: 'Mails', role: 'list', tag: 'div', submits: undefined as never }
  facts.e5 = { ...facts.e4, name: 'Code', tag: 'input', type: 'text', secret: true }
  for (const [key, ref] of [
    ['#', 'e4'],
    ['Delete', 'e4'],
    ['7', 'e5'],
  ] as const)
    await run({ name: 'press', key, ref })
  expect(asked.map(approvalHeadline)).toEqual([
    expect.stringContaining('Press "#" in list "Mails"'),
    expect.stringContaining('Press "Delete" in list "Mails"'),
    expect.stringContaining('Press "[typed]" in list "Code"'),
  ])
  expect(approvalHeadline({ ...(asked[0] as ApprovalRequest), command: { name: 'press', key: ' ' } })).toContain('Press "Space" in')
  await journal.close()
})

test('the question about a choice names the text of the option, and not its value (S3-05)', async () => {
  const asked: ApprovalRequest[] = []
  const { page, facts } = loginPage()
  const { run, journal } = await openRun(recordTo(asked), { page })
  const choice = { name: 'Action', role: 'combobox', tag: 'select', submits: undefined as never, chosen: ['Delete permanently'] }
  facts.e4 = { ...(facts.e3 as TargetFacts), ...choice }
  await run({ name: 'select', ref: 'e4', values: ['rm'] })
  await run({ name: 'fill', ref: 'e4', value: 'rm' })
  expect(asked.map(approvalHeadline)).toEqual([
    'Choose in combobox "Action": "Action": "Delete permanently"',
    'Fill in combobox "Action": "Action": "Delete permanently"',
  ])
  await journal.close()
})
