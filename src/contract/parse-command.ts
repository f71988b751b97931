import type { z } from 'zod'
import { isVerbName, type ParsedCommand, type VerbName, verbs } from './commands.ts'
import { type Failure, type FailureCode, failure } from './failures.ts'
import { term } from './message.ts'
import { queryKinds, spellQueryKind, waitConditionNames } from './page-api.ts'
import { normalizeRef } from './refs.ts'
import type { AnyCommand } from './run.ts'

/**
 * A parsed value, or the failure that explains what is wrong.
 *
 * @example
 * const parsed: ParseResult<ParsedCommand> = parseCommand({ name: 'back' })
 */
export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure }
type Fields = { readonly [field: string]: unknown }

/**
 * How a caller refers to a command and its fields, so that an error message uses the caller's own words.
 *
 * @example
 * parseCommand(command, { label: 'act fill', spell: field => (field === 'value' ? 'text' : field) })
 */
export interface ParseOptions {
  /** @default the name of the verb */
  readonly label?: string
  /** Undefined for a field that the caller does not have. @default the name of the field */
  readonly spell?: (field: string) => string | undefined
  /** The verbs to accept. @default every verb of the table */
  readonly accept?: { readonly [name: string]: unknown }
}

/** Commands that were made here, so that a command that passes several rooms is checked once. */
const parsed = new WeakSet<object>()

/**
 * Checks a command and fills in its defaults; refs are normalized to `e12` or `f1e3`. Every driver calls this first.
 * An error names the field that is wrong.
 *
 * @example
 * const parsed = parseCommand({ name: 'click', ref: '[12]' })
 * if (parsed.ok) console.log(parsed.value) // { name: 'click', ref: 'e12' }
 */
export function parseCommand(command: unknown, options: ParseOptions = {}): ParseResult<ParsedCommand> {
  const { name, ...given } = (isObject(command) ? command : {}) as AnyCommand
  const { accept = verbs } = options
  if (!isVerbName(name) || !Object.hasOwn(accept, name)) {
    const why = isVerbName(name)
      ? `${name} is composed of other verbs by the tools and methods, not by a driver`
      : `there is no verb ${shown(name)}`
    return refuse('unsupported_action', `${why}; the verbs are ${Object.keys(accept).join(', ')}.`)
  }
  if (parsed.has(command as object)) return { ok: true, value: command as ParsedCommand }
  const read = parseFields(verbs[name].input, given, { label: name, ...options })
  return read.ok ? toCommand(name, read.value, options) : read
}

/** Fields as a schema describes them; for tools, which have their own schemas. */
export function parseFields<S extends z.ZodObject>(
  schema: S,
  given: unknown,
  { label = 'this', spell = same }: ParseOptions = {},
): ParseResult<z.output<S>> {
  const fields = lenient(given ?? {}, schema)
  if (fields === undefined) return refuse('invalid_input', `the arguments of ${label} must be an object.`)
  const read = schema.safeParse(fields)
  if (read.success) return { ok: true, value: read.data }
  // a misspelled field is reported as unknown and as missing: the spelling is the better message
  const { issues } = read.error
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  return refuseIssue(issue as z.core.$ZodIssue, { fields, label, spell, known: Object.keys(schema.shape) })
}

/** A command from fields whose types are right: applies the rules that involve several fields, and normalizes refs. */
export function toCommand(name: VerbName, given: Fields, { spell = same }: ParseOptions = {}): ParseResult<ParsedCommand> {
  const fields: { [field: string]: unknown } = { ...given }
  const word = (field: string) => spell(field) ?? field
  for (const field of ['ref', 'to', 'after', 'mark']) {
    if (fields[field] === undefined) continue
    const ref = normalizeRef(fields[field])
    if (ref === null) return refuse('invalid_ref', `${word(field)} is ${shown(fields[field])}, which is not a ref.`, field)
    fields[field] = ref
  }
  if (name === 'fillForm') {
    const form = fields.fields as ParsedCommand<'fillForm'>['fields']
    if (form.length === 0) return refuse('invalid_input', `${word('fields')} is empty: give at least one field.`, 'fields')
    const wrong = form.find(({ ref }) => normalizeRef(ref) === null)
    if (wrong) return refuse('invalid_ref', `${word('fields')} has the ref ${shown(wrong.ref)}, which is not a ref.`, 'fields')
    fields.fields = form.map(field => ({ ...field, ref: normalizeRef(field.ref) }))
  }
  if (name === 'wait') {
    const problem = waitProblem(fields, word)
    if (problem) return refuse('invalid_wait', problem)
    // an element without a state is waited for until it is visible
    if (fields.ref !== undefined) fields.state ??= 'visible'
  }
  if (name === 'tabs' && fields.operation === 'select' && fields.tab === undefined)
    return refuse('invalid_input', `${word('tab')} is missing: select needs the id of a tab.`, 'tab')
  const command = { ...fields, name } as ParsedCommand
  parsed.add(command)
  return { ok: true, value: command }
}

