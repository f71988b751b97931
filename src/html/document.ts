import type { Dom } from '../engine/dom.ts'
import type { Refs } from '../engine/refs.ts'
import { tidy } from '../engine/text.ts'
import { htmlDom } from './dom.ts'
import type { SnapshotOptions, SpellOption } from './options.ts'
import { createTreeRefs } from './refs.ts'
import { flattenShadows } from './shadow.ts'
import { type Element, isElement, type Node, parseTree } from './tree.ts'

/**
 * A parsed page, for any number of snapshots, reads and queries. Its refs stay valid as long as it exists.
 *
 * @example
 * const document: SnapshotDocument = buildDocument('<title>Shop</title><button>Buy</button>')
 * console.log(document.title) // Shop
 */
export interface SnapshotDocument {
  /** The length of the HTML. */
  readonly inputChars: number
  readonly title: string
  /** The options of snapshots, and of the snapshot that numbers the refs of a query; an option of a call overrides them. */
  readonly options: SnapshotOptions
  /** @internal How an error message writes the name of an option; by its own name if this is missing. */
  readonly spell?: SpellOption
  /** @internal */
  readonly tree: Tree
}

/** @internal */
export interface Tree {
  readonly html: Element
  readonly body: Element
  readonly dom: Dom<Node>
  readonly refs: Refs<Node>
}

/**
 * Parses a page. Accepts any string: text without markup becomes the text of the body, as in a browser.
 *
 * @example
 * const document = buildDocument(html, { interactiveOnly: false })
 * console.log(snapshot(document).snapshotText)
 * console.log(read(document).text)
 */
export function buildDocument(html: string, options: SnapshotOptions = {}): SnapshotDocument {
  const source = typeof html === 'string' ? html : ''
  const root = parseTree(source)
  const shadowed = /shadowrootmode/i.test(source) ? flattenShadows(root) : noShadows
  const body = (root.childNodes.find(child => child.nodeName === 'body' || child.nodeName === 'frameset') ?? root) as Element
  return {
    inputChars: source.length,
    title: titleOf(root),
    options,
    tree: { html: root, body, dom: htmlDom(root, shadowed), refs: createTreeRefs() },
  }
}

const noShadows: ReadonlySet<Element> = new Set()

function titleOf(root: Element): string {
  const head = root.childNodes.find(child => child.nodeName === 'head') as Element | undefined
  const title = head?.childNodes.find(child => child.nodeName === 'title') as Element | undefined
  return tidy((title?.childNodes ?? []).map(child => ('value' in child && !isElement(child as Node) ? child.value : '')).join(''))
}
