import { type Failure, failure } from '../contract/failures.ts'
import { cut } from '../engine/text.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import { cleanText } from './inline.ts'
import { isDocument } from './is-document.ts'
import { mainContent } from './main-content.ts'
import { type MarkdownResult, writeMarkdown } from './markdown.ts'
import type { ReadFormat } from './options.ts'
import { snapshotJson } from './snapshot.ts'

export interface ReadOptions {
  /** 1 … 100,000 */
  readonly limitChars?: number
  /** nextOffset of the page before */
  readonly offset?: number
  readonly format?: ReadFormat
}

export interface ReadResult {
  /** at most limitChars characters; the texts of all pages, one after the other, are the whole text */
  readonly text: string
  readonly offset: number
  /** where the next page starts; null at the end */
  readonly nextOffset: number | null
  readonly totalChars: number
  /** there is more than this: a next page, or a page of more than 2,000,000 characters */
  readonly truncated: boolean
  readonly title: string
  /** ref to href of every link of the whole text */
  readonly links: ReadonlyMap<string, string>
  readonly error?: Failure
}

const maxLimitChars = 100_000
const maxTitle = 300
const readDefaults = { limitChars: 4_000, offset: 0, format: 'markdown' } as const satisfies ReadOptions

/** The main text of a page, in pages. Never throws: what is wrong stands in `error`. */
export function read(page: string | SnapshotDocument, options: ReadOptions = {}): ReadResult {
  if (typeof page !== 'string' && !isDocument(page))
    return failedResult(failure('invalid_input', 'the page must be a string of HTML or a document of buildDocument.'))
  const whole = resolveOptions(options)
  if (typeof whole === 'string') return failedResult(failure('invalid_input', whole))
  const document = typeof page === 'string' ? buildDocument(page) : page
  const written = textOf(document, whole.format)
  if ('code' in written) return failedResult(written)
  const { text, links, capped } = written
  // a cursor of ours stands inside a pair only where a page is one character long; another's is moved in front of it
  const isMoved = whole.limitChars > 1 && isInsidePair(text, whole.offset)
  const offset = Math.min(isMoved ? whole.offset - 1 : whole.offset, text.length)
  const end = endOfPage(text, offset, whole.limitChars)
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

// a document does not change, so its next pages need not be written again; gone with the document
const textsByDocument = new WeakMap<SnapshotDocument, Map<ReadFormat, MarkdownResult>>()

function textOf(document: SnapshotDocument, format: ReadFormat): MarkdownResult | Failure {
  const texts = textsByDocument.get(document) ?? new Map<ReadFormat, MarkdownResult>()
  textsByDocument.set(document, texts)
  const before = texts.get(format)
  if (before) return before
  // numbers are given in document order at the first look: the same as every snapshot shows
  const look = snapshotJson(document, { maxNodes: 1, scopeSelector: null, after: null })
  if ('code' in look) return look
  const { dom, refs } = document.tree
  const written = writeMarkdown({ dom, refs, format, ...mainContent(document.tree) })
  texts.set(format, written)
  return written
}

/** The whole options, or what is wrong with them. */
function resolveOptions(given: unknown): Required<ReadOptions> | string {
  if (given === undefined || given === null) return readDefaults
  if (typeof given !== 'object' || Array.isArray(given)) return 'options must be an object.'
  for (const name of Object.keys(given)) if (!Object.hasOwn(readDefaults, name)) return `unknown option ${cleanText(name).slice(0, 40)}.`
  const { limitChars, offset, format } = given as { readonly [name in keyof ReadOptions]?: unknown }
  const whole = {
    limitChars: limitChars ?? readDefaults.limitChars,
    offset: offset ?? readDefaults.offset,
    format: format ?? readDefaults.format,
  }
  if (!isWhole(whole.limitChars) || whole.limitChars < 1 || whole.limitChars > maxLimitChars)
    return `limitChars must be a whole number from 1 to ${maxLimitChars}.`
  if (!isWhole(whole.offset) || whole.offset < 0) return 'offset must be a whole number from 0 up.'
  if (whole.format !== 'markdown' && whole.format !== 'text') return "format must be 'markdown' or 'text'."
  return { limitChars: whole.limitChars, offset: whole.offset, format: whole.format }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** At a line end in the last third, else between words, else anywhere but inside a surrogate pair. */
function endOfPage(text: string, offset: number, limit: number): number {
  const last = offset + limit
  if (last >= text.length) return text.length
  const page = text.slice(offset, last)
  const line = page.lastIndexOf('\n') + 1
  if (line > 0 && line * 3 >= limit * 2) return offset + line
  const word = writesSpaces(text.slice(last - 1, last + 1)) ? betweenWords(text, offset, page) : 0
  if (word > 0) return offset + word
  // a limit of one character cannot hold a pair: then going on matters more than keeping it whole
  return isInsidePair(text, last) && limit > 1 ? last - 1 : last
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const writesSpaces = (around: string): boolean => !unspaced.test(around)
/** what would be a heading, a quote, a list, a rule or a table if a page began with it */
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
  return { text: '', offset: 0, nextOffset: null, totalChars: 0, truncated: false, title: '', links: new Map(), error }
}