/** Of these fields a wait takes exactly one. */
export const waitConditions = ['ms', ...waitConditionNames] as const

function waitProblem(fields: Fields, word: (field: string) => string): string {
  const given = waitConditions.filter(field => fields[field] !== undefined)
  if (fields.state !== undefined && fields.ref === undefined) return `${word('state')} needs a ref.`
  if (given.length > 1) return `${given.map(word).join(' and ')} are ${given.length} conditions, and one call waits for one.`
  return given.length === 0 ? 'there is no condition to wait for.' : ''
}

// C1 and C11: a number is a ref too, numbers and booleans may be written as strings, and query kinds in the spellings of all vocabularies;
// null for an optional field is not given, since OpenAI's strict mode makes a model write every field
function lenient(given: unknown, schema?: z.ZodObject): Fields | undefined {
  if (!isObject(given)) return undefined
  const fields: { [field: string]: unknown } = { ...given }
  for (const field of ['ref', 'to', 'after', 'mark', 'scope', 'target_id'])
    if (typeof fields[field] === 'number') fields[field] = `${fields[field]}`
  if (Array.isArray(fields.fields)) fields.fields = fields.fields.map(lenientField)
  for (const [field, type] of Object.entries<z.ZodType>(schema?.shape ?? {})) {
    const value = fields[field]
    if (value === undefined || (value === null && isOptional(type))) delete fields[field]
    else fields[field] = lenientValue(value, unwrap(type))
  }
  if (typeof fields.kind === 'string') {
    const kind = spellQueryKind(fields.kind)
    if (queryKinds.some(each => each === kind)) fields.kind = kind
  }
  return fields
}

function lenientValue(value: unknown, type: z.ZodType): unknown {
  if (type.def.type === 'object') return lenient(value, type as z.ZodObject) ?? value
  if (type.def.type !== 'array' || !Array.isArray(value)) return fromString(value, type.def.type)
  const element = unwrap((type as z.ZodArray<z.ZodType>).element)
  return element.def.type === 'object' ? value.map(each => lenient(each, element as z.ZodObject) ?? each) : value
}

const isOptional = (type: z.ZodType): boolean => type.safeParse(undefined).success

/** On a command line a field is written as e3=tea. */
function lenientField(field: unknown): unknown {
  const [, ref, value] = (typeof field === 'string' && /^([^=]+)=(.*)$/s.exec(field)) || []
  if (ref !== undefined) return { ref, value }
  const given = lenient(field)
  return given && typeof given.value === 'boolean' ? { ...given, value: `${given.value}` } : (given ?? field)
}

/** The value that a string represents where the schema wants a number or a boolean: models write "5" for 5. */
function fromString(value: unknown, type: string): unknown {
  if (typeof value !== 'string') return value
  if (type === 'number' && /^-?\d{1,15}$/.test(value)) return Number(value)
  return type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value
}

/** The type behind `.optional()` and `.default()`. */
function unwrap(type: z.ZodType): z.ZodType {
  const { innerType } = type.def as { readonly innerType?: z.ZodType }
  return innerType ? unwrap(innerType) : type
}

interface IssueContext extends Required<Pick<ParseOptions, 'label' | 'spell'>> {
  readonly fields: Fields
  readonly known: readonly string[]
}

function refuseIssue(issue: z.core.$ZodIssue, { fields, label, spell, known }: IssueContext): ParseResult<never> {
  const [field = '', ...path] = issue.path.map(String)
  const word = spell(field) ?? field
  if (issue.code === 'unrecognized_keys') {
    const taken = [...new Set(known.flatMap(each => spell(each) ?? []))]
    const message = `unknown field ${shown(issue.keys[0])}: ${label} takes ${taken.join(', ') || 'no arguments'}.`
    return refuse('invalid_input', message, issue.keys[0])
  }
  if (fields[field] === undefined) return refuse('invalid_input', `${word} is missing: it must be ${expected(issue)}.`, field)
  return refuse(codeOf(field, issue), `${[word, ...path].join('.')} must be ${expected(issue)}.`, field)
}

/** Fields whose wrong type has its own code; a value out of range has not. */
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
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small') return `at least ${issue.minimum}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}`
  return issue.message
}

const typeNames: { readonly [type: string]: string } = {
  string: 'a string',
  int: 'a whole number',
  number: 'a whole number',
  boolean: 'true or false',
  array: 'a list of strings',
  object: 'an object',
}

const same = (field: string): string => field
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const shown = (value: unknown): string => JSON.stringify(String(value).slice(0, 40))
const refuse = (code: FailureCode, message: string, field?: string): ParseResult<never> => ({
  ok: false,
  error: failure(code, term(message), { field }),
})
