import { type Failure, failure } from '../../contract/failures.ts'
import { maxChars, minChars, type RenderOptions, renderDefaults } from '../../contract/limits.ts'
import { say, term } from '../../contract/message.ts'
import { isObject } from '../decode/fields.ts'
import { maxDecodedDepth, maxDecodedNodes } from '../decode/tree.ts'
import type { Dialect } from './dialect.ts'
import { quote } from './quote.ts'

/** Complete options within their range. */
export interface ResolvedRenderOptions extends Required<RenderOptions> {
  /** options that were lowered to their maximum, in words */
  readonly lowered: readonly string[]
  /** whether the caller left it to its default */
  isDefault(name: keyof RenderOptions): boolean
}

/** The options with their defaults, or a failure that names the wrong one as the caller spells it. */
export function resolveOptions(given: unknown = {}, dialect?: Dialect): ResolvedRenderOptions | Failure {
  if (!isObject(given)) return failure('invalid_input', 'options must be an object.')
  const resolved: { [name: string]: unknown } = { ...renderDefaults }
  const lowered: string[] = []
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!names.includes(name)) return failure('invalid_input', term(unknownOption(name)))
    const expected = expectedValue(name, value)
    if (expected)
      return failure(
        'invalid_input',
        say`${term((name === 'maxCharsTotal' && dialect?.option('maxChars')) || name)} must be ${term(expected)}.`,
      )
    const max = maxValues[name]
    if (max !== undefined && Number(value) > max) lowered.push(`${name} is ${max} at most`)
    resolved[name] = max === undefined ? value : Math.min(Number(value), max)
  }
  return { ...(resolved as unknown as Required<RenderOptions>), lowered, isDefault: name => given[name] === undefined }
}

export const isFailure = (options: ResolvedRenderOptions | Failure): options is Failure => 'code' in options

const names = Object.keys(renderDefaults)
const unknownOption = (name: string) => `${quote(name, 40)} is not an option; there are ${names.join(', ')}.`

const formats = ['tree', 'lines', 'flat', 'json']
const maxValues: { readonly [name: string]: number } = {
  maxCharsTotal: maxChars,
  maxNodes: maxDecodedNodes,
  maxDepth: maxDecodedDepth,
  maxTextPerNode: 10_000,
}

/** '' if the value is right, else what it should be */
function expectedValue(name: string, value: unknown): string {
  if (name === 'format') return formats.includes(value as string) ? '' : `one of ${formats.join(', ')}`
  if (typeof renderDefaults[name as keyof RenderOptions] === 'boolean') return typeof value === 'boolean' ? '' : 'true or false'
  const min = name === 'maxCharsTotal' ? minChars : 1
  return Number.isInteger(value) && Number(value) >= min ? '' : `a whole number from ${min} up`
}
