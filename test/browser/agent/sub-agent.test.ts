import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUIMessageStream, type ModelMessage, readUIMessageStream, ToolLoopAgent, toUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import { type AgentApprovals, type AgentMessage, createMasterAgent, type SubAgentResult, subAgentTool } from '../../../src/agent.ts'
import type { AnyRun } from '../../../src/contract/run.ts'
import { serve } from '../../support/http-server.ts'
import { call, close, refIn, scriptedModel } from '../../support/scripted-model.ts'
import { openTestSession } from '../../support/test-session.ts'

const html = `<title>Shop</title><p>The secret word of this page is xyzzy-4711.</p><button type=button onclick="document.title='ordered'">Show the order</button>`

const click = (_: string, all: string) => call('browser-act', { action: 'click', ref: refIn(all, 'button "Show the order"') })

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
    { step: 2, tool: 'browser-act', verb: 'click', target: 'button "Show the order"', state: 'done' },
    { step: 3, tool: 'close', state: 'done' },
  ])
  const runs = message?.parts.flatMap(part => (part.type === 'data-sub-agent-run' ? [part.data] : []))
  expect(runs).toMatchObject([{ goal: 'Order one', state: 'ended', stopReason: 'closed', usage: { steps: 3 } }])
})

test('stopping the master stops the sub-agent, and the stop is recorded (S3-04 S3-43)', async () => {
  await using page = await openTestSession({ html })
  const stop = new AbortController()
  const worker = scriptedModel([call('browser-wait', { textIncludes: 'never', timeoutMs: 60_000 })])
  const run: AnyRun = (command, signal) => {
    const result = page.session.run(command as never, signal)
    if (command.name === 'wait') stop.abort()
    return result
  }
  const written: { type: string }[] = []
  const tool = subAgentTool({ model: worker, run, writer: { write: part => written.push(part) } })
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

test('a page that only a model has named is opened by the sub-agent after an approval (S3-05 S3-20)', async () => {
  const visited: string[] = []
  await using site = await serve((request, response) => {
    if (request.url !== '/favicon.ico') visited.push(`${request.headers.host} ${request.url}`)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title><p>Hello</p>')
  })
  await using page = await openTestSession()
  const { host } = new URL(site.url)
  const start = async (url: string, approvals: AgentApprovals) => {
    const model = scriptedModel([call('open-url', { url: `${site.other}other` }), close('Done.')])
    const tool = subAgentTool({ model, session: page.session, approvals, evidence: mkdtempSync(join(tmpdir(), 'pagehand-runs-')) })
    const messages: ModelMessage[] = [
      { role: 'user', content: `Read ${site.url}` },
      { role: 'assistant', content: `I read ${site.other}` },
    ]
    const task = `Read ${site.other}`
    return (await tool.execute?.({ task, url }, { toolCallId: 'c1', messages, context: undefined as never })) as SubAgentResult
  }
  const asked: string[] = []
  const deny: AgentApprovals = {
    approve: async ({ classes, destination }) => {
      asked.push(`${classes} ${destination}`)
      return { approved: false, scope: 'once' }
    },
  }
  // the site that the user named is opened, the one in the task of the model is not
  expect(await start(`${site.url}own`, deny)).toMatchObject({ ok: true })
  expect(asked).toEqual([`navigate-out ${site.other}other`])
  expect(visited).toEqual([`${host} /own`])
  expect(await start(`${site.other}first`, deny)).toMatchObject({ ok: true })
  expect(asked.slice(1)).toEqual([`navigate-out ${site.other}first`, `navigate-out ${site.other}other`])
  // nobody answers
  expect(await start(`${site.other}first`, {})).toMatchObject({ ok: false, error: { code: 'needs_approval' } })
  expect(visited).toEqual([`${host} /own`])
  await start(`${site.other}first`, { approve: async () => ({ approved: true, scope: 'once' }) })
  expect(visited.slice(1)).toEqual([`${new URL(site.other).host} /first`, `${new URL(site.other).host} /other`])
})
