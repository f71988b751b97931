import { expect, test } from 'vitest'
import type { z } from 'zod'
import { type VerbName, verbs } from '../../../src/contract/commands.ts'
import { parseCommand } from '../../../src/contract/parse-command.ts'
import { ok } from '../../../src/contract/run.ts'
import { agentTools, browserTool, type Toolbox, webTools } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

// OpenAI's strict mode makes every field required, so a model writes null for each one that it does not use.

const driver = () => recordingDriver({ shows: () => page([{ tag: 'input', role: 'textbox', name: 'Tea', ref: 'e1', interactive: true }]) })

/** the least that each call needs */
const required: { readonly [tool: string]: readonly object[] } = {
  web_open: [{ url: 'https://shop.example/' }],
  web_fill: [{ ref: 'e1', value: 'tea' }, { fields: [{ ref: 'e1', value: 'tea' }] }],
  web_type: [{ ref: 'e1', text: 'tea' }],
  web_select: [{ ref: 'e1', values: ['tea'] }],
  web_scroll: [{ direction: 'down' }],
  web_press_key: [{ key: 'Enter' }],
  web_wait: [{ text: 'Tea' }, { ms: 1 }],
  web_query: [{ ref: 'e1', kind: 'text' }],
  web_eval: [{ js: '1' }],
  web_tabs: [{ operation: 'list' }, { operation: 'new' }],
  web_upload: [{ ref: 'e1', files: ['a.txt'] }],
  web_drag: [{ ref: 'e1', to: 'e1' }],
  web_dialog: [{ accept: true }],
  'open-url': [{ url: 'https://shop.example/' }],
  'browser-act': [
    { action: 'click', ref: 'e1' },
    { action: 'fill', ref: 'e1', text: 'tea', next: [{ action: 'press', key: 'Enter' }] },
  ],
  'browser-wait': [{ selector: 'p' }],
  'browser-tabs': [{ operation: 'list' }],
  close: [{ summary: 'done' }],
  browser: [
    { action: 'status' },
    { action: 'snapshot' },
    { action: 'act', kind: 'click', target_id: 'e1' },
    { action: 'act', request: { kind: 'press', key: 'Enter' } },
  ],
}
const argumentsOf = (name: string, input: z.ZodObject): readonly object[] => required[name] ?? ['ref' in input.shape ? { ref: 'e1' } : {}]

/** What an answer says, without the random word around the page and the times. */
const told = (answer: unknown) =>
  JSON.stringify(answer)
    .replaceAll(/page [\w-]{16}|\/page [\w-]{16}|[\w-]{16}(?=>)/g, 'page')
    .replaceAll(/\d+ ms/g, 'ms')

type Shape = { readonly [field: string]: z.ZodType }
const isOptional = (type: z.ZodType) => type.safeParse(undefined).success

/** the same call with null for one field that is not given, or for all of them, also inside its objects */
function* withNulls(shape: Shape, args: { readonly [field: string]: unknown }): Generator<object> {
  const open = Object.keys(shape).filter(field => !(field in args) && isOptional(shape[field] as z.ZodType))
  for (const field of open) yield { ...args, [field]: null }
  const all = Object.fromEntries(open.map(field => [field, null]))
  yield { ...all, ...args }
  for (const [field, value] of Object.entries(args)) {
    const inner = innerShape(shape[field] as z.ZodType)
    if (!inner) continue
    const values = (Array.isArray(value) ? value : [value]).map(each => [...withNulls(inner, each)].at(-1))
    yield { ...args, [field]: Array.isArray(value) ? values : values[0] }
  }
}

function innerShape(type: z.ZodType): Shape | undefined {
  const { innerType, element, shape } = type.def as { innerType?: z.ZodType; element?: z.ZodType; shape?: Shape }
  return shape ?? (innerType ? innerShape(innerType) : element ? innerShape(element) : undefined)
}

const sets: { readonly [name: string]: () => { readonly tools: Toolbox<unknown>; readonly commands: readonly object[] } } = {
  web: () => {
    const { run, commands } = driver()
    return { tools: webTools(run, { allowEval: true }), commands }
  },
  agent: () => {
    const { run, commands } = driver()
    return { tools: agentTools(run, { tabs: true }), commands }
  },
  browser: () => {
    const { run, commands } = driver()
    return { tools: browserTool({ start: async () => ok({ run, description: 'temporary', close: async () => {} }) }), commands }
  },
}

const calls = Object.entries(sets).flatMap(([set, open]) =>
  open().tools.tools.flatMap(({ name, input }) => argumentsOf(name, input).map(args => [set, name, JSON.stringify(args)] as const)),
)

test.each(calls)('%s: %s %s does the same with null for every optional field', async (set, name, json) => {
  const open = sets[set] as (typeof sets)[string]
  const args = JSON.parse(json)
  const plain = open()
  const expected = told(await plain.tools.execute(name, args))
  expect(expected).toContain('"ok":true')
  const { input } = plain.tools.tools.find(tool => tool.name === name) as { readonly input: z.ZodObject }
  for (const given of withNulls(input.shape, args)) {
    const nulls = open()
    expect(told(await nulls.tools.execute(name, given)), JSON.stringify(given)).toBe(expected)
    expect(nulls.commands).toEqual(plain.commands)
  }
})

test('null for a required field is an error that names the field', async () => {
  const { tools, commands } = (sets.web as (typeof sets)[string])()
  for (const { name, input } of tools.tools)
    for (const [field, type] of Object.entries(input.shape as Shape)) {
      if (isOptional(type)) continue
      const [args] = argumentsOf(name, input)
      const answer = told(await tools.execute(name, { ...args, [field]: null }))
      expect(answer, `${name} ${field}`).toContain(`${field} must be`)
    }
  expect(commands).toEqual([])
})

const leastOf: { readonly [verb in VerbName]?: object } = {
  open: { url: 'https://shop.example/' },
  fill: { value: 'tea' },
  type: { text: 'tea' },
  select: { values: ['tea'] },
  scroll: { direction: 'down' },
  press: { key: 'Enter' },
  wait: { text: 'Tea' },
  query: { kind: 'text' },
  evaluate: { js: '1' },
  tabs: { operation: 'list' },
  upload: { files: ['a.txt'] },
  drag: { to: 'e2' },
  dialog: { accept: true },
  fillForm: { fields: [{ ref: 'e1', value: 'tea' }] },
  extract: { query: 'tea' },
}

test.each(Object.keys(verbs) as VerbName[])('the command %s is the same with null for every optional field', verb => {
  const { shape } = verbs[verb].input as z.ZodObject
  const needsRef = shape.ref && !isOptional(shape.ref as z.ZodType)
  const args = { ...(needsRef && { ref: 'e1' }), ...leastOf[verb] }
  const plain = parseCommand({ ...args, name: verb })
  expect(plain).toMatchObject({ ok: true })
  for (const given of withNulls(shape as Shape, args)) expect(parseCommand({ ...given, name: verb }), JSON.stringify(given)).toEqual(plain)
})
