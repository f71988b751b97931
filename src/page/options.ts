import type { SnapshotOptions } from '../contract/snapshot.ts'

type Free = 'scope' | 'after' | 'bridge'
/** Options as the engine uses them: whole, within their ceilings, and never asked about again. */
export type Options = Required<Omit<SnapshotOptions, Free>> & Pick<SnapshotOptions, Free>

export const defaults: Options = {
  maxNodes: 500,
  maxVisits: 250_000,
  maxTimeMs: 2_000,
  maxTextPerNode: 200,
  maxAttrValueLen: 150,
  interactiveOnly: true,
  cursorInteractive: true,
  includeAttrs: ['href', 'type', 'name', 'value', 'placeholder', 'aria-label', 'role'],
  viewport: 'all',
  occluded: 'mark',
  includeHidden: false,
  opacityHidden: true,
  markDom: true,
  boxes: false,
}

/** the ceilings of numbers, and the words of choices; all other options follow from the type of their default */
const ranges: { readonly [name: string]: number | readonly string[] } = {
  maxNodes: 5_000,
  maxVisits: 2_000_000,
  maxTimeMs: 60_000,
  maxTextPerNode: 10_000,
  maxAttrValueLen: 10_000,
  viewport: ['all', 'visible'],
  occluded: ['mark', 'drop'],
}
const free = ['scope', 'after', 'bridge']

/** The whole options, or a sentence that names the option that is wrong. null and undefined mean the default. */
export function complete(given: unknown): Options | string {
  if (given === undefined || given === null) return defaults
  if (typeof given !== 'object' || Array.isArray(given)) return 'options must be an object'
  const options = { ...defaults } as Record<string, unknown>
  for (const name of Object.keys(given)) {
    if (!Object.keys(defaults).concat(free).includes(name)) return `unknown option "${name.slice(0, 40)}"`
    const value = (given as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    const wanted = wish(name, value)
    if (wanted) return `${name} must be ${wanted}`
    options[name] = value
  }
  return options as unknown as Options
}

/** what a value should have been; '' when it is right */
function wish(name: string, value: unknown): string {
  const range = ranges[name]
  if (typeof range === 'number')
    return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= range ? '' : `a whole number from 1 to ${range}`
  if (range) return range.includes(value as string) ? '' : range.map(word => `"${word}"`).join(' or ')
  if (name === 'includeAttrs')
    return Array.isArray(value) && value.length <= 50 && value.every(each => typeof each === 'string' && /^[A-Za-z_:][\w:.-]*$/.test(each))
      ? ''
      : 'an array of attribute names'
  if (free.includes(name)) return typeof value === 'string' && value.trim() && value.length <= 2_000 ? '' : 'a string that is not empty'
  return typeof value === 'boolean' ? '' : 'true or false'
}
