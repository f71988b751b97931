// What is typed into a page may be a secret. Until the page shows it, logs, events and requests have a mark in its place.

export const typedMark = '[typed]'

const typedFields = new Set(['value', 'text', 'values', 'key'])
/** Enter and Control+a are named keys; a single letter is part of a text */
const isNamedKey = (key: unknown): boolean => typeof key === 'string' && [...key].length > 1

/** Whether an argument is text for the page. */
export const isTyped = (field: string, value: unknown): boolean => typedFields.has(field) && !(field === 'key' && isNamedKey(value))

type Fields = { readonly [field: string]: unknown }

/** The arguments of a command without typed text, also in the fields of a form and in the actions of a call. */
export const withoutTyped = <Command extends Fields>(fields: Command): Command =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, isTyped(field, value) ? typedMark : shown(value)])) as Command

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown)
  return typeof value === 'object' && value !== null ? withoutTyped(value as Fields) : value
}
