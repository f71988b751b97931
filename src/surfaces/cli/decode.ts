/**
 * Decodes an HTML file by its byte order mark, else by the encoding that it declares, else as UTF-8.
 * https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, prescanBytes)).toString('latin1')
  const label = byteOrderMarks.find(([mark]) => head.startsWith(mark))?.[1] ?? declaredEncoding(head)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes) // the encoding is unknown
  }
}

const prescanBytes = 1_024
const byteOrderMarks = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
] as const

function declaredEncoding(head: string): string | undefined {
  const label = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1]
  // the declaration itself was readable as ASCII, so the file is not UTF-16
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}
