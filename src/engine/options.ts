import type { PageSnapshotOptions } from '../contract/snapshot.ts'

type Free = 'scope' | 'after' | 'bridge'
/** Options as the engine uses them: whole, within their ceilings, and never asked about again. */
export type Options = Required<Omit<PageSnapshotOptions, Free>> & Pick<PageSnapshotOptions, Free>

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

const choices: { readonly [name: string]: readonly string[] } = { viewport: ['all', 'visible'], occluded: ['mark', 'drop'] }
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

/** what a value should have been; '' when it is right. No limit can be raised to more than ten times its default. */
function wish(name: string, value: unknown): string {
  const normal = defaults[name as keyof Options]
  const most = Number(normal) * 10
  const choice = choices[name]
  if (typeof normal === 'number')
    return Number.isInteger(value) && (value as number) > 0 && (value as number) <= most ? '' : `a whole number from 1 to ${most}`
  if (choice) return choice.includes(value as string) ? '' : choice.join(' or ')
  if (name === 'includeAttrs')
    return Array.isArray(value) && value.every(each => /^[a-z_:][a-z0-9_:.-]*$/.test(each)) ? '' : 'a list of attribute names'
  const wanted = typeof normal === 'boolean' ? 'boolean' : 'string'
  return typeof value === wanted && value !== '' ? '' : `a ${wanted}`
}
