import type { PageSnapshotOptions } from '../contract/snapshot.ts'

type OptionalName = 'scope' | 'after' | 'refsAfter' | 'bridge'
/** Snapshot options with all defaults filled in and all limits checked. */
export type EngineOptions = Required<Omit<PageSnapshotOptions, OptionalName>> & Pick<PageSnapshotOptions, OptionalName>

export const defaultOptions: EngineOptions = {
  maxNodes: 500,
  maxVisits: 250_000,
  maxTimeMs: 2_000,
  maxTextPerNode: 200,
  maxAttrValueLen: 150,
  interactiveOnly: true,
  cursorInteractive: true,
  includeAttrs: ['href', 'type', 'name', 'value', 'placeholder', 'aria-label', 'role'],
  viewport: 'all',
  order: 'importance',
  occluded: 'mark',
  includeHidden: false,
  opacityHidden: true,
  markDom: true,
  boxes: false,
}

/** reading a page from its start needs whole paragraphs, including those of a license or a log */
export const maxTextToRead = 10_000

const allowedValues: { readonly [name: string]: readonly string[] } = {
  viewport: ['all', 'visible'],
  order: ['importance', 'document'],
  occluded: ['mark', 'drop'],
}
const optionalNames = ['scope', 'after', 'refsAfter', 'bridge']

/** Fills in the defaults (also for null and undefined), or returns a message that names the invalid option. */
export function resolveOptions(input: unknown): EngineOptions | string {
  const given = input ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) return 'options must be an object'
  const options = { ...defaultOptions } as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (!Object.keys(defaultOptions).concat(optionalNames).includes(name)) return `unknown option "${name.slice(0, 40)}"`
    const value = (given as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    const expected = expectedValue(name, value)
    if (expected) return `${name} must be ${expected}`
    options[name] = value
  }
  if (options.order === 'document' && !('maxTextPerNode' in given)) options.maxTextPerNode = maxTextToRead
  return options as unknown as EngineOptions
}

/** What the value of an option must be; '' if it is valid. A limit can be at most ten times its default. */
function expectedValue(name: string, value: unknown): string {
  const fallback = defaultOptions[name as keyof EngineOptions]
  const max = Number(fallback) * 10
  const allowed = allowedValues[name]
  if (name === 'refsAfter') return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1e8 ? '' : 'a whole number'
  if (typeof fallback === 'number')
    return Number.isInteger(value) && (value as number) > 0 && (value as number) <= max ? '' : `a whole number from 1 to ${max}`
  if (allowed) return allowed.includes(value as string) ? '' : allowed.join(' or ')
  if (name === 'includeAttrs')
    return Array.isArray(value) && value.every(each => /^[a-z_:][a-z0-9_:.-]*$/.test(each)) ? '' : 'a list of attribute names'
  const type = typeof fallback === 'boolean' ? 'boolean' : 'string'
  return typeof value === type && value !== '' ? '' : `a ${type}`
}
