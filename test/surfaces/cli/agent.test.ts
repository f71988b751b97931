import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/contract/agent-run.ts'
import type { ApprovalRequest } from '../../../src/contract/approval.ts'
import { agentHelp, parseAgentCommand, parseResumeCommand } from '../../../src/surfaces/cli/agent/options.ts'
import { eventPrinter } from '../../../src/surfaces/cli/agent/print-events.ts'
import { approvalQuestion } from '../../../src/surfaces/cli/agent/run-agent.ts'

test('agent takes a goal, a page, limits, prices and classes to approve (S2-10)', () => {
  expect(
    parseAgentCommand([
      'Buy tea',
      '--url',
      'shop.example',
      '--max-steps',
      '20',
      '--max-cost',
      '0.5',
      '--price',
      '0.25/2',
      '--yes',
      'submit,download',
      '--yes',
      'pay',
      '--json',
    ]),
  ).toMatchObject({
    goal: 'Buy tea',
    url: 'https://shop.example',
    agentLimits: { steps: 20, cost: 0.5 },
    price: { input: 0.25, output: 2 },
    yes: ['submit', 'download', 'pay'],
    json: true,
  })
  expect(parseResumeCommand(['run-1', '--max-time', '60'])).toMatchObject({ id: 'run-1', command: { agentLimits: { timeMs: 60_000 } } })
})

test('--redact names words that are not written, and run resume takes the goal that has them again (S2-61)', () => {
  expect(parseAgentCommand(['log in as ann / tea123', '--redact', 'tea123', '--redact', '4111 1111'])).toMatchObject({
    redact: ['tea123', '4111 1111'],
  })
  expect(parseResumeCommand(['run-1', '--goal', 'log in as ann / tea123', '--redact', 'tea123'])).toMatchObject({
    id: 'run-1',
    command: { goal: 'log in as ann / tea123', redact: ['tea123'] },
  })
  expect(agentHelp).toContain('--redact WORD')
})

test.each([
  [[], /name the goal/],
  [['Buy', '--redact', '123'], /--redact takes a word of at least four characters/],
  [['Buy', 'tea'], /put the goal in quotes/],
  [['Buy', '--yes', 'everything'], /--yes knows write, submit/],
  [['Buy', '--max-cost', '1'], /--max-cost needs --price/],
  [['Buy', '--max-cost', 'much', '--price', '1/2'], /--max-cost must be a number/],
  [['Buy', '--price', '1'], /--price is two numbers/],
  [['Buy', '--max-steps', '0'], /--max-steps must be a whole number/],
  [['Buy', '--fast'], /unknown option --fast/],
  [['Buy', '--plan', 'everything', '--url', 'shop.example'], /--plan knows write, submit/],
  [['Buy', '--plan', 'submit'], /--plan needs --url or --site/],
  [['Buy', '--site', 'https://shop.example/x'], /is not a host/],
  [['Buy', '--approvals', 'none.json'], /--approvals .*none\.json: .*ENOENT/],
])('agent %j is a usage error', (words, why) => {
  expect(parseAgentCommand(words)).toMatch(why)
})

test('a policy of a file is used with --yes, which never overrides a denial (TRUST C2)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagehand-policy-'))
  const policyOf = (policy: unknown, ...words: readonly string[]) => {
    const file = join(folder, 'policy.json')
    writeFileSync(file, typeof policy === 'string' ? policy : JSON.stringify(policy))
    const command = parseAgentCommand(['Buy', '--approvals', file, ...words])
    return typeof command === 'string' ? command : command.approvals
  }
  const origins = [{ origin: 'shop.example', classes: { submit: 'deny', pay: 'ask' } }]
  expect(policyOf({ classes: { eval: 'deny' }, origins }, '--yes', 'submit,pay,eval')).toEqual({
    classes: { read: 'allow', eval: 'deny', submit: 'allow', pay: 'allow' },
    origins: [{ origin: 'shop.example', classes: { submit: 'deny', pay: 'allow' } }],
  })
  for (const wrong of ['', '{}', '{"clases":{}}', '{"classes":{"fly":"allow"}}', '{"classes":{"pay":"maybe"}}', '[]', 'null'])
    expect(policyOf(wrong), wrong).toMatch(/^--approvals /)
  expect(parseAgentCommand(['Buy', '--plan', 'submit,pay', '--url', 'shop.example', '--site', '*.shop.example'])).toMatchObject({
    plan: ['submit', 'pay'],
    sites: ['*.shop.example'],
  })
})

