import type { RefDetail, SnapshotNode } from '../../contract/snapshot.ts'
import { blockRoles, isEditingHost, itemRoles } from '../candidates.ts'
import type { Dom, Scene } from '../dom.ts'
import { hintOf } from '../hints.ts'
import { nameOf } from '../names.ts'
import type { Options } from '../options.ts'
import { choices, isSecret, redacted } from '../secrets.ts'
import { say, statesOf } from '../states.ts'
import { cut, textBelow, tidy } from '../text.ts'
import { type Candidate, offOf } from './collect.ts'

/** a node while it is made */
export type Draft = { -readonly [key in keyof SnapshotNode]: SnapshotNode[key] }
export interface Described {
  readonly node: Draft
  readonly detail: RefDetail
  /** a name or text was longer than its limit */
  readonly shortened: boolean
}

const fields = /^(textbox|searchbox|combobox|listbox|spinbutton|slider)$/

/** Everything a line can say about a thing that was found. */
export function describe<N>(scene: Scene<N>, found: Candidate<N>, options: Options, covered?: string): Described {
  const { dom, layout } = scene
  const { node: element, tag, role, kind } = found
  // structure was not asked where it is while there were thousands of it
  const box = found.box ?? (kind === 'structure' && layout ? layout.box(element) : null)
  const off = box && layout ? offOf(box, layout) : 0
  const max = options.maxTextPerNode
  const isHeading = role === 'heading' && kind !== 'control'
  const name =
    kind === 'text' ? '' : tidy(isHeading ? shownText(scene, element, max) : nameFor(dom, element, kind === 'control' ? '' : role, max))
  const text = isHeading ? '' : ownText(scene, found, max)
  const shortened = name.length > max || text.length > max
  const type = tag === 'input' ? (dom.attr(element, 'type') ?? '') : ''
  const control = kind === 'control'
  const holds = control && (/^(input|select|textarea)$/.test(tag) ? !choices.test(type) : fields.test(role) || isEditingHost(dom, element))
  const node: Draft = { tag, role }
  say(node, 'name', cut(name, max))
  say(node, 'text', cut(text, max))
  say(node, 'value', holds && cut(tidy(dom.value(element)), max))
  say(node, 'hint', control && !name && !text && !dom.attr(element, 'placeholder') && hintOf(dom, element))
  say(node, 'interactive', control)
  say(node, 'offset', off)
  say(node, 'box', options.boxes && box && [box.x, box.y, box.width, box.height].map(Math.round))
  if (found.hidden) node.visible = false
  if (kind === 'text') return { node, detail: {}, shortened }

  const states = statesOf(dom, element, role)
  say(states, 'focused', scene.focused(element))
  say(states, 'modal', /dialog$/.test(role) && (dom.is(element, 'modal') || dom.attr(element, 'aria-modal') === 'true'))
  say(states, 'inert', found.inert)
  say(states, 'hidden', found.hidden)
  say(states, 'unreachable', found.unreachable)
  say(states, 'covered', covered)
  const attrs = attributes(dom, element, { type, tag, options })
  if (Object.keys(states).length) node.states = states
  const detail: { -readonly [key in keyof RefDetail]: RefDetail[key] } = {}
  say(detail, 'attrs', Object.keys(attrs).length && attrs)
  say(detail, 'path', pathOf(dom, element))
  return { node, detail, shortened }
}

// a heading is read, so its name is what can be seen of it; a hidden part is not smuggled in as a name
const shownText = <N>({ dom, layout }: Scene<N>, node: N, max: number) =>
  textBelow(dom, node, { shown: element => !dom.hidden(element) && !layout?.unreadable(element), max })

function nameFor<N>(dom: Dom<N>, node: N, role: string, max: number): string {
  const labelled = dom.attr(node, 'aria-label') !== null || dom.attr(node, 'aria-labelledby') !== null
  // what stands in them is told line by line below them, so it is not their name too
  if ((blockRoles.has(role) || itemRoles.has(role)) && !labelled) return ''
  const name = nameOf(dom, node, { maxChars: max + 2, maxVisits: 1_000 })
  // the placeholder is printed as what it is; as a name it would look like a label
  const placeholder = !labelled && tidy(dom.attr(node, 'placeholder') ?? '')
  return placeholder && placeholder === tidy(name) && !dom.labels(node).length ? '' : name
}

function ownText<N>({ dom, layout }: Scene<N>, { texts, hidden }: Candidate<N>, max: number): string {
  let text = ''
  for (const run of texts) {
    const parent = dom.parent(run)
    if (text.length <= max && (hidden || !parent || !(dom.hidden(run) || layout?.unreadable(parent)))) text += ` ${tidy(dom.drawn(run))}`
  }
  return tidy(text)
}

function attributes<N>(
  dom: Dom<N>,
  node: N,
  { type, tag, options }: { type: string; tag: string; options: Options },
): Record<string, string> {
  const attrs: Record<string, string> = {}
  for (const name of options.includeAttrs) {
    let value = tidy(dom.attr(node, name) ?? '')
    if (name === 'value' && value) {
      // what a field holds now is its value; the attribute is only what it began with
      if (isSecret(dom, node)) value = redacted
      else if (tag === 'input' && !choices.test(type)) continue
    }
    // a script or a picture in an address tells a model nothing, at great length
    if (name === 'href') value = value.replace(/^(javascript|data):.*/i, '$1:…')
    if (value) attrs[name] = cut(value, options.maxAttrValueLen)
  }
  return attrs
}

/** main>form#search>button: up to the nearest id, three steps at most; for people who read the JSON */
function pathOf<N>(dom: Dom<N>, node: N): string {
  let path = ''
  let each: N | null = node
  for (let steps = 0; each && steps < 3; steps++, each = dom.parent(each)) {
    const id = dom.attr(each, 'id')
    path = cut(dom.tag(each) + (id ? `#${tidy(id)}` : ''), 24) + (path && `>${path}`)
    if (id) break
  }
  return path
}
