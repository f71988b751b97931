import { expect, test, vi } from 'vitest'
import { verbs } from '../../../src/contract/commands.ts'
import { fail } from '../../../src/contract/run.ts'
import { htmlDriver } from '../../../src/html.ts'
import { systemPrompt, toOpenAI, webToolList, webTools } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const documented =
  'web_open web_back web_forward web_reload web_snapshot web_click web_dblclick web_fill web_type web_select web_check web_uncheck web_hover web_scroll_into_view web_scroll web_press_key web_wait web_query web_screenshot web_eval web_close'.split(
    ' ',
  )
const every = webToolList({ allowEval: true })
const schemaOf = (name: string) => toOpenAI(every).find(tool => tool.function.name === name)?.function.parameters as unknown as Schema
interface Schema {
  readonly type: string
  readonly properties: {
    readonly [name: string]: { readonly type?: string; readonly default?: unknown; readonly enum?: readonly string[] }
  }
  readonly required?: readonly string[]
  readonly additionalProperties: boolean
}

/** tools on a page that does nothing, and the resulting commands */
function onPage(options = {}) {
  const driver = recordingDriver({ shows: () => page([]) })
  return { ...webTools(driver.run, { allowEval: true, ...options }), commands: driver.commands }
}

test('all documented tools exist in order, at most 25 (S2-04, S2-06, S2-42..S2-48, S2-50, S2-51)', () => {
  expect(every.map(({ name }) => name).slice(0, 21)).toEqual(documented)
  expect(every.length).toBeLessThanOrEqual(25)
})

test('web_wait is the only tool that waits (S2-05, S2-52)', () => {
  expect(every.filter(({ name }) => name.includes('wait')).map(({ name }) => name)).toEqual(['web_wait'])
})

test('web_eval is neither offered nor executed by default (S2-10, S2-40, S2-53)', async () => {
  expect(webToolList().map(({ name }) => name)).not.toContain('web_eval')
  const off = onPage({ allowEval: false })
  expect(await off.execute('web_eval', { js: '1' })).toMatchObject({ ok: false, error: { code: 'disabled' } })
  expect(off.commands).toEqual([])
  const on = onPage()
  expect(on.tools.map(({ name }) => name)).toContain('web_eval')
  expect(await on.execute('web_eval', { js: '1 + 1' })).toMatchObject({ ok: true })
  expect(on.commands).toEqual([{ name: 'evaluate', js: '1 + 1', limitChars: 2_000 }])
})

const parameters: { readonly [tool: string]: readonly [properties: { readonly [name: string]: unknown }, required: readonly string[]] } = {
  web_open: [{ url: 'string' }, ['url']],
  web_back: [{}, []],
  web_forward: [{}, []],
  web_reload: [{}, []],
  web_close: [{}, []],
  web_snapshot: [{ interactive_only: true, cursor_interactive: true, scope: 'string' }, []],
  web_click: [{ ref: 'string' }, ['ref']],
  web_dblclick: [{ ref: 'string' }, ['ref']],
  web_check: [{ ref: 'string' }, ['ref']],
  web_uncheck: [{ ref: 'string' }, ['ref']],
  web_hover: [{ ref: 'string' }, ['ref']],
  web_scroll_into_view: [{ ref: 'string' }, ['ref']],
  // ref and value, or fields
  web_fill: [{ ref: 'string', value: 'string', fields: 'array', submit: 'boolean' }, []],
  web_type: [{ ref: 'string', text: 'string' }, ['ref', 'text']],
  web_select: [{ ref: 'string', values: 'array' }, ['ref', 'values']],
  web_scroll: [{ direction: 'string', amount: 300 }, ['direction']],
  web_press_key: [{ key: 'string' }, ['key']],
  web_wait: [{ ms: 'integer', selector: 'string', text: 'string', url: 'string', timeout_ms: 5_000, poll_ms: 100 }, []],
  web_query: [{ ref: 'string', kind: 'string', max_length: 4_000 }, ['ref', 'kind']],
  web_screenshot: [{ label: 'string' }, []],
  web_eval: [{ js: 'string', max_length: 2_000 }, ['js']],
}

for (const [tool, [properties, required]] of Object.entries(parameters))
  test(`${tool} takes the documented parameters with their defaults (S2-12..S2-41)`, () => {
    const schema = schemaOf(tool)
    expect(schema.required ?? []).toEqual(required)
    for (const [name, wanted] of Object.entries(properties)) {
      const { type, default: fallback } = schema.properties[name] ?? {}
      expect(typeof wanted === 'string' ? type : fallback, name).toBe(wanted)
    }
  })

test('every schema is a flat object that rejects unknown fields (S2-08, S2-09)', () => {
  for (const { function: tool } of toOpenAI(every)) {
    expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(tool.parameters)).not.toMatch(/anyOf|oneOf|allOf|\$ref|\$schema/)
    for (const property of Object.values(tool.parameters.properties as Schema['properties']))
      expect(['string', 'integer', 'boolean', 'array'], tool.name).toContain(property.type)
  }
})

test('the tool definitions take at most 8,000 characters of a prompt', () => {
  expect(JSON.stringify(toOpenAI(every.slice(0, 21))).length).toBeLessThanOrEqual(8_000)
  expect(JSON.stringify(toOpenAI(every)).length).toBeLessThanOrEqual(8_000)
})

/** fields of which one or the other is required */
const leastOf: { readonly [name: string]: object } = { web_wait: { text: 'a' }, web_fill: { ref: 'e1', value: 'a' } }

