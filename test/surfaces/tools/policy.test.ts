import { expect, test } from 'vitest'
import { formatFlags, ruleFlags } from '../../../src/surfaces/flags/session-flags.ts'
import { parseMcpOptions } from '../../../src/surfaces/mcp/options.ts'
import { rulesFrom } from '../../../src/surfaces/tools/session-rules.ts'
import {
  agentToolList,
  agentTools,
  browserTool,
  createPolicy,
  parsePolicy,
  systemPrompt,
  toAiSdk,
  verbs,
  webToolList,
  webTools,
} from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const shop = () => recordingDriver({ shows: () => page([{ tag: 'button', role: 'button', name: 'Buy', ref: 'e1', interactive: true }]) })
const tools = [...webToolList({ allowEval: true }), ...agentToolList]
const ofOne = tools.filter(({ verb }) => verb !== undefined)

test.each(ofOne.map(({ name, verb = 'open' }) => [name, verb] as const))(
  'denying %s denies the verb %s and every other tool for it (E2)',
  async (name, verb) => {
    const denying = createPolicy({ deny: [name] })
    expect([...denying.denied]).toEqual([verb])
    const { run, commands } = shop()
    const [web, agent] = [webTools(run, { policy: denying, allowEval: true }), agentTools(run, { policy: denying })]
    const others = ofOne.filter(tool => tool.verb === verb).map(tool => tool.name)
    expect(others).toContain(name)
    for (const other of others) {
      expect([...web.tools, ...agent.tools].map(tool => tool.name)).not.toContain(other)
      const box = webToolList({ allowEval: true }).some(tool => tool.name === other) ? web : agent
      const { error } = await box.execute(other, { url: 'https://example.com/', ref: 'e1' })
      expect(error).toMatchObject({
        code: 'disabled',
        message: expect.stringMatching(new RegExp(`^${other} is denied by the policy; allowed are `)),
      })
    }
    expect(commands).toEqual([])
  },
)

test('a tool with many verbs stays available, and a denied verb fails with disabled (E2)', async () => {
  const { run, commands } = shop()
  const denying = createPolicy({ deny: ['click', 'snapshot'] })
  const agent = agentTools(run, { policy: denying })
  expect(agent.tools.map(({ name }) => name)).toEqual([
    'open-url',
    'browser-observe',
    'browser-act',
    'browser-wait',
    'browser-extract',
    'close',
  ])
  expect(await agent.execute('browser-act', { action: 'click', ref: 'e1' })).toMatchObject({ ok: false, error: { code: 'disabled' } })
  const one = browserTool(
    { start: async () => ({ ok: true, data: { run, description: 'it', close: async () => {} } }) },
    { policy: denying },
  )
  expect(one.tools.map(({ name }) => name)).toEqual(['browser'])
  for (const args of [{ action: 'snapshot' }, { action: 'act', request: { kind: 'click', target_id: '1' } }])
    expect(await one.execute('browser', args)).toMatchObject({ ok: false, error: { code: 'disabled' } })
  expect(commands).toEqual([])
  expect(await one.execute('browser', { action: 'act', request: { kind: 'hover', target_id: '1' } })).toMatchObject({ ok: true })
})

test('a denial lists the available tools instead of verbs (E2)', async () => {
  const { run, commands } = shop()
  const box = webTools(run, { policy: createPolicy({ deny: ['power', 'open'] }) })
  const { error } = await box.execute('web_upload', { ref: 'e1', files: ['a'] })
  expect(error?.message).toBe(`web_upload is denied by the policy; allowed are ${box.tools.map(({ name }) => name).join(', ')}.`)
  expect(error?.message).not.toMatch(/web_eval|evaluate|longpress|scrollIntoView/)
  const tab = await box.execute('web_tabs', { operation: 'new', url: 'https://example.com/' })
  expect(tab.error?.message).toMatch(/^web_open is denied by the policy; allowed are web_back, /)
  expect(commands).toEqual([])
})

test('observe is denied by its own name, not by snapshot', async () => {
  const { run } = shop()
  expect(await agentTools(run, { policy: createPolicy({ deny: ['observe'] }) }).execute('browser-observe')).toMatchObject({
    error: { code: 'disabled' },
  })
  expect(await agentTools(run, { policy: createPolicy({ deny: ['snapshot'] }) }).execute('browser-observe')).toMatchObject({ ok: true })
})

test('readOnly offers only web tools that read, move or open, in every tool format', () => {
  const box = webTools(shop().run, { policy: createPolicy({ readOnly: true }), allowEval: true })
  const offered = box.tools.map(({ name }) => name)
  expect(offered).toEqual(webToolList().flatMap(({ name, verb }) => (['look', 'move', 'leave'].includes(verbs[verb].risk) ? [name] : [])))
  expect(offered).not.toContain('web_eval')
  expect(Object.keys(toAiSdk(box))).toEqual(offered)
  const prompt = systemPrompt(box.tools)
  expect(prompt).toContain('not offered here')
  expect(prompt.length).toBeLessThanOrEqual(3_000)
  expect(systemPrompt()).not.toContain('not offered here')
})

