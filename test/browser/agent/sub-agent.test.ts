import { createUIMessageStream, readUIMessageStream, ToolLoopAgent, toUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import { type AgentMessage, createMasterAgent, type SubAgentResult, subAgentTool } from '../../../src/agent.ts'
import { call, close, refIn, scriptedModel } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

const html = `<title>Shop</title><p>The secret word of this page is xyzzy-4711.</p><button type=button onclick="document.title='ordered'">Order</button>`

const click = (_: string, all: string) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Order"') })

test('a master agent opens a page, gives a task to the sub-agent, and gets a summary but no page text (S3-07 S3-08 S3-12)', async () => {
  await using page = await openTestSession({ html })
  const worker = scriptedModel([call('browser-snapshot', { interactiveOnly: false }), click, close('Ordered.', ['ordered'])])
  const master = scriptedModel([
    call('open-url', { url: page.url }),
    call('sub-agent', { task: 'Order one' }),
    (last: string) => `The agent says: ${(JSON.parse(last) as SubAgentResult).data?.summary}`,
  ])
  const agent = await createMasterAgent({ model: master, subAgentModel: worker, session: page.session })
  const result = await agent.stream({ prompt: 'Order one for me' })
  let text = ''
  for await (const part of result.stream) if (part.type === 'text-delta') text += part.text
  expect(text).toBe('The agent says: Ordered.')
  expect((await page.do('snapshot')).meta.title).toBe('ordered')
  expect(worker.prompts.join()).toContain('xyzzy-4711')
  expect(master.prompts.join()).not.toContain('xyzzy-4711')
  expect(master.prompts.at(-1)).toMatch(/"run":"[^"]+","reason":"closed","steps":3/)
})

test('a master agent opens only sites that the user named, and leaves the others to the sub-agent, which asks (S3-20)', async () => {
  await using page = await openTestSession({ html, files: { 'b.html': '<title>b' } })
  const other = page.url.replace('127.0.0.1', 'localhost')
  const open = async (prompt: string, url: string, options = {}) => {
    const model = scriptedModel([call('open-url', { url }), (last: string) => last])
    const { stream } = await (await createMasterAgent({ model, session: page.session, ...options })).stream({ prompt })
    let answer = ''
    for await (const part of stream) if (part.type === 'text-delta') answer += part.text
    return answer
  }
  const urlNow = async () => (await page.do('snapshot')).meta.url
  expect(await open('Read it', `${other}b.html`)).toContain('approval_required')
  expect(await urlNow()).toBe(page.url)
  expect(await open('Read it', `${other}b.html`, { approvals: { policy: { classes: { 'navigate-out': 'deny' } } } })).toContain(
    'approval_denied',
  )
  expect(await urlNow()).toBe(page.url)
  expect(await open(`Read ${other}`, `${other}b.html`)).toContain('"ok":true')
  expect(await urlNow()).toBe(`${other}b.html`)
  expect(await open('Read it', page.url, { sites: ['127.0.0.1'] })).toContain('"ok":true')
  expect(await urlNow()).toBe(page.url)
})

test('progress of the sub-agent arrives as data parts, one per step (S3-07 S3-33)', async () => {
  await using page = await openTestSession({ html })
  const worker = scriptedModel([call('browser-observe', { task: 'order' }), click, close('Ordered.')])
  const master = scriptedModel([call('sub-agent', { task: 'Order one' }), 'Done.'])
  const stream = createUIMessageStream<AgentMessage>({
    async execute({ writer }) {
      const agent = new ToolLoopAgent({
        model: master,
        tools: { 'sub-agent': subAgentTool({ model: worker, session: page.session, writer }) },
      })
      const result = await agent.stream({ prompt: 'Order one for me' })
      writer.merge(toUIMessageStream({ stream: result.stream }) as never)
    },
  })
  let message: AgentMessage | undefined
  for await (const each of readUIMessageStream<AgentMessage>({ stream })) message = each
  const events = message?.parts.flatMap(part => (part.type === 'data-browser-event' ? [part.data] : []))
  expect(events).toMatchObject([
    { step: 1, tool: 'browser-observe', verb: 'observe', state: 'done' },
    { step: 2, tool: 'browser-act', verb: 'click', target: 'button "Order"', state: 'done' },
    { step: 3, tool: 'close', state: 'done' },
  ])
  const runs = message?.parts.flatMap(part => (part.type === 'data-sub-agent-run' ? [part.data] : []))
  expect(runs).toMatchObject([{ goal: 'Order one', state: 'ended', stopReason: 'closed', usage: { steps: 3 } }])
})

test('stopping the master stops the sub-agent, and the stop is recorded (S3-04 S3-43)', async () => {
  await using page = await openTestSession({ html })
  const stop = new AbortController()
  const worker = scriptedModel([
    () => {
      setTimeout(() => stop.abort(), 50)
      return call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })
    },
  ])
  const written: { type: string }[] = []
  const tool = subAgentTool({ model: worker, session: page.session, writer: { write: part => written.push(part) } })
  const result = (await tool.execute?.(
    { task: 'Wait' },
    { toolCallId: 'c1', messages: [], abortSignal: stop.signal, context: undefined as never },
  )) as SubAgentResult
  expect(result).toMatchObject({ ok: false, error: { code: 'aborted' }, data: { reason: 'aborted' } })
  expect(written.at(-1)?.type).toBe('data-manual-stop')
})

test('a second task while one is running is refused (C19)', async () => {
  await using page = await openTestSession({ html })
  const tool = subAgentTool({ model: scriptedModel([close('Done.')]), session: page.session })
  const options = { toolCallId: 'c1', messages: [], context: undefined as never }
  const [first, second] = await Promise.all([tool.execute?.({ task: 'One' }, options), tool.execute?.({ task: 'Two' }, options)])
  expect(first).toMatchObject({ ok: true })
  expect(second).toMatchObject({ ok: false, error: { code: 'one_call_per_step' } })
})
