import { type ModelMessage, ToolLoopAgent } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import type { ApprovalPolicy } from '../../../src/approval/approval-policy.ts'
import { type AnyCommand, type AnyRun, fail, ok, wrap } from '../../../src/contract/run.ts'
import type { TargetFacts } from '../../../src/contract/target.ts'
import { agentTools, createToolApprovals, toAiSdk } from '../../../src/tools.ts'

const send: TargetFacts = {
  url: 'https://shop.test/cart',
  origin: 'https://shop.test',
  role: 'button',
  name: 'Send',
  path: 'main',
  tag: 'button',
  submits: { action: 'https://shop.test/buy', method: 'post' },
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** An agent of the AI SDK that clicks the button, and then says that it is done. */
function openAgent({ policy }: { policy?: ApprovalPolicy } = {}) {
  const state = { facts: send, done: [] as AnyCommand[] }
  const driver: AnyRun = async command => {
    if (command.name === 'inspect') return ok(state.facts)
    if (command.name === 'status') return ok({ running: true, url: state.facts.url })
    if (command.name === 'snapshot') return fail('snapshot_failed', 'there is no page.')
    state.done.push(command)
    return ok({ page: { url: state.facts.url, title: 'Shop' }, effect: {}, settled: true, trusted: true })
  }
  const { toolApproval, layer } = createToolApprovals(driver, run => agentTools(run), { sites: ['shop.test'], ...(policy && { policy }) })
  const tools = agentTools(wrap(driver, layer))
  let turn = 0
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content:
        turn++ === 0
          ? [{ type: 'tool-call', toolCallId: 'c1', toolName: 'browser-act', input: '{"action":"click","ref":"e1"}' }]
          : [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: turn === 1 ? 'tool-calls' : 'stop', raw: undefined },
      usage,
      warnings: [],
    }),
  })
  const agent = new ToolLoopAgent({ model, tools: toAiSdk(tools), toolApproval })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Send it' }]
  const go = async () => {
    const result = await agent.generate({ messages })
    messages.push(...result.responseMessages)
    return result
  }
  const answer = async (approved: boolean) => {
    const { content } = await go()
    const request = content.find(part => part.type === 'tool-approval-request')
    expect(state.done).toEqual([])
    messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: request?.approvalId ?? '', approved }] })
    return request
  }
  return { state, tools, go, answer, messages }
}

test('the AI SDK asks for what the policy asks for, and carries out what a person approved (S3-05 S3-20 S3-48)', async () => {
  const { state, go, answer } = openAgent()
  expect(await answer(true)).toMatchObject({ reason: 'click button "Send" to https://shop.test/buy: submit' })
  expect((await go()).text).toBe('Done.')
  expect(state.done).toMatchObject([{ name: 'click', ref: 'e1' }])
})

test('after a denial nothing is done and the agent goes on; what the policy denies is not asked (S3-48)', async () => {
  const { state, go, answer } = openAgent()
  await answer(false)
  expect((await go()).text).toBe('Done.')
  expect(state.done).toEqual([])
  const denied = openAgent({ policy: { classes: { submit: 'deny' } } })
  expect((await denied.go()).text).toBe('Done.')
  expect(JSON.stringify(denied.messages)).toContain('The policy denies submit here.')
  expect(denied.state.done).toEqual([])
})

test('what is allowed is not asked about (S3-21)', async () => {
  const { state, go } = openAgent({ policy: { classes: { submit: 'allow' } } })
  expect((await go()).text).toBe('Done.')
  expect(state.done).toHaveLength(1)
})

test('a call without a question is refused, and one whose element has changed is stale (F9)', async () => {
  const { state, tools, answer } = openAgent()
  const click = () => tools.execute('browser-act', { action: 'click', ref: 'e1' })
  expect(await click()).toMatchObject({ ok: false, error: { code: 'approval_required' } })
  await answer(true)
  state.facts = { ...send, name: 'Send everything' }
  expect(await click()).toMatchObject({ ok: false, error: { code: 'approval_stale' } })
  state.facts = send
  expect(await click()).toMatchObject({ ok: false, error: { code: 'approval_required' } })
  expect(state.done).toEqual([])
})

test('the question of the AI SDK names the data, and a change of the data or another action on the page ends it (TRUST G1)', async () => {
  const data = { digest: 'a', fields: [{ label: 'To', value: 'alice' }], hidden: 1 }
  const form = { action: 'https://shop.test/buy', method: 'post', data } as const
  const facts = { ...send, submits: form }
  const changed = openAgent()
  changed.state.facts = facts
  expect(await changed.answer(true)).toMatchObject({
    reason: 'click button "Send" to https://shop.test/buy: submit (with "To": "alice", 1 hidden field)',
  })
  changed.state.facts = { ...facts, submits: { ...form, data: { ...data, digest: 'b' } } }
  const click = (tools: typeof changed.tools) => tools.execute('browser-act', { action: 'click', ref: 'e1' })
  expect(await click(changed.tools)).toMatchObject({ error: { code: 'approval_stale' } })
  expect(changed.state.done).toEqual([])

  const acted = openAgent()
  acted.state.facts = facts
  await acted.answer(true)
  // a field that is not part of the form
  acted.state.facts = { ...send, submits: undefined as never, role: 'textbox', tag: 'input', name: 'Other' }
  await acted.tools.execute('browser-act', { action: 'fill', ref: 'e9', text: 'x' })
  acted.state.facts = facts
  acted.state.done.length = 0
  expect(await click(acted.tools)).toMatchObject({ error: { code: 'approval_stale' } })
  expect(acted.state.done).toEqual([])
})
