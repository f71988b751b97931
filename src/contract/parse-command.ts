import type { z } from 'zod'
import { isVerbName, type ParsedCommand, type VerbName, verbs } from './commands.ts'
import { type Failure, type FailureCode, failure } from './failures.ts'
import { normalizeRef } from './refs.ts'

type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure }
type Fields = { readonly [field: string]: unknown }

/** A verb and what a caller wrote, made a command: defaults filled in, refs spelled one way. What is wrong is named by its field. */
export function parseCommand(name: unknown, given: unknown = {}): Checked<ParsedCommand> {
  if (!isVerbName(name)) return refuse('unsupported_action', `there is no ${shown(name)}; there are ${Object.keys(verbs).join(', ')}.`)
  const read = readFields(verbs[name].input, given, name)
  return read.ok ? complete(name, read.value) : read
}

/** Fields as a schema wants them. `what` is how the caller knows the thing that takes them. */
export function readFields<S extends z.ZodObject>(schema: S, given: unknown, what: string): Checked<z.output<S>> {
  const fields = lenient(given ?? {})
  if (fields === undefined) return refuse('invalid_input', `the arguments of ${what} must be an object.`)
  const read = schema.safeParse(fields)
  if (read.success) return { ok: true, value: read.data }
  // a field that is misspelled is missing too: the spelling says more
  const { issues } = read.error
  return complaint((issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]) as z.core.$ZodIssue, {
    what,
    fields,
    takes: Object.keys(schema.shape),
  })
}

/** The rules that tie fields together. `spell` says how the caller writes a field. */
export function complete(name: VerbName, fields: Fields, spell: (field: string) => string = field => field): Checked<ParsedCommand> {
  const whole: { [field: string]: unknown } = { ...fields }
  for (const field of ['ref', 'to', 'after']) {
    if (whole[field] === undefined) continue
    const ref = normalizeRef(whole[field])
    if (ref === null) return refuse('invalid_ref', `${spell(field)} is ${shown(whole[field])}, which is not a ref.`)
    whole[field] = ref
  }
  if (name === 'wait') {
    const wrong = waitsFor(whole, spell)
    if (wrong) return refuse('invalid_wait', wrong)
    // who names an element and nothing more waits to see it
    if (whole.ref !== undefined) whole.state ??= 'visible'
  }
  if (name === 'tabs' && (whole.operation === 'select' || whole.operation === 'close') && whole.tab === undefined)
    return refuse('invalid_input', `${spell('tab')} is missing: ${whole.operation} needs the id of a tab.`)
  return { ok: true, value: { ...whole, name } as ParsedCommand }
}

const conditions = ['ms', 'selector', 'text', 'textGone', 'url', 'load', 'networkIdle', 'domStable', 'ref']

function waitsFor(fields: Fields, spell: (field: string) => string): string {
  const given = conditions.filter(field => fields[field] !== undefined)
  if (fields.state !== undefined && fields.ref === undefined) return `${spell('state')} needs a ref.`
  if (given.length > 1) return `${given.map(spell).join(' and ')} are ${given.length} conditions, and one call waits for one.`
  return given.length === 0 ? 'there is no condition to wait for.' : ''
}

// C1 and C11: a number is a ref too, and kinds have the spellings of all documents
function lenient(given: unknown): Fields | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const fields: { [field: string]: unknown } = { ...given }
  for (const field of ['ref', 'to', 'after', 'scope', 'target_id'])
    if (typeof fields[field] === 'number') fields[field] = `${fields[field]}`
  if (fields.request !== undefined) fields.request = lenient(fields.request) ?? fields.request
  if (typeof fields.kind === 'string') fields.kind = kinds[fields.kind.toLowerCase()] ?? fields.kind
  return fields
}

const kinds: { readonly [spelling: string]: string } = {
  text: 'text',
  html: 'html',
  outerhtml: 'outerHTML',
  outer_html: 'outerHTML',
  value: 'value',
  attr: 'attrs',
  attrs: 'attrs',
  attributes: 'attrs',
  computed_styles: 'computed_styles',
  computedstyles: 'computed_styles',
  isvisible: 'isvisible',
  isenabled: 'isenabled',
  ischecked: 'ischecked',
  box: 'box',
}

type Asked = { readonly what: string; readonly fields: Fields; readonly takes: readonly string[] }

function complaint(issue: z.core.$ZodIssue, { what, fields, takes }: Asked): Checked<never> {
  const field = String(issue.path[0] ?? '')
  if (issue.code === 'unrecognized_keys')
    return refuse('invalid_input', `unknown field ${shown(issue.keys[0])}: ${what} takes ${takes.join(', ') || 'no arguments'}.`)
  if (fields[field] === undefined) return refuse('invalid_input', `${field} is missing: it must be ${expected(issue)}.`)
  return refuse(codeOf(field, issue), `${issue.path.join('.')} must be ${expected(issue)}.`)
}

/** what is wrong with these has a code of its own; a limit out of its range has not */
const codes: { readonly [field: string]: FailureCode } = {
  text: 'invalid_text',
  value: 'invalid_text',
  url: 'invalid_url',
  key: 'invalid_key',
}

function codeOf(field: string, issue: z.core.$ZodIssue): FailureCode {
  if (field === 'kind' && issue.code === 'invalid_value') return 'unsupported_query'
  if (issue.code === 'invalid_type') return codes[field] ?? 'invalid_input'
  return 'invalid_input'
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return types[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small') return `at least ${issue.minimum}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}`
  return issue.message
}

const types: { readonly [type: string]: string } = {
  string: 'a string',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  array: 'a list of strings',
  object: 'an object',
}

const shown = (value: unknown): string => JSON.stringify(String(value).slice(0, 40))
const refuse = (code: FailureCode, message: string): Checked<never> => ({ ok: false, error: failure(code, message) })