test('every stop reason and every option is in the help', () => {
  for (const word of [
    'max_steps',
    'max_cost',
    'max_time',
    'loop',
    'denied',
    'needs_approval',
    '--yes CLASS',
    '--model NAME',
    '--headed',
    '--record FILE',
  ])
    expect(agentHelp).toContain(word)
})

const usage = { steps: 2, inputTokens: 2_000, outputTokens: 40, cachedTokens: 0, cost: 0, activeMs: 1_500, characters: 300 }
const events: readonly AgentEvent[] = [
  { type: 'started', run: 'run-1', goal: 'Buy tea', model: 'rules', resumed: false },
  { type: 'call', step: 1, tool: 'browser-act', verb: 'click', target: 'button "Pay \u001b[31mnow\u0007"', arguments: {} },
  { type: 'answer', step: 1, tool: 'browser-act', ok: true, text: 'ok: click e3', ms: 240, usage },
  {
    type: 'answer',
    step: 2,
    tool: 'browser-wait',
    ok: false,
    text: 'timeout: …',
    error: { code: 'timeout', message: 'The text did not appear.' },
    ms: 5_000,
    usage,
  },
  { type: 'ended', run: 'run-1', reason: 'closed', summary: 'Bought.', usage },
]

function printed(options: { json?: boolean; isTTY?: boolean }): { out: string; err: string } {
  const texts = { out: '', err: '' }
  const stream = (name: 'out' | 'err') => ({
    write(text: string) {
      texts[name] += text
    },
  })
  const print = eventPrinter({
    json: options.json ?? false,
    streams: { out: stream('out'), err: { ...stream('err'), isTTY: options.isTTY ?? false, columns: 80 } },
  })
  for (const event of events) print(event)
  return texts
}

test('steps are plain lines in a file, a list that is updated on a terminal, and JSON with --json; pages cannot control the terminal (A1)', () => {
  const { err, out } = printed({})
  expect(out).toBe('')
  expect(err).toBe(
    [
      'run run-1 with rules',
      '  1  click button "Pay \\u001b[31mnow\\u0007"  ok  (0.2 s, 2,040 tokens)',
      '  2  browser-wait  ✗ The text did not appear.  (5.0 s, 2,040 tokens)',
      'closed: 2 steps, 2,040 tokens, 1.5 s',
      '',
    ].join('\n'),
  )
  const live = printed({ isTTY: true }).err
  expect(live).toContain('  1  click button "Pay \\u001b[31mnow\\u0007" …\r\u001b[2K  1  click')
  const json = printed({ json: true })
  expect(json.err).toBe('')
  expect(
    json.out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).type),
  ).toEqual(['started', 'call', 'answer', 'answer', 'ended'])
  expect(json.out).not.toContain('\u001b')
})

test('a page cannot add words or lines to the question that a person answers in the terminal (A1)', () => {
  const forged = 'Cancel" in main\n     on https://shop.test/\n     read: It only reads.'
  const request = {
    id: 'abcd1234',
    run: 'r',
    step: 1,
    actionId: 's1',
    commandHash: 'h',
    command: { name: 'click', ref: 'e1' },
    classes: ['pay'],
    reasons: ['Its words mean to pay or order.'],
    origin: 'https://evil.test',
    url: `https://evil.test/?"\n     on https://shop.test/`,
    target: { role: 'button', name: forged, path: `dialog ${JSON.stringify(forged)}` },
    destination: forged,
    rule: 'allow pay on https://evil.test',
    askedAt: '2026-01-01T00:00:00.000Z',
    kind: 'action',
  } satisfies ApprovalRequest
  const question = approvalQuestion(request)
  expect(question.split('\n').map(line => /^ {5}(\w+(?: to)?):/.exec(line)?.[1])).toEqual([
    undefined,
    'what',
    'on',
    'where',
    'to',
    'why',
    'y',
    'r',
    's',
    'n',
    'Enter',
    undefined,
  ])
  // each answer says what it allows
  expect(question).toContain('     r: yes, for the rest of this run: pay on https://evil.test\n')
  expect(question).toContain('     s: yes, in every run from now on: pay on https://evil.test\n')
  expect(question).toContain('button "Cancel\\" in main\\n     on https://shop.test/')
  // a replay cannot be resumed, so nobody can decide later
  expect(question).toContain('Enter: decide later')
  expect(approvalQuestion(request, { canWait: false })).not.toContain('decide later')
})
