import type { SnapshotOptions } from '../contract/snapshot.ts'

/** Options as the engine uses them: whole, within their ceilings, and never asked about again. */
export type Options = Required<Omit<SnapshotOptions, 'scope' | 'after' | 'bridge'>> & Pick<SnapshotOptions, 'scope' | 'after' | 'bridge'>

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

type Rule = (value: unknown) => string | null

const whole =
  (most: number): Rule =>
  value =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most ? null : `a whole number from 1 to ${most}`
const flag: Rule = value => (typeof value === 'boolean' ? null : 'true or false')
const oneOf =
  (...words: string[]): Rule =>
  value =>
    words.indexOf(value as string) >= 0 ? null : words.map(word => `"${word}"`).join(' or ')
const text: Rule = value =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 2_000 ? null : 'a string that is not empty'
const names: Rule = value =>
  Array.isArray(value) && value.length <= 50 && value.every(name => typeof name === 'string' && /^[A-Za-z_:][\w:.-]*$/.test(name))
    ? null
    : 'an array of attribute names'

const rules: { readonly [name in keyof SnapshotOptions]-?: Rule } = {
  maxNodes: whole(5_000),
  maxVisits: whole(2_000_000),
  maxTimeMs: whole(60_000),
  maxTextPerNode: whole(10_000),
  maxAttrValueLen: whole(10_000),
  interactiveOnly: flag,
  cursorInteractive: flag,
  includeAttrs: names,
  scope: text,
  after: text,
  viewport: oneOf('all', 'visible'),
  occluded: oneOf('mark', 'drop'),
  includeHidden: flag,
  opacityHidden: flag,
  markDom: flag,
  boxes: flag,
  bridge: text,
}

/** The whole options, or a sentence that names the option that is wrong. null and undefined mean the default. */
export function complete(given: unknown): Options | string {
  if (given === undefined || given === null) return defaults
  if (typeof given !== 'object' || Array.isArray(given)) return 'options must be an object'
  const options: Record<string, unknown> = { ...defaults }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rules, name)) return `unknown option ${JSON.stringify(name.slice(0, 40))}`
    const value = (given as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    const wanted = rules[name as keyof SnapshotOptions](value)
    if (wanted) return `${name} must be ${wanted}`
    options[name] = value
  }
  return options as unknown as Options
}
