import { type Failure, failure } from '../contract/failures.ts'
import { maxChars, minChars, type SnapshotFormat } from '../contract/limits.ts'

export type ReadFormat = 'markdown' | 'text'

/** The options of document 001, with its names and defaults. */
export interface SnapshotOptions {
  readonly maxCharsTotal?: number
  readonly maxNodes?: number
  readonly maxDepth?: number
  readonly maxTextPerNode?: number
  readonly interactiveOnly?: boolean
  readonly includeAttrs?: readonly string[] | ReadonlySet<string>
  /** any CSS selector; the first element it names is the root of the snapshot */
  readonly scopeSelector?: string | null
  readonly outputFormat?: SnapshotFormat | 'PLAIN_TEXT_TREE'
  /** text that repeats what the line above it says is left out */
  readonly dedupeText?: boolean
  /** ref after which to go on */
  readonly after?: string | null
  /** elements that count as controls besides those that are, and elements that do not; CSS selectors */
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

/** The whole options, or which one is wrong. null and undefined mean the default. */
export function resolveOptions(given: unknown): ResolvedSnapshotOptions | Failure {
  if (given === undefined || given === null) return snapshotDefaults
  if (typeof given !== 'object' || Array.isArray(given)) return invalidOption('options', 'an object')
  const whole: Record<string, unknown> = { ...snapshotDefaults }
  for (const [name, value] of Object.entries(given)) {
    if (!(name in snapshotDefaults)) return failure('invalid_input', `unknown option "${name.slice(0, 40)}".`)
    if (value === undefined || value === null) continue
    const wanted = expectedValue(name, value)
    if (wanted) return invalidOption(name, wanted)
    whole[name] =
      name === 'includeAttrs' ? [...(value as Iterable<string>)] : name === 'outputFormat' && value === 'PLAIN_TEXT_TREE' ? 'lines' : value
  }
  return whole as unknown as ResolvedSnapshotOptions
}

export const isFailure = (options: ResolvedSnapshotOptions | Failure): options is Failure => 'code' in options

const invalidOption = (name: string, wanted: string): Failure => failure('invalid_input', `${name} must be ${wanted}.`)

function expectedValue(name: string, value: unknown): string {
  if (name === 'maxCharsTotal') return isWhole(value, minChars, maxChars) ? '' : `a whole number from ${minChars} to ${maxChars}`
  if (/^max/.test(name)) return isWhole(value, 1, 100_000) ? '' : 'a whole number from 1 to 100000'
  if (name === 'interactiveOnly' || name === 'dedupeText') return typeof value === 'boolean' ? '' : 'true or false'
  if (name === 'outputFormat') return formats.includes(value as string) ? '' : `one of ${formats.join(', ')}`
  if (name === 'includeAttrs') return areNames(value) ? '' : 'a list or set of attribute names'
  if (name === 'candidates') return isCandidates(value) ? '' : 'an object with the selectors include and exclude'
  return typeof value === 'string' && value.trim() !== '' ? '' : 'a string that is not empty'
}

const isWhole = (value: unknown, least: number, most: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
const areNames = (value: unknown) =>
  (Array.isArray(value) || value instanceof Set) &&
  [...value].every(name => typeof name === 'string' && /^[a-z_:][a-z0-9_:.-]*$/.test(name))
const isCandidates = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([key, selector]) => (key === 'include' || key === 'exclude') && typeof selector === 'string')
