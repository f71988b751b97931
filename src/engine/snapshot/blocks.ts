import { maxListedOptions } from '../../contract/importance.ts'
import { drawnRoles } from '../../contract/roles.ts'
import { hasLabel, hasTitle } from '../attributes.ts'
import { blockRoles, leafRoles, liveRoles, structureRoles } from '../candidates.ts'
import type { Dom } from '../dom.ts'
import type { Candidate } from './candidate.ts'
import { locate } from './placement.ts'
import { add, addStructure, type Context, introChars, type Walk } from './walk.ts'

const minDrawnSize = 40

/** A part of the page that is not a control: a block of content, a message, or structure. */
export function addBlock<N>(
  walk: Walk<N>,
  { node, tag, role }: Pick<Candidate<N>, 'node' | 'tag' | 'role'>,
  context: Context<N>,
): Candidate<N> | null {
  const { interactiveOnly } = walk.options
  if (drawnRoles.has(role)) {
    const placement = locate(walk, node, tag, context)
    // a canvas of a few pixels measures or decorates something
    const { width = 0, height = 0 } = placement?.box ?? {}
    return placement && Math.min(width, height) >= minDrawnSize ? add(walk, { node, tag, role, kind: 'content' }, placement, context) : null
  }
  const content = role === 'heading' ? !interactiveOnly || !context.insideNamed : !interactiveOnly && leafRoles.has(role)
  if (role === 'main') walk.introRoom = introChars
  if (content || liveRoles.has(role)) {
    const placement = locate(walk, node, tag, context)
    const block = placement && add(walk, { node, tag, role, kind: content ? 'content' : 'structure' }, placement, context)
    if (block && /dialog$/.test(role)) walk.dialogs.push(block)
    return block
  }
  if (interactiveOnly && !context.insideNamed && leafRoles.has(role) && isWorthCounting(walk.dom, node, tag))
    walk.skippedTexts.push(walk.candidates.length)
  return structureRoles.has(role) || (!interactiveOnly && blockRoles.has(role))
    ? addStructure(walk, { node, tag, role, kind: 'structure' }, context)
    : null
}

/** An image without a name is not shown either if all texts are. */
const isWorthCounting = <N>(dom: Dom<N>, node: N, tag: string): boolean =>
  !dom.hidden(node) &&
  ((dom.flags(node) & (hasLabel | hasTitle)) !== 0 || (tag === 'img' ? !!dom.attr(node, 'alt')?.trim() : tag !== 'svg'))

/** A part of the page that is measured, because it may get a line without anything inside it. */
export function addPart<N>(
  walk: Walk<N>,
  { node, tag, role }: Pick<Candidate<N>, 'node' | 'tag' | 'role'>,
  context: Context<N>,
): Candidate<N> | null {
  const placement = locate(walk, node, tag, context)
  return placement && add(walk, { node, tag, role, kind: 'structure' }, placement, context)
}

/** A few options get their own lines; a long list, such as countries, is listed only if the select is the scope. */
export function addOptions<N>(walk: Walk<N>, select: Candidate<N>, context: Context<N>): void {
  const { dom } = walk
  const options = dom.options(select.node)
  if (options.length > maxListedOptions || dom.secret(select.node)) return
  for (let i = 0; i < options.length; i++) {
    const node = options[i] as N
    // options have no box, so they are placed where their select is
    if (!dom.hidden(node)) add(walk, { node, tag: 'option', role: 'option', kind: 'control' }, select, { ...context, parent: select })
  }
}
