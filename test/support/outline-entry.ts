import { liveDom } from '../../src/injected/view/dom.ts'
import { liveLayout } from '../../src/injected/view/layout.ts'
import { type Line, outline } from './outline.ts'

/** What only the browser knows about an element, asked of it without the engine where that is possible. */
export interface Facts {
  /** not drawn itself, for a reason that stands in CSS or in the markup */
  readonly hidden: boolean
  /** drawn, yet clipped away, too small, off the page or illegible; '' when it is seen */
  readonly unseen: string
  /** something below it, or in what labels it, is not drawn or cannot be seen */
  readonly hiddenBelow: boolean
  /** CSS writes before or after something below it */
  readonly generatedBelow: boolean
  /** CSS draws something below it as a block, or in a line, that is not by itself */
  readonly respacedBelow: boolean
  readonly display: string
}

const dom = liveDom()
const layout = liveLayout(dom, { document, offsets: new Map() })
const all = [...document.querySelectorAll('*')]
const places = new Map<Node, number>(all.map((element, place) => [element, place]))

const isDrawn = (element: Element) => element.checkVisibility({ visibilityProperty: true }) && !layout.unreadable(element)

function unseen(element: Element): string {
  const box = layout.box(element)
  return box ? layout.unseen(element, box) || layout.unreadable(element) : 'no box'
}

function factsAt(place: number): Facts | null {
  const element = all[place]
  if (!element) return null
  const named = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).map(id => id && document.getElementById(id))
  const roots = [element, ...((element as HTMLInputElement).labels ?? []), ...named.filter(each => each instanceof Element)]
  const below = roots.flatMap(root => [root, ...root.querySelectorAll('*')]).slice(0, 2_000)
  return {
    hidden: !element.checkVisibility({ visibilityProperty: true }),
    unseen: unseen(element),
    hiddenBelow: below.some(
      each => !/^(script|style|template|option|optgroup)$/i.test(each.tagName) && (!isDrawn(each) || unseen(each) !== ''),
    ),
    generatedBelow: below.some(each => dom.generated(each, 'before') || dom.generated(each, 'after')),
    respacedBelow: below.some(
      each => getComputedStyle(each).float !== 'none' || /flex|grid|inline-|block/.test(getComputedStyle(each).display),
    ),
    display: getComputedStyle(element).display,
  }
}

// what the tests call in a page
Object.assign(globalThis, {
  tagsOf: (): string => all.map(element => dom.tag(element)).join(' '),
  outlineOf: (shown: 'interactive' | 'all'): Line[] =>
    outline(
      {
        dom,
        // nothing lies over a page that is not drawn, and nothing is seen through it
        layout: { ...layout, aim: () => ({ x: 0, y: 0, hit: null, over: null }), transparent: () => false },
        root: document.body,
        prefix: '',
        focused: () => false,
        frame: () => ({ unreachable: 'not loaded' }),
      },
      { shown, placeOf: node => places.get(node instanceof Element ? node : (node.parentNode as Node)) ?? -1 },
    ),
  factsOf: (wanted: readonly number[]) => wanted.map(factsAt),
})
