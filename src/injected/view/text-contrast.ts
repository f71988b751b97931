import type { Dom } from '../../engine/dom.ts'
import * as native from '../runtime/natives.ts'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const maxAncestors = 40
const white: Colour = [255, 255, 255, 1]
/** smaller type than this is not meant to be read */
const leastFontSize = 3
/** colours this close cannot be told apart */
const closeColours = 10

/** what was found out about the colours behind elements, for one look */
export type BackgroundCache = Map<Node, Colour | null>

/** Why the letters in an element cannot be read by someone who looks at it; '' when they can. */
export function unreadable(dom: Dom<Node>, element: Node, papers: BackgroundCache): string {
  const read = native.styleOf(element)
  if (Number.parseFloat(read('font-size')) < leastFontSize) return 'font size'
  if (Number.parseFloat(read('text-indent')) < -200) return 'indent'
  const ink = colour(read('color'))
  if (!ink) return ''
  // letters filled by a background or a shadow are drawn although their own colour is not
  if (ink[3] < 0.05) return read('background-clip') === 'text' || read('text-shadow') !== 'none' ? '' : 'colour'
  const paper = paperOf(dom, element, papers)
  return paper && isClose(ink, paper) && read('text-shadow') === 'none' ? 'colour' : ''
}

/** the colour behind an element; null where a picture or a see-through colour leaves it open */
function paperOf(dom: Dom<Node>, element: Node, papers: BackgroundCache): Colour | null {
  const passed: Node[] = []
  let paper: Colour | null = null
  for (let each: Node | null = element; each && passed.length < maxAncestors; each = dom.parent(each)) {
    const known = papers.get(each)
    paper = known ?? null
    if (known !== undefined) break
    passed.push(each)
    const style = native.styleOf(each)
    if (style('background-image') !== 'none') break
    const own = colour(style('background-color'))
    if (!own || own[3] > 0.05) {
      paper = own && own[3] >= 0.95 ? own : null
      break
    }
    // what is placed out of the flow may lie on anything
    if (/absolute|fixed|sticky/.test(style('position'))) break
    if (dom.tag(each) === 'html') paper = /dark/.test(style('color-scheme')) ? null : white
  }
  for (const each of passed) papers.set(each, paper)
  return paper
}

function colour(css: string): Colour | null {
  const parts = /^rgba?\(([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:[,\s/]+([\d.]+))?\)$/.exec(css)
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3]), parts[4] === undefined ? 1 : Number(parts[4])] : null
}

const isClose = (a: Colour, b: Colour) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2])) <= closeColours
