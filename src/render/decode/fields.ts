import type { NodeStates, SnapshotNode } from '../../contract/snapshot.ts'
import { cut } from '../../contract/text.ts'

// A page may send any type in any field. Each function reads one kind of field; a value of another type is treated as absent.

export type UntypedObject = { readonly [key: string]: unknown }

export const objectOf = (value: unknown): UntypedObject => (isObject(value) ? value : {})
export const isObject = (value: unknown): value is UntypedObject => typeof value === 'object' && value !== null && !Array.isArray(value)

export const maxLengths = { text: 10_000, attribute: 4_000, url: 4_000, title: 1_000, state: 1_000, message: 1_000 } as const

export const textField = (value: unknown, maxLength: number): string => (typeof value === 'string' ? cut(value, maxLength) : '')
/** Words of the page. Direction marks only matter to a screen: escaped they would be noise, and no other character is dropped. */
export const wordsField = (value: unknown, maxLength: number): string => textField(value, maxLength).replace(/[\u061c\u200e\u200f]/g, '')
export const countField = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : undefined
export const pixelField = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < 1e9 ? Math.round(value) : undefined

const refForm = /^(f\d{1,9})?e\d{1,9}$/
export const refField = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 24 && refForm.test(value) ? value : undefined

// a line has its role or tag without quotes, so it must be one plain word
const plainWord = /^[a-z][a-z0-9._:-]{0,39}$/i
export const roleField = (value: unknown): string => (typeof value === 'string' && plainWord.test(value) ? value : 'generic')
export const tagField = (value: unknown): string =>
  typeof value === 'string' && (value === '#text' || plainWord.test(value)) ? value : 'unknown'

const attributeNameForm = /^[a-z][a-z0-9_.:-]{0,63}$/i
export function attributeFields(value: unknown): { readonly [name: string]: string } {
  const given = objectOf(value)
  const kept: { [name: string]: string } = {}
  for (const name of Object.keys(given).slice(0, 20)) {
    const text = given[name]
    if (attributeNameForm.test(name) && typeof text === 'string') kept[name.toLowerCase()] = cut(text, maxLengths.attribute)
  }
  return kept
}

export function hintField(value: unknown): SnapshotNode['hint'] {
  const { text, from } = objectOf(value)
  const source = oneOf('label', 'title', 'tooltip', 'action', 'svg', 'class', 'id', 'src', 'column', 'row', 'position')(from)
  return typeof text === 'string' && text !== '' && source ? { text: cut(text, maxLengths.state), from: source } : undefined
}

export function boxField(value: unknown): SnapshotNode['box'] {
  if (!Array.isArray(value) || value.length !== 4) return undefined
  const [x, y, width, height] = value.map(pixelField)
  return x === undefined || y === undefined || width === undefined || height === undefined ? undefined : [x, y, width, height]
}

export function stateFields(value: unknown): NodeStates | undefined {
  if (!isObject(value)) return undefined
  const kept: { [name: string]: unknown } = {}
  for (const name of Object.keys(value).slice(0, 40)) {
    const state = isStateName(name) ? stateReaders[name](value[name]) : undefined
    if (state !== undefined) kept[name] = state
  }
  return Object.keys(kept).length > 0 ? (kept as NodeStates) : undefined
}

export const trueField = (value: unknown): true | undefined => (value === true ? true : undefined)
export const booleanField = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)
export const tristateField = (value: unknown): boolean | 'mixed' | undefined => (value === 'mixed' ? value : booleanField(value))
const stateText = (value: unknown): string | undefined => (typeof value === 'string' ? cut(value, maxLengths.state) : undefined)
const oneOf =
  <const T>(...known: T[]) =>
  (value: unknown): T | undefined =>
    known.find(each => each === value)

const stateReaders: { readonly [Name in keyof NodeStates]-?: (value: unknown) => NodeStates[Name] | undefined } = {
  checked: tristateField,
  selected: booleanField,
  expanded: booleanField,
  pressed: tristateField,
  stateFrom: oneOf('class', 'data-state', 'attribute'),
  disabled: trueField,
  readonly: trueField,
  required: trueField,
  invalid: oneOf<true | 'grammar' | 'spelling'>(true, 'grammar', 'spelling'),
  current: oneOf<true | 'page' | 'step' | 'location' | 'date' | 'time'>(true, 'page', 'step', 'location', 'date', 'time'),
  haspopup: oneOf('menu', 'listbox', 'tree', 'grid', 'dialog'),
  level: countField,
  range: stateText,
  size: stateText,
  scrolls: oneOf('down', 'up', 'up and down'),
  options: countField,
  multiple: trueField,
  editable: trueField,
  focused: trueField,
  modal: trueField,
  covered: stateText,
  inert: trueField,
  hidden: stateText,
  from: stateText,
  unreachable: stateText,
}
const stateNames = new Set(Object.keys(stateReaders))
const isStateName = (name: string): name is keyof NodeStates => stateNames.has(name)
