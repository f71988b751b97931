import type { Detail } from './detail.ts'
import { tree } from './formats/tree.ts'
import type { RenderNode } from './passes.ts'
import type { Writer } from './writer.ts'

/** for lines outside a snapshot: differences and search results */
export const briefDetail: Detail = { text: 80, attribute: 60, href: 60, namedHref: 0, boxes: false, more: true }

export interface LineOptions {
  /** @default tree */
  readonly writer?: Writer
  /** the room for the line: its details are shortened, so that the ref is in it. @default no limit */
  readonly maxChars?: number | undefined
}

/** A node as a separate line, without the nodes around it. */
export function standaloneLine(node: RenderNode, url: string, { writer = tree, maxChars }: LineOptions = {}): string {
  const detail = maxChars === undefined ? briefDetail : detailWithin(maxChars)
  return writer.line({ node, depth: 1, parent: -1, itemDepth: 0, rank: 1 }, { detail, url, hasChildren: false, place: '' })
}

/** A line has a name, a value and a few attributes before its ref. */
function detailWithin(maxChars: number): Detail {
  const atMost = (chars: number) => Math.min(chars, Math.floor(maxChars / 6))
  const { text, attribute, href } = briefDetail
  return { ...briefDetail, text: atMost(text), attribute: atMost(attribute), href: atMost(href), more: false }
}
