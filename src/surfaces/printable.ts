// C0 except tab and newline, DEL, C1, bidi controls, line separators, and the high surrogate of tag characters with what follows it
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\udb40[\udc00-\udfff]/g

/**
 * Escapes what a terminal would obey or a reader would not see: a page could write to the clipboard with an escape sequence (TRUST A1).
 * JSON stays the same JSON, because the escapes are those of its strings.
 */
export const printable = (text: string): string =>
  text.replace(unsafe, units => Array.from({ length: units.length }, (_, at) => hex(units.charCodeAt(at))).join(''))

const hex = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
