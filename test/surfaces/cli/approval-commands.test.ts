import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fileRunStore } from '../../../src/evidence.ts'
import { approvalCommand } from '../../../src/surfaces/cli/approval-commands.ts'

/** A terminal at which a person types this. */
function terminalOf(answer: string | undefined) {
  const shown: string[] = []
  return {
    shown,
    openTerminal: () => ({
      ask: async (question: string) => {
        shown.push(question)
        return answer
      },
      close: () => {},
    }),
  }
}

async function setUp(person: ReturnType<typeof terminalOf> | { openTerminal: () => undefined } = terminalOf('yes')) {
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-approve-'))
  const store = fileRunStore({ folder })
  const journal = await store.create({ label: 'tea' })
  await journal.request({
    id: 'abcd1234',
    run: journal.id,
    step: 1,
    actionId: 's1',
    commandHash: 'h',
    command: { name: 'click', ref: 'e1' },
    classes: ['submit', 'pay'],
    reasons: ['It sends a form.', 'Its words mean to pay or order.'],
    origin: 'https://shop.test',
    url: 'https://shop.test/cart',
    target: { role: 'button', name: 'Pay\u001b[31m now', path: 'main' },
    method: 'post',
    data: {
      fields: [
        { label: 'To', value: 'alice' },
        { label: 'PIN', value: '[secret]' },
      ],
      hidden: 1,
    },
    rule: 'allow submit on https://shop.test; allow pay on https://shop.test',
    runRule: 'allow submit, credentials, pay on https://shop.test',
    askedAt: '2026-01-01T00:00:00.000Z',
    kind: 'action',
  })
  const run = async (name: Parameters<typeof approvalCommand>[0], ...words: string[]) => {
    let [out, err] = ['', '']
    const write = (add: (text: string) => void) =>
      ((text: string, done?: () => void) => {
        add(text)
        done?.()
        return true
      }) as never
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(write(text => (out += text))),
      vi.spyOn(process.stderr, 'write').mockImplementation(write(text => (err += text))),
    ]
    const code = await approvalCommand(name, [...words, '--folder', folder], person)
    for (const spy of spies) spy.mockRestore()
    return { code, out, err }
  }
  return { store, journal, run }
}

test('a person lists what waits, and approves or denies it once (S3-05 S3-48)', async () => {
  const { store, journal, run } = await setUp()
  const { out } = await run('approvals')
  for (const part of [
    'abcd1234  pending',
    'click (submit, pay)',
    '"https://shop.test/cart"',
    'It sends a form.',
    'sends:  "To": "alice", "PIN": [secret], 1 hidden field',
    'site:   in every run from now on: send forms',
  ])
    expect(out).toContain(part)
  expect(out).not.toContain('\u001b')
  expect(await run('approve', 'abcd1234', '--scope', 'forever')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--scope is one of once, run, site, always'),
  })
  expect(await run('approve')).toMatchObject({ code: 2 })
  expect(await run('approve', 'ffff0000')).toMatchObject({ code: 1, err: expect.stringContaining('there is no request ffff0000') })
  expect(await run('approve', 'abcd1234', '--deny', 'too dear', '--by', 'ann')).toMatchObject({
    code: 0,
    out: expect.stringContaining('denied: abcd1234'),
  })
  expect(await run('approve', 'abcd1234')).toMatchObject({ code: 1, err: expect.stringContaining('decided before: denied by ann') })
  expect((await run('approvals')).out).toContain('nothing waits for a decision')
  expect(JSON.parse((await run('approvals', '--all', '--json')).out)).toMatchObject({
    approvals: [{ state: 'denied', decision: { reason: 'too dear' } }],
  })
  expect((await store.approvals())[0]?.decision).toMatchObject({ approved: false, by: 'ann' })
  await journal.close()
})

test('approve shows the question at the terminal, and decides nothing without one or without a yes (TRUST G5)', async () => {
  for (const answer of ['', 'y', 'no', undefined]) {
    const person = terminalOf(answer)
    const { store, journal, run } = await setUp(person)
    expect(await run('approve', 'abcd1234')).toMatchObject({ code: 1, err: expect.stringContaining('nothing was decided') })
    expect(person.shown.join()).toContain('sends "To": "alice", "PIN": [secret], 1 hidden field')
    expect(person.shown.join()).toMatch(/Approve it, this once\? Type yes: $/)
    expect(await store.approvals({ pending: true })).toHaveLength(1)
    await journal.close()
  }
  const { store, journal, run } = await setUp({ openTerminal: () => undefined })
  for (const words of [[], ['--deny', 'no'], ['--scope', 'always'], ['--by', 'ann']])
    expect(await run('approve', 'abcd1234', ...words)).toMatchObject({ code: 1, err: expect.stringContaining('approve needs a terminal') })
  expect(await store.approvals({ pending: true })).toHaveLength(1)
  // a program that reads the list is not told how to decide
  expect((await run('approvals')).out).not.toContain('pagehand approve')
  await journal.close()
})

test.each([
  ['once', 'allowed this once'],
  ['run', 'allowed for the rest of this run: send forms, and enter passwords, codes and card numbers, and pay on https://shop.test'],
  ['site', 'allowed in every run from now on: send forms, and pay on https://shop.test'],
  ['always', 'allowed in every run from now on: send forms, and pay on any site'],
])('approve says in one line what the scope %s allows (S3-53)', async (scope, allowed) => {
  const { journal, run } = await setUp()
  const { out } = await run('approve', 'abcd1234', '--scope', scope)
  expect(out).toMatch(new RegExp(`^approved \\(${scope}\\): abcd1234\n`))
  expect(out.trimEnd().split('\n').at(-1)).toBe(allowed)
  expect(out).not.toMatch(/^ *(run|site|rule):/m)
  await journal.close()
})

test('grants are listed, tested and revoked (S3-53)', async () => {
  const { store, journal, run } = await setUp()
  const { id } = await store.grants.add({ rule: 'allow submit on https://shop.test', scope: 'site', by: 'ann' })
  expect((await run('grants')).out).toContain(`${id}  allow submit on https://shop.test  (site, by ann`)
  const target = { name: 'Send', origin: 'https://shop.test', submits: { action: 'https://shop.test/x', method: 'post' } }
  const command = JSON.stringify({ name: 'click', ref: 'e3', target })
  expect((await run('grants', 'test', command, '--site', 'shop.test')).out).toMatch(/^allow: A grant allows it/)
  expect((await run('grants', 'test', command.replace('Send', 'Pay'), '--site', 'shop.test')).out).toMatch(
    /^ask: The policy asks before pay here/,
  )
  expect(await run('grants', 'test', 'click')).toMatchObject({ code: 2 })
  expect(await run('grants', 'revoke', id)).toMatchObject({ code: 0 })
  expect(await run('grants', 'revoke', id)).toMatchObject({ code: 1 })
  expect((await run('grants')).out).toBe('there are no grants\n')
  expect(await run('grants', 'delete')).toMatchObject({ code: 2 })
  await journal.close()
})