/** arguments that a call needs, or that could confuse who reads them */
const argumentsFor: readonly object[] = [
  {},
  { ref: 'e1' },
  { ref: '@e1', value: 'x', text: 'x', key: 'Enter', values: ['x'], files: ['/etc/passwd'], js: '1' },
  { target_id: '1', text: 'x', keys: 'Enter' },
  { ref: 'e1', fields: [{ ref: 'e1', value: 'x' }], submit: true },
  { ref: 'e1', action: 'click', kind: 'click', name: 'click', verb: 'click' },
  { ref: 'e1', read_only: false, policy: { deny: [] }, allow: ['click'] },
  JSON.parse('{"ref":"e1","__proto__":{"readOnly":false}}'),
  { ref: ['e1'], value: { toString: 'x' } },
]
const spellings = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => ` ${name} `,
  (name: string) => `web_${name}`,
  (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
  (name: string) => `${name}\u0000`,
]

test('readOnly lets no action through, by any tool, name or argument (E2)', async ({ task }) => {
  const { run, commands } = shop()
  const policy = createPolicy({ readOnly: true })
  const web = webTools(run, { policy, allowEval: true })
  const agent = agentTools(run, { policy, allowEval: true })
  const one = browserTool(
    { start: async () => ({ ok: true, data: { run, description: 'it', close: async () => {} } }) },
    { policy, allowEval: true },
  )
  const forbidden = Object.entries(verbs).flatMap(([name, { risk }]) => (risk === 'act' || risk === 'power' ? [name] : []))
  let calls = 0
  for (const verb of forbidden)
    for (const spell of spellings)
      for (const args of argumentsFor) {
        const name = spell(verb)
        await web.execute(name, args)
        await agent.execute('browser-act', { ...args, action: name })
        await one.execute('browser', { action: 'act', ...args, kind: name, request: { ...args, kind: name } })
        calls += 3
      }
  for (const name of [...webToolList({ allowEval: true }), ...agentToolList].flatMap(({ name, verb }) =>
    verb && forbidden.includes(verb) ? [name] : [],
  ))
    for (const args of argumentsFor) {
      await web.execute(name, args)
      await agent.execute(name, args)
      calls += 2
    }
  task.meta.tries = calls
  expect(calls).toBeGreaterThanOrEqual(2_478)
  expect(commands.filter(({ name }) => forbidden.includes(name))).toEqual([])
})

test('deny accepts CLI command names and rejects unknown ones (TRUST C2)', () => {
  expect([...createPolicy({ deny: ['eval', 'scroll-into-view'] }).denied]).toEqual(['evaluate', 'scrollIntoView'])
  for (const name of ['web_clik', 'browser', 'browser-act', 'web_*', '', 'constructor'])
    expect(parsePolicy({ deny: [name] }), name).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('rulesFrom turns flags into rules and rejects invalid ones (TRUST C2)', () => {
  expect(rulesFrom({})).toEqual({ ok: true, data: {} })
  expect(rulesFrom({ privateHosts: 'no' as never })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(rulesFrom({ privateHosts: true })).toEqual({ ok: true, data: {} })
  expect(rulesFrom({ allowHost: ['a.example'], denyHost: ['b.a.example'], privateHosts: false })).toEqual({
    ok: true,
    data: { hosts: { allow: ['a.example'], deny: ['b.a.example'], private: false } },
  })
  expect(rulesFrom({ readOnly: true, deny: ['web_open'] })).toMatchObject({ ok: true, data: { policy: expect.any(Function) } })
  for (const wrong of [{ deny: ['all'] }, { deny: [] }, { allowHost: ['https://a.example'] }, { denyHost: [''] }, { allowHost: [] }])
    expect(rulesFrom(wrong), JSON.stringify(wrong)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

test('formatFlags is canonical, so that two sets of rules can be compared', () => {
  expect(formatFlags(ruleFlags, {})).toBe('')
  expect(formatFlags(ruleFlags, { readOnly: false, privateHosts: true })).toBe('')
  expect(formatFlags(ruleFlags, { denyHost: ['b'], readOnly: true, deny: ['tabs', 'open'], privateHosts: false })).toBe(
    '--read-only --deny tabs --deny open --deny-host b --no-private-hosts',
  )
})

test('a refusal of the MCP server names the flags that ask for it', async () => {
  const options = parseMcpOptions(['--read-only', '--deny', 'web_tabs'])
  const policy = typeof options === 'string' ? undefined : options.policy
  if (!policy) throw new Error('no policy')
  const { run, commands } = shop()
  const hint = 'The server was started with --read-only --deny web_tabs; only the user can change that.'
  const host = { start: async () => ({ ok: true as const, data: { run, description: '', close: async () => {} } }) }
  expect((await webTools(run, { policy }).execute('web_click', { ref: 'e1' })).text).toContain(hint)
  expect((await browserTool(host, { policy }).execute('browser', { action: 'act', kind: 'click', target_id: '1' })).text).toContain(hint)
  expect(
    agentTools(run, { policy }).toModel(await agentTools(run, { policy }).execute('browser-act', { action: 'click', ref: 'e1' })).text,
  ).toContain(hint)
  expect(await policy(run)({ name: 'click', ref: 'e1' })).toMatchObject({ ok: false, error: { hint } })
  expect(commands).toEqual([])
})
