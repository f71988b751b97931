/**
 * The one way in which a string of the page enters text for a model: JSON.parse(quote(s)) === s as long as nothing is cut.
 * With `max` the result has at most max + 2 characters; a cut is marked with … and never falls inside an escape or a surrogate pair.
 */
export function quote(text: string, max = Number.POSITIVE_INFINITY): string {
  if (text.length <= max && !unsafe.test(text)) return `"${text}"`
  return `"${written(text, max, escaped)}"`
}

/** The same for our own sentences that carry words of the page, such as an error message: one line, quotes stay as they are. */
export function inline(text: string, max = Number.POSITIVE_INFINITY): string {
  return written(text, max, unit => (unit === '"' || unit === '\\' ? unit : escaped(unit)))
}

/** At most `max` characters of a text, the cut marked and not inside a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = isHigh(text.charCodeAt(max - 2)) ? max - 2 : max - 1
  return `${text.slice(0, Math.max(0, end))}…`
}

// C0, C1, soft hyphen, fillers, bidi controls, zero-width and line separators, annotations, non-characters, and every surrogate
// (pairs are looked at one by one); and what would read as a ref of ours
const unsafe =
  /["\\\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]|\u034f|\u17b4|\u17b5|\[[rR][eE][fF]=/

const units = /[\ud800-\udbff][\udc00-\udfff]|\[[rR][eE][fF]=|[\s\S]/g
/** the units that are not written as they are */
const special = new RegExp(`[\\ud800-\\udbff][\\udc00-\\udfff]|${unsafe.source}`, 'g')

function written(text: string, max: number, write: (unit: string) => string): string {
  if (max < 1) return ''
  const whole = text.length > max ? '' : text.replace(special, write)
  if (text.length <= max && whole.length <= max) return whole
  // every unit writes at least one character, so what lies beyond max cannot be shown
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

const short: { readonly [unit: string]: string } = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escaped(unit: string): string {
  // the tag block and the variation selectors behind it (U+E0000-E03FF) are invisible and can carry a whole message
  if (unit.length === 2) return unit.charCodeAt(0) === 0xdb40 ? hex(unit.charCodeAt(0)) + hex(unit.charCodeAt(1)) : unit
  if (unit.length > 2) return `${unit.slice(0, -1)}\\u003d`
  return unsafe.test(unit) ? (short[unit] ?? hex(unit.charCodeAt(0))) : unit
}

const hex = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
