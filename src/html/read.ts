import { type Failure, failure } from '../contract/failures.ts'
import { quoted, say, term } from '../contract/message.ts'
import { cut } from '../engine/text.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import { cleanText } from './inline.ts'
import { isDocument } from './is-document.ts'
import { mainContent } from './main-content.ts'
import { type MarkdownResult, writeMarkdown } from './markdown.ts'
import { type ReadFormat, spellUnchanged } from './options.ts'
import { snapshotJson } from './snapshot.ts'

/**
 * The options of `read`.
 *
 * @example
 * const options: ReadOptions = { limitChars: 10_000, format: 'text' }
 */
export interface ReadOptions {
  /** The maximum length of a page of text, from 1 to 100,000 characters. @default 4000 */
  readonly limitChars?: number
  /** Where to start: the `nextOffset` of the previous page. @default 0 */
  readonly offset?: number
  /** @default 'markdown' */
  readonly format?: ReadFormat
}

/**
 * One page of the main text of a document.
 *
 * @example
 * const { text, links }: ReadResult = read('<p>See the <a href="/cart">cart</a>.')
 * console.log(text) // See the [cart](@e1).
 * console.log(links.e1) // /cart
 */
export interface ReadResult {
  /** At most `limitChars` characters. The texts of all pages joined are the whole text. */
  readonly text: string
  readonly offset: number
  /** Where the next page starts; null at the end. */
  readonly nextOffset: number | null
  /** The length of the whole text. */
  readonly totalChars: number
  /** Whether there is more: a next page, or a text that was cut at 2,000,000 characters. */
  readonly truncated: boolean
  readonly title: string
  /** The `href` of every link in the whole text that has a ref, by ref. */
  readonly links: { readonly [ref: string]: string }
  readonly error?: Failure
}

const maxLimitChars = 100_000
const maxTitle = 300
const readDefaults = { limitChars: 4_000, offset: 0, format: 'markdown' } as const satisfies ReadOptions

/**
 * Reads the main text of a page as Markdown or plain text, one part at a time. Never throws: `error` says what is wrong.
 *
 * @example
 * const document = buildDocument(html)
 * for (let offset: number | null = 0; offset !== null; ) {
 *   const page = read(document, { offset })
 *   console.log(page.text)
 *   offset = page.nextOffset
 * }
 */
export function read(page: string | SnapshotDocument, options: ReadOptions = {}): ReadResult {
  if (typeof page !== 'string' && !isDocument(page))
    return failedResult(failure('invalid_input', 'the page must be a string of HTML or a document of buildDocument.'))
  const resolved = resolveOptions(options, typeof page === 'string' ? undefined : page.spell)
  if ('code' in resolved) return failedResult(resolved)
  const document = typeof page === 'string' ? buildDocument(page) : page
  const written = textOf(document, resolved.format)
  if ('code' in written) return failedResult(written)
  const { text, links, capped } = written
  // a nextOffset is inside a surrogate pair only if limitChars is 1; any other offset inside one is moved to its start
  const isMoved = resolved.limitChars > 1 && isInsidePair(text, resolved.offset)
  const offset = Math.min(isMoved ? resolved.offset - 1 : resolved.offset, text.length)
  const end = endOfPage(text, offset, resolved.limitChars)
  const nextOffset = end < text.length ? end : null
  return {
    text: text.slice(offset, end),
    offset,
    nextOffset,
    totalChars: text.length,
    truncated: nextOffset !== null || capped,
    title: cut(cleanText(document.title).trim(), maxTitle),
    links,
  }
}

// a document does not change, so its text is written once for all pages; garbage collected with the document
const textsByDocument = new WeakMap<SnapshotDocument, Map<ReadFormat, MarkdownResult>>()

function textOf(document: SnapshotDocument, format: ReadFormat): MarkdownResult | Failure {
  const texts = textsByDocument.get(document) ?? new Map<ReadFormat, MarkdownResult>()
  textsByDocument.set(document, texts)
  const cached = texts.get(format)
  if (cached) return cached
  // the first snapshot numbers all elements in document order, so the refs are those of every other snapshot
  const json = snapshotJson(document, { maxNodes: 1, scopeSelector: null, after: null })
  if ('code' in json) return json
  const { dom, refs } = document.tree
  const written = writeMarkdown({ dom, refs, format, ...mainContent(document.tree) })
  texts.set(format, written)
  return written
}

/** Fills in the defaults, or fails with the option that is wrong. */
function resolveOptions(given: unknown, spell = spellUnchanged): Required<ReadOptions> | Failure {
  if (given === undefined || given === null) return readDefaults
  if (typeof given !== 'object' || Array.isArray(given)) return failure('invalid_input', 'options must be an object.')
  const unknown = Object.keys(given).find(name => !Object.hasOwn(readDefaults, name))
  if (unknown !== undefined) {
    const name = cleanText(unknown).slice(0, 40)
    return failure('invalid_input', say`unknown option ${quoted(name, 40)}.`, { field: name })
  }
  const options = given as { readonly [name in keyof ReadOptions]?: unknown }
  const limitChars = options.limitChars ?? readDefaults.limitChars
  const offset = options.offset ?? readDefaults.offset
  const format = options.format ?? readDefaults.format
  const refuse = (name: keyof ReadOptions, expected: string) =>
    failure('invalid_input', say`${term(spell(name))} must be ${term(expected)}.`, { field: name })
  if (!isWhole(limitChars) || limitChars < 1 || limitChars > maxLimitChars)
    return refuse('limitChars', `a whole number from 1 to ${maxLimitChars}`)
  if (!isWhole(offset) || offset < 0) return refuse('offset', 'a whole number from 0 up')
  if (format !== 'markdown' && format !== 'text') return refuse('format', "'markdown' or 'text'")
  return { limitChars, offset, format }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** A page ends at a line end in its last third, else between words, else anywhere but inside a surrogate pair. */
function endOfPage(text: string, offset: number, limit: number): number {
  const last = offset + limit
  if (last >= text.length) return text.length
  const page = text.slice(offset, last)
  const line = page.lastIndexOf('\n') + 1
  if (line > 0 && line * 3 >= limit * 2) return offset + line
  const word = writesSpaces(text.slice(last - 1, last + 1)) ? betweenWords(text, offset, page) : 0
  if (word > 0) return offset + word
  // a limit of one character cannot hold a pair, which is then split so that reading can continue
  return isInsidePair(text, last) && limit > 1 ? last - 1 : last
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const writesSpaces = (around: string): boolean => !unspaced.test(around)
/** Text that would become a heading, a quote, a list, a rule or a table at the start of a page. */
const structure = /^(#|>|[-+*=|~:_]|\d{1,9}[.)])/
const maxTries = 50

function betweenWords(text: string, offset: number, page: string): number {
  let word = Math.max(page.lastIndexOf(' '), page.lastIndexOf('\n')) + 1
  for (let i = 0; i < maxTries && word > 0; i++) {
    const at = offset + word
    if (page[word - 1] === '\n' || !structure.test(text.slice(at, at + 12))) return word
    word = word < 2 ? 0 : Math.max(page.lastIndexOf(' ', word - 2), page.lastIndexOf('\n', word - 2)) + 1
  }
  return 0
}

const isInsidePair = (text: string, at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1))

function failedResult(error: Failure): ReadResult {
  return { text: '', offset: 0, nextOffset: null, totalChars: 0, truncated: false, title: '', links: {}, error }
}
