/** The width of a JPEG in pixels; undefined if it is not one. */
export function jpegWidth(base64: string): number | undefined {
  const bytes = Buffer.from(base64.slice(0, headerChars), 'base64')
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at)
    if (frameMarkers.has(marker)) return bytes.readUInt16BE(at + 7)
  }
  return undefined
}

/** tables before the frame header take less than 1 kB */
const headerChars = 4_000
/** baseline, extended and progressive: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1 */
const frameMarkers: ReadonlySet<number> = new Set([0xffc0, 0xffc1, 0xffc2])
