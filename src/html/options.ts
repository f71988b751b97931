import { type Failure, failure } from '../contract/failures.ts'
import { maxChars, minChars, type SnapshotFormat } from '../contract/limits.ts'
import { quoted, say, term } from '../contract/message.ts'

export type ReadFormat = 'markdown' | 'text'

/** Returns the caller's name of an option, for error messages. */
export type SpellOption = (option: string) => string

/** Names an option as the library does. */
export const spellUnchanged: SpellOption = option => option

/**
 * The options of a snapshot. `null` and `undefined` mean the default.
 *
 * @example
 * const options: SnapshotOptions = { interactiveOnly: false, scopeSelector: 'main', maxCharsTotal: 4_000 }
 */
export interface SnapshotOptions {
  /** The maximum length of the text, from 200 to 100,000 characters. @default 12000 */
  readonly maxCharsTotal?: number
  /** The maximum number of elements in the text. @default 200 */
  readonly maxNodes?: number
  /** The maximum depth of nesting in the text. @default 12 */
  readonly maxDepth?: number
  /** The maximum length of the text of one element. @default 200 */
  readonly maxTextPerNode?: number
  /** Whether to leave out text, headings and tables and to show controls only. @default true */
  readonly interactiveOnly?: boolean
  /** The attributes to show. @default ['href', 'type', 'name', 'value', 'placeholder', 'aria-label', 'role'] */
  readonly includeAttrs?: readonly string[] | ReadonlySet<string>
  /** A CSS selector or a ref; the first element that matches is the root of the snapshot. @default null (the whole page) */
  readonly scopeSelector?: string | null
  /** `PLAIN_TEXT_TREE` means `lines`. @default 'lines' */
  readonly outputFormat?: SnapshotFormat | 'PLAIN_TEXT_TREE'
  /** Whether to leave out text that repeats the line above it. @default true */
  readonly dedupeText?: boolean
  /** The ref after which to continue. @default null (start at the beginning) */
  readonly after?: string | null
  /** CSS selectors of elements to treat as controls (`include`) and not to treat as controls (`exclude`). @default {} */
  readonly candidates?: { readonly include?: string; readonly exclude?: string }
}

export type ResolvedSnapshotOptions = {
  readonly [name in Exclude<keyof SnapshotOptions, 'includeAttrs' | 'outputFormat' | 'candidates'>]-?: NonNullable<
    SnapshotOptions[name]
  > | null
} & {
  readonly maxCharsTotal: number
  readonly maxNodes: number
  readonly maxDepth: number
  readonly maxTextPerNode: number
  readonly interactiveOnly: boolean
  readonly dedupeText: boolean
  readonly includeAttrs: readonly string[]
  readonly outputFormat: SnapshotFormat
  readonly candidates: { readonly include?: string; readonly exclude?: string }
}

/**
 * The default of each option of a snapshot.
 *
 * @example
 * const page = snapshot(html, { maxNodes: snapshotDefaults.maxNodes * 2 })
 */
export const snapshotDefaults: ResolvedSnapshotOptions = {
  maxCharsTotal: 12_000,
  maxNodes: 200,
  maxDepth: 12,
  maxTextPerNode: 200,
  interactiveOnly: true,
  includeAttrs: ['href', 'type', 'name', 'value', 'placeholder', 'aria-label', 'role'],
  scopeSelector: null,
  outputFormat: 'lines',
  dedupeText: true,
  after: null,
  candidates: {},
}

const formats = ['lines', 'tree', 'flat', 'json', 'PLAIN_TEXT_TREE']

/** Fills in the defaults, or fails with the option that is wrong. */
export function resolveOptions(given: unknown, spell = spellUnchanged): ResolvedSnapshotOptions | Failure {
  if (given === undefined || given === null) return snapshotDefaults
  if (typeof given !== 'object' || Array.isArray(given)) return failure('invalid_input', 'options must be an object.')
  const resolved: Record<string, unknown> = { ...snapshotDefaults }
  for (const [name, value] of Object.entries(given)) {
    if (!(name in snapshotDefaults)) return failure('invalid_input', say`unknown option ${quoted(name, 40)}.`, { field: name.slice(0, 40) })
    if (value === undefined || value === null) continue
    const expected = expectedValue(name, value)
    if (expected) return failure('invalid_input', say`${term(spell(name))} must be ${term(expected)}.`, { field: name })
    resolved[name] =
      name === 'includeAttrs' ? [...(value as Iterable<string>)] : name === 'outputFormat' && value === 'PLAIN_TEXT_TREE' ? 'lines' : value
  }
  return resolved as unknown as ResolvedSnapshotOptions
}

export const isFailure = (options: ResolvedSnapshotOptions | Failure): options is Failure => 'code' in options

/** What the value of an option must be; '' if the value is valid. */
function expectedValue(name: string, value: unknown): string {
  if (name === 'maxCharsTotal') return isWhole(value, minChars, maxChars) ? '' : `a whole number from ${minChars} to ${maxChars}`
  if (/^max/.test(name)) return isWhole(value, 1, 100_000) ? '' : 'a whole number from 1 to 100000'
  if (name === 'interactiveOnly' || name === 'dedupeText') return typeof value === 'boolean' ? '' : 'true or false'
  if (name === 'outputFormat') return formats.includes(value as string) ? '' : `one of ${formats.join(', ')}`
  if (name === 'includeAttrs') return areNames(value) ? '' : 'a list or set of attribute names'
  if (name === 'candidates') return isCandidates(value) ? '' : 'an object with the selectors include and exclude'
  return typeof value === 'string' && value.trim() !== '' ? '' : 'a non-empty string'
}

const isWhole = (value: unknown, min: number, max: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
const areNames = (value: unknown) =>
  (Array.isArray(value) || value instanceof Set) &&
  [...value].every(name => typeof name === 'string' && /^[a-z_:][a-z0-9_:.-]*$/.test(name))
const isCandidates = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([key, selector]) => (key === 'include' || key === 'exclude') && typeof selector === 'string')
