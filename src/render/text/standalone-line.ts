import type { Detail } from './detail.ts'
import { tree } from './formats/tree.ts'
import type { RenderNode } from './passes.ts'
import type { Writer } from './writer.ts'

/** for lines outside a snapshot: differences and search results */
export const briefDetail: Detail = { text: 80, attribute: 60, href: 60, namedHref: 0, boxes: false, more: true }

/** A node as a separate line, without the nodes around it. */
export const standaloneLine = (node: RenderNode, url: string, writer: Writer = tree): string =>
  writer.line({ node, depth: 1, parent: -1, itemDepth: 0, rank: 1 }, { detail: briefDetail, url, hasChildren: false, place: '' })
