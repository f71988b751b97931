// Here and not in render/, because the message of every failure passes through `inline`.
export { cut } from './text.ts'

/**
 * The only way in which text of the page enters text for a model: JSON.parse(quote(s)) === s unless it is cut.
 * With `max` the result has at most max + 2 characters; a cut is marked with … and never falls inside an escape or a surrogate pair.
 */
export function quote(text: string, max = Number.POSITIVE_INFINITY): string {
  if (text.length <= max && (plain.test(text) || !unsafe.test(text))) return `"${text}"`
  return `"${escapeWithin(text, max, escapeUnit)}"`
}

/**
 * Escapes one of our sentences: one line, quotes stay as they are, and one that is open where the sentence is cut is closed. Text of the page
 * needs `quote`.
 */
export function inline(text: string, max = Number.POSITIVE_INFINITY): string {
  const write = (unit: string) => (unit === '"' || unit === '\\' ? unit : escapeUnit(unit))
  const line = escapeWithin(text, max, write)
  const isCut = text.length > max || (line.endsWith('…') && line !== escapeWithin(text, Number.POSITIVE_INFINITY, write))
  if (!isCut || !isOpen(line)) return line
  const shorter = escapeWithin(text, max - 1, write)
  // a backslash alone would escape the quote
  return isOpen(shorter) ? `${shorter.replace(/\\*…$/, end => (end.length % 2 ? end : end.slice(1)))}"` : shorter
}

/** Whether a line has a quote that is not closed. */
const isOpen = (line: string): boolean => line.replace(/\\[\s\S]/g, '').split('"').length % 2 === 0

/** most text: ASCII without quotes, backslashes and brackets, which one range per character tells */
const plain = /^[ !#-Z^-~]*$/

// C0, C1, soft hyphen, fillers, bidi controls, zero-width and line separators, annotations, non-characters, every surrogate (pairs are
// checked one by one), and text that would look like a ref
const unsafe =
  /["\\\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]|\u034f|\u17b4|\u17b5|\[[rR][eE][fF]=/

const units = /[\ud800-\udbff][\udc00-\udfff]|\[[rR][eE][fF]=|[\s\S]/g
/** the units that may need an escape */
const escapable = new RegExp(`[\\ud800-\\udbff][\\udc00-\\udfff]|${unsafe.source}`, 'g')

function escapeWithin(text: string, max: number, write: (unit: string) => string): string {
  if (max < 1) return ''
  const complete = text.length > max ? '' : text.replace(escapable, write)
  if (text.length <= max && complete.length <= max) return complete
  // every unit writes at least one character, so nothing beyond max can be shown
  const head = text.length > max ? text.slice(0, max) : text
  if (!unsafe.test(head)) return `${head.slice(0, max - 1)}…`
  let out = ''
  let fits = 0
  for (const [unit] of head.matchAll(units)) {
    out += write(unit)
    if (out.length < max) fits = out.length
    if (out.length > max) break
  }
  return `${out.slice(0, fits)}…`
}

const shortEscapes: { readonly [unit: string]: string } = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeUnit(unit: string): string {
  // the tag block and the variation selectors behind it (U+E0000-E03FF) are invisible and can carry a whole message
  if (unit.length === 2) return unit.charCodeAt(0) === 0xdb40 ? hex(unit.charCodeAt(0)) + hex(unit.charCodeAt(1)) : unit
  if (unit.length > 2) return `${unit.slice(0, -1)}\\u003d`
  return unsafe.test(unit) ? (shortEscapes[unit] ?? hex(unit.charCodeAt(0))) : unit
}

const hex = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
