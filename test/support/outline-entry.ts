import { liveDom } from '../../src/injected/view/dom.ts'
import { liveLayout } from '../../src/injected/view/layout.ts'
import { type Line, outline } from './outline.ts'

/** Facts about an element that only the browser knows, obtained without the engine where possible. */
export interface Facts {
  /** not rendered itself, because of CSS or markup */
  readonly hidden: boolean
  /** rendered, but clipped away, too small, off the page or illegible; '' if it is visible */
  readonly unseen: string
  /** a descendant, or a part of its label, is not rendered or not visible */
  readonly hiddenBelow: boolean
  /** a descendant has generated content */
  readonly generatedBelow: boolean
  /** the CSS display of a descendant differs from the default of its tag */
  readonly respacedBelow: boolean
  readonly display: string
}

const dom = liveDom()
const layout = liveLayout(dom, {
  document,
  offsets: new Map(),
  listeners: undefined,
  reached: new Set([document]),
  isStill: true,
})
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

// functions that the tests call in a page
Object.assign(globalThis, {
  tagsOf: (): string => all.map(element => dom.tag(element)).join(' '),
  outlineOf: (shown: 'interactive' | 'all'): Line[] =>
    outline(
      {
        dom,
        // nothing covers a page that is not rendered
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
