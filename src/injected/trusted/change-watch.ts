import * as native from '../runtime/native-actions.ts'
import { focusedIn } from '../view/focused.ts'
import { pageInfo } from '../view/page-info.ts'

/**
 * Notices whether anything that a snapshot shows may have changed since it was taken. It sees changes of the DOM, of fields, of the focus
 * and of scroll positions; changes that only style sheets, fonts, images or the pointer cause are counted by the browser, and the driver
 * compares those counts (drivers/cdp/snapshot/unchanged-page.ts).
 */
export interface ChangeWatch {
  /** Starts after a snapshot: `roots` are the document and the shadow roots that it covers, `nodes` the elements that it shows. */
  start(roots: ReadonlySet<Node>, nodes: readonly Node[]): void
  /** Also brings styles and layout up to date. False if in doubt. */
  isUnchanged(): boolean
}

const fields = 'input,select,textarea'
const everything = { subtree: true, childList: true, attributes: true, characterData: true }
const scrolling = { capture: true, passive: true }

export function createChangeWatch(): ChangeWatch {
  let watched: ReadonlySet<Node> = new Set()
  let shown: readonly Node[] = []
  let before: readonly unknown[] | null = null

  const observer = native.observe(() => stop())
  const onScroll = () => stop()
  // listeners stay, because the driver takes a new number of listeners for a change of the page
  const scrollRoots = new WeakSet<Node>()
  const listenTo = (root: Node) => {
    if (scrollRoots.has(root)) return
    scrollRoots.add(root)
    native.listen(root, 'scroll', onScroll, scrolling)
  }
  listenTo(document)

  // what has changed once stays changed, so there is nothing more to observe until the next snapshot
  function stop(): void {
    before = null
    observer.disconnect()
  }

  return {
    start: (roots, nodes) => {
      stop()
      watched = roots
      shown = nodes
      // a document in a frame may be replaced by another one
      if (![...roots].every(root => root === document || native.nodeType(root) === 11)) return
      for (const root of roots) {
        observer.observe(root, everything)
        // scroll events do not leave a shadow root
        listenTo(root)
      }
      before = factsOf(watched, shown)
    },
    isUnchanged: () => {
      if (before && observer.takeRecords().length > 0) stop()
      const now = factsOf(watched, shown)
      if (before && (now.length !== before.length || now.some((fact, i) => fact !== before?.[i]))) stop()
      return before !== null
    },
  }
}

/** What neither the DOM nor a style tells. It stays in this world: the values of fields may be secrets. */
function factsOf(roots: ReadonlySet<Node>, shown: readonly Node[]): readonly unknown[] {
  const facts: unknown[] = [native.stringify(pageInfo()), focusedIn(document), document.designMode, globalThis.devicePixelRatio]
  const view = globalThis.visualViewport
  if (view) facts.push(view.offsetLeft, view.offsetTop, view.scale)
  for (const root of roots) {
    facts.push(native.allOf(root, ':user-invalid').length)
    const all = native.allOf(root, fields)
    for (let i = 0; i < all.length; i++) addField(facts, all[i] as Node)
  }
  for (const node of shown) {
    const { left, top, width, height } = native.getBoundingClientRect(node)
    // the event of a scroll position that a script has set follows a frame later
    facts.push(left, top, width, height, native.scrollLeft(node), native.scrollTop(node))
  }
  return facts
}

function addField(facts: unknown[], field: Node): void {
  const options = native.selectOptions(field)
  if (options) for (let i = 0; i < options.length; i++) facts.push(native.optionSelected(options[i] as Node))
  else facts.push(native.inputValue(field) ?? native.textareaValue(field), native.inputChecked(field), native.inputIndeterminate(field))
}
