/** UTF-8 without Node and without the DOM. */
export const toBytes = (text: string): number[] =>
  Array.from(decodeBytes(encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))), unit => unit.charCodeAt(0))

function decodeBytes(encoded: string): string {
  return encoded.replace(/%([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 without padding. */
export function toBase64(bytes: readonly number[]): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(i, i + 3)
    const group = (a << 16) | (b << 8) | c
    const units = [group >> 18, (group >> 12) & 63, (group >> 6) & 63, group & 63].map(each => alphabet[each] as string)
    text += units.slice(0, Math.min(3, bytes.length - i) + 1).join('')
  }
  return text
}

/**
 * What Base64 makes of a text that is part of a longer one: the result depends on its position modulo three, and the characters at both
 * ends also on its neighbors, so they are left out.
 */
export function base64Fragments(text: string): string[] {
  const bytes = toBytes(text)
  return [0, 1, 2].map(offset => {
    const units = toBase64([...Array<number>(offset).fill(0), ...bytes])
    const first = Math.ceil((offset * 4) / 3)
    const last = Math.floor(((offset + bytes.length) * 8) / 6)
    return units.slice(first, last)
  })
}

export const toHex = (text: string): string =>
  toBytes(text)
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
/** the codes of the characters, as `90 113 55` */
export const toDecimal = (text: string): string => toBytes(text).join(' ')
export const toRot13 = (text: string): string =>
  text.replace(/[a-z]/gi, letter => {
    const first = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })
export const reversed = (text: string): string => [...text].reverse().join('')