/** an input with only the required fields */
const least = (name: string): { readonly [field: string]: unknown } => {
  const { properties, required = [] } = schemaOf(name)
  const sample = (field: string) => {
    const { type, enum: words } = properties[field] ?? {}
    return words?.[0] ?? (field === 'ref' || field === 'to' ? 'e1' : type === 'array' ? ['a'] : type === 'boolean' ? true : 'a')
  }
  return { ...Object.fromEntries(required.map(field => [field, sample(field)])), ...leastOf[name] }
}

for (const { name, verb, fields } of every)
  test(`${name} becomes ${verb} with exactly the defaults of its schema (S2-49, X2-1)`, async () => {
    const { execute, commands } = onPage()
    const input = least(name)
    const { ok } = await execute(name, input)
    expect(ok).toBe(true)
    const [command] = commands
    expect(command?.name).toBe(verb)
    const { maxChars: _, ...asked } = { ...command, ...(verb === 'snapshot' && { maxChars: 12_000 }) } as {
      [field: string]: unknown
      maxChars?: number
    }
    for (const [field, { default: fallback }] of Object.entries(schemaOf(name).properties)) {
      const reached = (fields[field] === 'maxChars' ? 12_000 : asked[fields[field] ?? '']) as unknown
      expect(reached, field).toEqual(input[field] ?? fallback)
    }
    // the command is valid for the verb
    expect(
      verbs[verb].input.safeParse(Object.fromEntries(Object.entries(command ?? {}).filter(([field]) => field !== 'name'))).success,
    ).toBe(true)
  })

for (const { name } of every)
  test(`${name} rejects an unknown field, and a missing required one, by name (S2-56, TRUST E5)`, async () => {
    const { execute, commands } = onPage()
    expect((await execute(name, { ...least(name), bogus: 1 })).text).toMatch(/^invalid_input: unknown field "bogus"/)
    for (const field of schemaOf(name).required ?? []) {
      const { [field]: _, ...rest } = least(name)
      expect((await execute(name, rest)).text).toMatch(new RegExp(`^invalid_input: ${field} is missing`))
    }
    expect(commands).toEqual([])
  })

test('web_fill accepts an empty value and keeps spaces (X2-2)', async () => {
  const { execute, commands } = onPage()
  await execute('web_fill', { ref: 'e1', value: '' })
  await execute('web_fill', { ref: 'e1', value: '  a ' })
  await execute('web_type', { ref: 'e1', text: ' ' })
  expect(commands).toMatchObject([{ value: '' }, { value: '  a ' }, { text: ' ' }])
})

test('a malformed call returns an error instead of throwing', async () => {
  const { execute } = onPage()
  for (const args of [null, 'e1', 7, [], () => 1]) expect((await execute('web_click', args)).ok).toBe(false)
  expect((await execute('web_click', null)).error?.code).toBe('invalid_input')
  for (const name of ['web_fly', '', 'toString', '__proto__']) expect((await execute(name, {})).error?.code).toBe('unsupported_action')
})

test('notes of a snapshot name the fields of the tool', async () => {
  const tools = webTools(htmlDriver(`<h1>Much</h1>${'<p>Words and more words.</p>'.repeat(50)}<a href=/>x</a>`))
  const { text } = await tools.execute('web_snapshot')
  expect(text).toContain('interactive_only=false')
  expect(text).not.toContain('interactiveOnly')
})

test('only narrows the tool list and rejects unknown names', async () => {
  const { tools, execute } = webTools(recordingDriver({ shows: () => page([]) }).run, { only: ['web_snapshot', 'web_click'] })
  expect(tools.map(({ name }) => name)).toEqual(['web_snapshot', 'web_click'])
  expect((await execute('web_open', { url: 'https://a.example/' })).error?.code).toBe('unsupported_action')
  expect(() => webToolList({ only: ['web_fly'] })).toThrow('there is no tool web_fly')
})

test('an abort signal is passed to the driver', async () => {
  const { execute } = onPage()
  expect(await execute('web_click', { ref: 'e1' }, { signal: { aborted: true } })).toMatchObject({ ok: false, error: { code: 'aborted' } })
})

test('the system prompt names only existing tools and has at most 3,000 characters (S2-58)', () => {
  const prompt = systemPrompt()
  expect(prompt.length).toBeLessThanOrEqual(3_000)
  const names = new Set(every.map(({ name }) => name))
  for (const [name] of prompt.matchAll(/\bweb_\w+/g)) expect(names).toContain(name)
  expect(prompt).not.toContain('web_eval')
  for (const [, tool, args] of prompt.matchAll(/(web_\w+) (\{.*?\})/g)) {
    const { input } = every.find(({ name }) => name === tool) ?? {}
    expect(input?.safeParse(JSON.parse(args ?? '')).success, `${tool} ${args}`).toBe(true)
  }
})

test('without crypto the word of every fence is the one that the host gives (A2)', async () => {
  vi.stubGlobal('crypto', undefined)
  const random = vi.spyOn(Math, 'random')
  try {
    let count = 0
    const shows = () => page([])
    const does = { click: () => fail('element_blocked', 'It is covered.', { page: { coveredBy: 'a dialog' } }) }
    const { execute } = webTools(recordingDriver({ shows, does }).run, { word: () => `SECRET-WORD-${++count}` })
    const texts = [
      await execute('web_snapshot', {}),
      await execute('web_click', { ref: 'e1' }),
      await execute('web_query', { ref: 'e1', kind: 'text' }),
    ]
    for (const [at, { text }] of texts.entries()) expect(text).toContain(`</page SECRET-WORD-${at + 1}>`)
    expect(random).not.toHaveBeenCalled()
  } finally {
    vi.unstubAllGlobals()
    random.mockRestore()
  }
})
