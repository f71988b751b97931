import type { Dom } from '../engine/dom.ts'
import type { Refs } from '../engine/refs.ts'
import { tidy } from '../engine/text.ts'
import { htmlDom } from './dom.ts'
import type { SnapshotOptions } from './options.ts'
import { createTreeRefs } from './refs.ts'
import { flattenShadows } from './shadow.ts'
import { type Element, isElement, type Node, parseTree } from './tree.ts'

/** A parsed page: parsed once, looked at as often as one likes. Its refs stay as long as it does. */
export interface SnapshotDocument {
  readonly inputChars: number
  readonly title: string
  /** what snapshot and query use where they are given none */
  readonly options: SnapshotOptions
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

/** Takes any string: what is not HTML is text in a body, as in a browser. */
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
