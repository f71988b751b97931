import { type Failure, failure } from '../contract/failures.ts'
import { maxChars } from '../contract/limits.ts'
import { quoted, say, term } from '../contract/message.ts'
import { normalizeRef } from '../contract/refs.ts'
import { escapeHtml, objectWithin, rawTextTags, redactAttribute, voidTags } from '../engine/markup.ts'
import { redacted } from '../engine/secrets.ts'
import { cut, textBelow } from '../engine/text.ts'
import { buildDocument, type SnapshotDocument } from './document.ts'
import { isDocument } from './is-document.ts'
import { type SnapshotOptions, spellUnchanged } from './options.ts'
import { snapshotJson } from './snapshot.ts'
import { type Element, isElement, type Node } from './tree.ts'

/**
 * What a query reads of an element: its text, its attributes or its markup.
 *
 * @example
 * const kind: RefQueryKind = 'ATTR'
 */
export type RefQueryKind = 'TEXT' | 'ATTR' | 'OUTER_HTML'

/**
 * The answer to a query.
 *
 * @example
 * const { value, truncated, error }: RefQueryResult = queryRef('<a href="/cart">Cart</a>', 'e1', 'ATTR')
 * console.log(error ? error.message : value) // {"href":"/cart"}
 */
export interface RefQueryResult {
  readonly ref: string
  readonly kind: RefQueryKind
  /** At most `limitChars` characters. Attributes are a JSON object, which is cut only between two attributes. */
  readonly value: string
  /** Whether the value was cut. */
  readonly truncated: boolean
  readonly error?: Failure
}

/** The accepted spellings of a kind, in lower case. */
const kinds: { readonly [spelling: string]: RefQueryKind } = {
  text: 'TEXT',
  attr: 'ATTR',
  attrs: 'ATTR',
  outer_html: 'OUTER_HTML',
  outerhtml: 'OUTER_HTML',
  html: 'OUTER_HTML',
}

/**
 * Reads one element of a document by its ref. `kind` is a `RefQueryKind` in any case; `limitChars` is 4,000 by default.
 * Never throws: `error` says what is wrong.
 *
 * @example
 * const document = buildDocument('<a href="/cart">Cart</a>')
 * console.log(query(document, 'e1', 'TEXT').value) // Cart
 */
export function query(document: SnapshotDocument, givenRef: string, givenKind: string, limitChars = 4_000): RefQueryResult {
  // callers without types may pass anything, and not everything can be converted to a string
  const [ref, kind] = [givenRef, givenKind].map(each => (typeof each === 'string' ? each : typeof each)) as [string, string]
  const name = normalizeRef(typeof givenRef === 'number' ? givenRef : ref)
  const spelling = kind.toLowerCase()
  const known = Object.hasOwn(kinds, spelling) ? kinds[spelling] : undefined
  const refuse = (error: Failure): RefQueryResult => ({
    ref: name ?? ref.slice(0, 40),
    kind: known ?? 'TEXT',
    value: '',
    truncated: false,
    error,
  })
  if (!isDocument(document)) return refuse(failure('invalid_input', 'the page must be a document of buildDocument.'))
  if (!name) return refuse(failure('invalid_ref', say`not a ref: ${quoted(ref, 40)}.`, { field: 'ref' }))
  if (!known)
    return refuse(failure('unsupported_query', say`unknown kind ${quoted(kind, 40)}: use text, attr or outer_html.`, { field: 'kind' }))
  const { spell = spellUnchanged } = document
  if (!Number.isInteger(limitChars) || limitChars < 1)
    return refuse(failure('invalid_input', say`${term(spell('limitChars'))} must be a whole number from 1 up.`, { field: 'limitChars' }))
  const error = ensureRefs(document)
  if (error) return refuse(error)
  const node = document.tree.refs.find(name)
  if (!node || !isElement(node)) return refuse(failure('ref_not_found', say`${{ ref: name }} is not in this page.`, { field: 'ref' }))
  return { ref: name, kind: known, ...answers[known](document, node, Math.min(limitChars, maxChars)) }
}

/**
 * Reads one element of a string of HTML by its ref. Refs depend on the options of the snapshot, so pass the same `options` here.
 *
 * @example
 * const html = '<h1>Shop</h1><button>Buy</button>'
 * console.log(queryRef(html, 'e1', 'OUTER_HTML').value) // <button>Buy</button>
 */
export function queryRef(html: string, ref: string, kind: string, limitChars = 4_000, options: SnapshotOptions = {}): RefQueryResult {
  return query(buildDocument(html, options), ref, kind, limitChars)
}

/** Numbers a document of which no snapshot was taken, by its own options. Returns the failure if these are invalid. */
function ensureRefs(document: SnapshotDocument): Failure | undefined {
  const { scopeSelector, after } = document.options
  if (!scopeSelector && !after && document.tree.refs.find('e1')) return undefined
  const json = snapshotJson(document, { maxNodes: 1 })
  return 'code' in json ? json : undefined
}

type QueryAnswer = Pick<RefQueryResult, 'value' | 'truncated'>

const answers: { readonly [kind in RefQueryKind]: (document: SnapshotDocument, element: Element, limit: number) => QueryAnswer } = {
  TEXT: ({ tree: { dom } }, element, limit) => {
    const text = textBelow(dom, element, { shown: each => !dom.hidden(each), max: limit + 1 })
    return { value: cut(text, limit), truncated: text.length > limit }
  },
  ATTR: (document, element, limit) => objectWithin(attributesOf(document, element), limit, JSON.stringify),
  OUTER_HTML: (document, element, limit) => {
    const html = outerHtml(document, element, limit)
    return { value: cut(html, limit), truncated: html.length > limit }
  },
}

function* attributesOf({ tree: { dom } }: SnapshotDocument, element: Element): Generator<[string, string]> {
  for (const { name, prefix, value } of element.attrs)
    yield [prefix ? `${prefix}:${name}` : name, redactAttribute(name, value, () => dom.secret(element))]
}

/** The markup of an element; stops as soon as it is longer than the limit. */
function outerHtml(document: SnapshotDocument, root: Element, limit: number): string {
  let html = ''
  const stack: (Node | string)[] = [root]
  for (let next = stack.pop(); next !== undefined && html.length <= limit; next = stack.pop()) {
    if (typeof next === 'string') html += next
    else if (!isElement(next)) html += isRaw(next) ? next.value : escapeHtml(document.tree.dom.drawn(next))
    else {
      html += `<${next.tagName}`
      for (const [name, value] of attributesOf(document, next)) html += ` ${name}="${escapeHtml(value)}"`
      html += '>'
      if (voidTags.test(next.tagName)) continue
      stack.push(`</${next.tagName}>`)
      if (rawTextTags.test(next.tagName)) continue
      if (next.tagName === 'textarea' && document.tree.dom.secret(next)) stack.push(redacted)
      else
        for (let i = next.childNodes.length - 1; i >= 0; i--)
          if (next.childNodes[i]?.nodeName !== '#comment') stack.push(next.childNodes[i] as Node)
    }
  }
  return html
}

// https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments
const isRaw = ({ parentNode }: Exclude<Node, Element>) => parentNode !== null && /^(plaintext|script|style|xmp)$/.test(parentNode.nodeName)
