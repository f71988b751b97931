import { type Failure, failure } from '../../contract/failures.ts'
import { maxChars, minChars, type RenderOptions, renderDefaults } from '../../contract/limits.ts'
import { isBag } from '../decode/fields.ts'
import { mostDepth, mostNodes } from '../decode/tree.ts'
import { quote } from './quote.ts'

/** Options as the renderer works with them: whole, within their range, with a note for each that had to be lowered. */
export interface Limits extends Required<RenderOptions> {
  readonly lowered: readonly string[]
}

/** Completes the options, or names the field that is wrong. */
export function limits(given: unknown = {}): Limits | Failure {
  if (!isBag(given)) return failure('invalid_input', 'options must be an object.')
  const whole: { [name: string]: unknown } = { ...renderDefaults }
  const lowered: string[] = []
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!names.includes(name)) return failure('invalid_input', unknownOption(name))
    const wrong = check(name, value)
    if (wrong) return failure('invalid_input', `${name} must be ${wrong}.`)
    const most = ceilings[name]
    if (most !== undefined && Number(value) > most) lowered.push(`${name} is ${most} at most`)
    whole[name] = most === undefined ? value : Math.min(Number(value), most)
  }
  return { ...(whole as unknown as Required<RenderOptions>), lowered }
}

export const isFailure = (limits: Limits | Failure): limits is Failure => 'code' in limits

const names = Object.keys(renderDefaults)
const unknownOption = (name: string) => `${quote(name, 40)} is not an option; there are ${names.join(', ')}.`

const formats = ['tree', 'lines', 'flat', 'json']
const ceilings: { readonly [name: string]: number } = {
  maxCharsTotal: maxChars,
  maxNodes: mostNodes,
  maxDepth: mostDepth,
  maxTextPerNode: 10_000,
}

function check(name: string, value: unknown): string {
  if (name === 'format') return formats.includes(value as string) ? '' : `one of ${formats.join(', ')}`
  if (name === 'compact') return typeof value === 'boolean' ? '' : 'true or false'
  const least = name === 'maxCharsTotal' ? minChars : 1
  return Number.isInteger(value) && Number(value) >= least ? '' : `a whole number from ${least} up`
}
