import { expect, test } from 'vitest'
import { type FailureCode, failures } from '../../../src/contract/failures.ts'
import { say } from '../../../src/contract/message.ts'
import { fail, ok } from '../../../src/contract/run.ts'
import type { Snapshot, TruncateReason } from '../../../src/contract/snapshot.ts'
import { agentTools, browserTool, type Tool, type ToolResult, webTools } from '../../../src/tools.ts'
import { page, type Sketch, text } from '../../render/page.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const button = (n: number, more: Partial<Sketch> = {}): Sketch => ({
  tag: 'button',
  role: 'button',
  name: `Button ${n}`,
  ref: `e${n}`,
  interactive: true,
  ...more,
})
const many = (count: number, more: (n: number) => Partial<Sketch> = () => ({})) =>
  Array.from({ length: count }, (_, n) => button(n + 1, more(n + 1)))
const viewport = { viewport: { width: 1280, height: 720 } }
const left = { above: 3, below: 4, beside: 5, covered: 6, inert: 7, text: 8, frames: 9 }
const stopped = (reason: TruncateReason) => ({ stats: { truncated: true, truncateReasons: [reason], omitted: { text: 2 } } })
const alike = (count: number): Sketch => ({
  tag: 'ul',
  role: 'list',
  ref: 'e900',
  children: Array.from({ length: count }, (_, n) => ({
    tag: 'li',
    role: 'listitem',
    children: [{ ...button(n + 901), tag: 'a', role: 'link', name: `Item ${n}` }],
  })),
})
const select: Sketch = { tag: 'select', role: 'combobox', name: 'Sort', ref: 'e800', interactive: true, states: { options: 40 } }
const hrefs = many(150, n => ({ tag: 'a', role: 'link', attrs: { href: `https://a.example/${'path/'.repeat(30)}${n}` } }))

/** pages that leave something out, each in another way */
const pages: { readonly [what: string]: Snapshot } = {
  'more than there is room for': page([...many(400), text('the end')]),
  'the same on a screen': page([...many(400), text('the end')], { meta: viewport }),
  'texts without any ref': page(Array.from({ length: 300 }, (_, n) => text(`A sentence that nobody can press, number ${n}`))),
  'more above, below, beside, behind': page([...many(3), select], { meta: { ...viewport, dialog: 'e1' }, stats: { omitted: left } }),
  'lines that stand outside of the screen': page(
    many(300, n => (n > 20 ? { offset: n * 10 } : {})),
    { meta: viewport },
  ),
  'a long list': page([alike(300)], { meta: viewport }),
  'a long list without a screen': page([alike(300), ...many(20)]),
  'long addresses': page(hrefs, { meta: viewport }),
  'a page that was not walked to its end': page(many(2), stopped('maxVisits')),
  'a page that took too long': page([text('slow')], stopped('maxTime')),
  'a page with too many nodes': page(many(5), stopped('maxNodes')),
  'a page that is too large': page([text('large')], { meta: viewport, ...stopped('maxJsonBytes') }),
}

interface PrintedNote {
  readonly tool: Tool
  readonly call: string
  readonly note: string
}

/** all lines with … that the tools print for these calls on all these pages */
async function notesOf(
  tools: readonly Tool[],
  calls: readonly (readonly [string, object])[],
  answer: (shows: Snapshot) => (name: string, args: object) => Promise<ToolResult>,
): Promise<readonly PrintedNote[]> {
  const notes: PrintedNote[] = []
  for (const [what, shows] of Object.entries(pages))
    for (const [name, args] of calls) {
      const { ok: good, text: answered } = await answer(shows)(name, args)
      expect(good, `${name} ${JSON.stringify(args)}: ${answered}`).toBe(true)
      const tool = tools.find(each => each.name === name) as Tool
      for (const note of answered.split('\n').filter(line => /^\s*…/.test(line)))
        notes.push({ tool, note: note.trim(), call: `${name} ${JSON.stringify(args)} on ${what}` })
    }
  return notes
}

/** the fields that a note asks for: `after=e5`, `a larger max_chars`, `give a scope` */
const fieldsIn = (note: string) =>
  [...note.matchAll(/(\w+)=|\ba larger (\w+)|\bgive an? (\w+)|: (scope),/g)].flatMap(found => found.slice(1).filter(Boolean))

function expectFields(notes: readonly PrintedNote[]): void {
  for (const { tool, note, call } of notes) {
    for (const field of fieldsIn(note)) expect(Object.keys(tool.input.shape), `${call}: ${note}`).toContain(field)
    // option names of the renderer are not fields of a tool; in parentheses they are reasons
    expect(note.replace(/\(\w+\)/, ''), call).not.toMatch(/maxCharsTotal|maxNodes|maxVisits|maxTimeMs|limitChars|: ?$/)
  }
}

const cut = { query: () => ok({ value: 'long '.repeat(900), truncated: true }), evaluate: () => ok({ value: '"long', truncated: true }) }
const budgets = [200, 260, 320, 400, 600, 1_000, 3_000, 12_000]

