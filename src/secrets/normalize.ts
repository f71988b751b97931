/** Text in a form in which all spellings of a secret are equal, and where each of its characters is in the original text. */
export interface NormalizedText {
  readonly text: string
  /** start and end of each character in the original */
  readonly starts: ArrayLike<number>
  readonly ends: ArrayLike<number>
}

const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const controls: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const escapes =
  /(?:%[\da-f]{2})+|&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));|\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|(["'\\/nrtbf]))/gi
/** people and pages group digits with these, URLs write a space as +, and the last ones are not visible */
const separator = /[\s+\-._/\u00ad\u061c\u200b-\u200f\u2060\ufeff]/
/** %252F is / too */
const maxPasses = 4

/**
 * Decodes the escapes of URLs, HTML and JSON, lowers the case, and drops spaces, hyphens, dots, underscores and slashes: `4111-1111`,
 * `4111+1111` and `4111 1111` become the same text. Takes time in proportion to the length of the text.
 */
export function normalize(original: string): NormalizedText {
  let now: NormalizedText = identity(original)
  for (let pass = 0; pass < maxPasses && /[%&\\]/.test(now.text); pass++) {
    const decoded = decode(now)
    if (decoded.text === now.text) break
    now = decoded
  }
  return fold(now)
}

function identity(text: string): NormalizedText {
  const starts = new Int32Array(text.length)
  const ends = new Int32Array(text.length)
  for (let at = 0; at < text.length; at++) {
    starts[at] = at
    ends[at] = at + 1
  }
  return { text, starts, ends }
}

function decode({ text, starts, ends }: NormalizedText): NormalizedText {
  const parts: string[] = []
  const newStarts: number[] = []
  const newEnds: number[] = []
  const push = (part: string, from: number, to: number) => {
    parts.push(part)
    for (let i = 0; i < part.length; i++) {
      newStarts.push(starts[from] as number)
      newEnds.push(ends[to - 1] as number)
    }
  }
  const keep = (from: number, to: number) => {
    parts.push(text.slice(from, to))
    for (let i = from; i < to; i++) {
      newStarts.push(starts[i] as number)
      newEnds.push(ends[i] as number)
    }
  }
  let done = 0
  for (const match of text.matchAll(escapes)) {
    const { 0: whole, index } = match
    keep(done, index)
    done = index + whole.length
    if (whole[0] !== '%') push(decodeEscape(match), index, done)
    else for (const { bytes, character } of decodePercent(whole)) push(character, done - whole.length + bytes * 3, done)
  }
  keep(done, text.length)
  return { text: parts.join(''), starts: newStarts, ends: newEnds }
}

function decodeEscape([, decimal, hex, name, unit, point, byte, simple]: RegExpMatchArray): string {
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? unit ?? point ?? byte ?? '', 16)
  if (name) return entities[name.toLowerCase()] ?? ''
  if (simple) return controls[simple.toLowerCase()] ?? simple
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** The characters of %E2%82%AC…, each with the index of its first byte; a byte that is not UTF-8 is a separate character. */
function* decodePercent(run: string): Generator<{ readonly bytes: number; readonly character: string }> {
  const count = run.length / 3
  for (let at = 0; at < count; ) {
    const lead = Number.parseInt(run.slice(at * 3 + 1, at * 3 + 3), 16)
    const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    let character = String.fromCharCode(lead)
    let used = 1
    if (length === 1 ? lead < 0x80 : at + length <= count)
      try {
        character = decodeURIComponent(run.slice(at * 3, (at + length) * 3))
        used = length
      } catch {
        // not UTF-8
      }
    yield { bytes: at, character }
    at += used
  }
}

/** for each code unit below 128 what it becomes; '' for a separator */
const folded: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const unit = String.fromCharCode(code)
  return separator.test(unit) ? '' : unit.toLowerCase()
})

function foldUnit(unit: string): string {
  if (separator.test(unit)) return ''
  const lower = unit.toLowerCase()
  return lower.length === 1 ? lower : unit
}

function fold({ text, starts, ends }: NormalizedText): NormalizedText {
  let result = ''
  const newStarts = new Int32Array(text.length)
  const newEnds = new Int32Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const unit = folded[text.charCodeAt(i)] ?? foldUnit(text[i] as string)
    if (unit === '') continue
    newStarts[result.length] = starts[i] as number
    newEnds[result.length] = ends[i] as number
    result += unit
  }
  return { text: result, starts: newStarts, ends: newEnds }
}
