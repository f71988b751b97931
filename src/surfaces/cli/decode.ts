/** The text of a file: a byte order mark decides, then what the page says of itself, then UTF-8. https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding */
export function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, prescanned)).toString('latin1')
  const label = marks.find(([mark]) => head.startsWith(mark))?.[1] ?? declared(head)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes) // an encoding that does not exist
  }
}

const prescanned = 1_024
const marks = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
] as const

function declared(head: string): string | undefined {
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1]
  // whoever could write that in ASCII did not write UTF-16
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}