test('every note of the web tools names fields of its tool', async () => {
  const calls = [
    ...budgets.flatMap(max_chars => [
      ['web_snapshot', { max_chars }] as const,
      ['web_snapshot', { max_chars, interactive_only: false, viewport: 'visible' }] as const,
    ]),
    ['web_query', { ref: 'e1', kind: 'text' }] as const,
    ['web_query', { ref: 'e1', kind: 'text', max_length: 120 }] as const,
    ['web_eval', { js: '1', max_length: 50 }] as const,
  ]
  const open = (shows: Snapshot) => webTools(recordingDriver({ shows: () => shows, does: cut }).run, { allowEval: true })
  const notes = await notesOf(open(page([])).tools, calls, shows => open(shows).execute)
  expectFields(notes)
  const fields = new Set(notes.flatMap(({ note }) => fieldsIn(note)))
  expect([...fields].sort()).toEqual(['after', 'interactive_only', 'max_chars', 'max_length', 'scope'])
})

test('every note of the agent tools names fields of its tool', async () => {
  const calls = budgets.flatMap(maxChars => [
    ['browser-snapshot', { maxChars }] as const,
    ['browser-observe', { maxChars }] as const,
    ['browser-observe', { maxChars, task: 'Button 7' }] as const,
    ['browser-extract', { maxChars, query: 'sentence' }] as const,
  ])
  const open = (shows: Snapshot) => agentTools(recordingDriver({ shows: () => shows, does: cut }).run)
  const notes = await notesOf(open(page([])).tools, calls, shows => async (name, args) => {
    const box = open(shows)
    return box.toModel(await box.execute(name, args))
  })
  expectFields(notes)
  const fields = new Set(notes.flatMap(({ note }) => fieldsIn(note)))
  expect([...fields].sort()).toEqual(['after', 'interactiveOnly', 'maxChars', 'offset', 'scope'])
})

test('every note of the browser tool names its own fields, or an alternative', async () => {
  const calls = [
    ...[1, 5, 80, 1_000].map(max_elements => ['browser', { action: 'snapshot', max_elements }] as const),
    ...['7', 'nothing like it'].map(hint => ['browser', { action: 'snapshot', hint }] as const),
    ['browser', { action: 'snapshot', hint: '7', offset: 1 }] as const,
    ['browser', { action: 'snapshot', offset: 2 }] as const,
    ['browser', { action: 'act', kind: 'query', target_id: '1' }] as const,
    ['browser', { action: 'act', kind: 'evaluate', text: '1' }] as const,
  ]
  const open = (shows: Snapshot) =>
    browserTool(
      {
        start: async () =>
          ok({ run: recordingDriver({ shows: () => shows, does: cut }).run, description: 'a test', close: async () => {} }),
      },
      { allowEval: true },
    )
  const notes = await notesOf(open(page([])).tools, calls, shows => open(shows).execute)
  expectFields(notes)
  const fields = new Set(notes.flatMap(({ note }) => fieldsIn(note)))
  expect([...fields].sort()).toEqual(['hint', 'kind', 'max_elements', 'offset', 'target_id'])
  for (const { note, call } of notes) expect(note, call).not.toMatch(/\be\d+\b/)
})

test('the offset in a note of the browser tool shows the omitted elements', async () => {
  const { execute } = browserTool({
    start: async () =>
      ok({
        run: recordingDriver({ shows: () => page(many(9, n => ({ name: n === 7 ? 'Seven' : `Other ${n}` }))) }).run,
        description: 'a test',
        close: async () => {},
      }),
  })
  const hinted = await execute('browser', { action: 'snapshot', hint: 'seven' })
  const offset = Number(/offset=(\d+)/.exec(hinted.text)?.[1])
  const rest = await execute('browser', { action: 'snapshot', hint: 'seven', offset })
  const numbers = [...`${hinted.text}\n${rest.text}`.matchAll(/^\[(\d+)\] button/gm)].map(found => Number(found[1]))
  expect(numbers.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('every failure hint names existing fields and tools', async () => {
  for (const code of Object.keys(failures) as FailureCode[]) {
    const { run } = recordingDriver({ shows: () => page([]), does: { select: () => fail(code, say`${{ ref: 'e1' }} did not take it.`) } })
    const web = await webTools(run).execute('web_select', { ref: 'e1', values: ['a'] })
    const agent = await agentTools(run).execute('browser-act', { action: 'select', ref: 'e1', values: ['a'] })
    const one = browserTool({ start: async () => ok({ run, description: 'a test', close: async () => {} }) })
    const browser = await one.execute('browser', { action: 'act', kind: 'select', target_id: '1', values: ['a'] })
    for (const error of [web.error, agent.error, browser.error]) expect(error?.code).toBe(code)
    // hints about scope and accept appear only in tools that have such a field
    if (code !== 'scope_not_found') expect(browser.error?.hint).not.toMatch(/\b(scope|accept)\b/)
    expect(agent.error?.hint).not.toMatch(/\baccept\b/)
    for (const [, field = ''] of (browser.error?.hint ?? '').matchAll(/(\w+)=/g))
      expect(Object.keys(one.tools[0]?.input.shape ?? {}), browser.text).toContain(field)
    expect(browser.text).toMatch(new RegExp(`^${code}: \\[1\\] did not take it\\.`))
  }
})
