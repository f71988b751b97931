import type { Dom } from '../engine/dom.ts'
import type { Tree } from './document.ts'
import type { Element, Node } from './tree.ts'

// @mozilla/readability, defuddle and turndown need a DOM with querySelector, cloneNode and mutation, which a parse5 tree does not have.
// Building a second DOM for them would cost more than parsing, and that DOM would not know which text is hidden.

/** The main content of a page. */
export interface MainContent {
  readonly root: Node
  /** Whether a node inside the content is navigation, a cookie notice or similar. */
  isSkipped(node: Node): boolean
}

/** Chooses `main`, else a single article, else the innermost element with most of the text outside links, else the body. */
export function mainContent({ dom, body }: Pick<Tree, 'dom' | 'body'>): MainContent {
  const survey = measureContent(dom, body)
  const root = markedContent(survey) ?? densestElement(dom, body, survey) ?? body
  const rootText = survey.sizes.get(root)?.text ?? 0
  return {
    root,
    isSkipped: node => {
      if (node === root || !isSideContent(dom, node)) return false
      // a class name is only a guess: an element with a third of the text is content, unless the page marks it up as navigation
      return isNavigation(dom, node) || (survey.sizes.get(node)?.text ?? 0) * 3 < rootText
    },
  }
}

interface Size {
  /** The number of visible characters, without white space. */
  text: number
  /** The number of those that are in paragraphs and outside links, which indicates content. */
  prose: number
}

interface ContentSizes {
  readonly sizes: ReadonlyMap<Node, Size>
  readonly mains: readonly Element[]
  readonly articles: readonly Element[]
  readonly total: number
}

/** A shorter text is a caption or a button, not a paragraph. */
const minProseChars = 25
/** The search continues in a child that has more than this share of the prose of its parent. */
const minProseShare = 0.7

/** One pass in document order, then one in reverse that adds children to parents: works for any depth of nesting. */
function measureContent(dom: Dom<Node>, body: Element): ContentSizes {
  const sizes = new Map<Node, Size>()
  const order: { readonly node: Node; readonly parent: Size | null; readonly size: Size; readonly side: boolean }[] = []
  const mains: Element[] = []
  const articles: Element[] = []
  const stack: { node: Node; parent: Size | null; linked: boolean }[] = [{ node: body, parent: null, linked: false }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, parent, linked } = next
    const tag = dom.tag(node)
    if (tag === '') {
      const text = countLetters(dom.text(node))
      if (parent) parent.text += text
      if (parent && !linked && text >= minProseChars) parent.prose += text
      continue
    }
    if (!isShown(dom, node)) continue
    const size = { text: 0, prose: 0 }
    sizes.set(node, size)
    order.push({ node, parent, size, side: node !== body && isSideContent(dom, node) })
    if (tag === 'main' || dom.attr(node, 'role') === 'main') mains.push(node as Element)
    else if (tag === 'article') articles.push(node as Element)
    const children = dom.children(node)
    const inLink = linked || tag === 'a' || tag === 'button' || tag === 'select'
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i] as Node, parent: size, linked: inLink })
  }
  for (const { parent, size, side } of order.reverse()) {
    if (!parent) continue
    parent.text += size.text
    if (!side) parent.prose += size.prose
  }
  return { sizes, mains, articles, total: sizes.get(body)?.text ?? 0 }
}

function markedContent({ sizes, mains, articles, total }: ContentSizes): Element | null {
  const size = (element: Element) => sizes.get(element)?.text ?? 0
  // a main without text belongs to a page that a script would have filled
  const isFilled = (element: Element) => size(element) >= Math.min(200, total / 2) && size(element) > 0
  const main = mains.reduce<Element | null>((best, each) => (best && size(best) >= size(each) ? best : each), null)
  if (main && isFilled(main)) return main
  const [article] = articles
  return article && articles.length === 1 && isFilled(article) && size(article) * 4 >= total ? article : null
}

function densestElement(dom: Dom<Node>, body: Element, { sizes, total }: ContentSizes): Node | null {
  const prose = (node: Node) => (sizes.has(node) && !isSideContent(dom, node) ? (sizes.get(node)?.prose ?? 0) : 0)
  let at: Node = body
  for (let inner: Node | undefined = at; inner; ) {
    at = inner
    const enough: number = (sizes.get(at)?.prose ?? 0) * minProseShare
    inner = enough > 0 ? Array.from(dom.children(at)).find(child => dom.block(child) && prose(child) > enough) : undefined
  }
  // rows are only readable as part of their table
  while (/^(tr|tbody|thead|tfoot)$/.test(dom.tag(at))) at = dom.parent(at) ?? body
  // the parent of a lone paragraph has the same text, and its heading
  if (/^(p|pre|blockquote|li|td|dd)$/.test(dom.tag(at))) at = dom.parent(at) ?? at
  // a front page consists of links: the little text between them does not indicate where its content is
  return (sizes.get(at)?.text ?? 0) * 4 >= total ? at : null
}

/** Whether a node is visible and not hidden from assistive technology. */
export const isShown = (dom: Dom<Node>, node: Node): boolean => !dom.hidden(node) && dom.attr(node, 'aria-hidden')?.toLowerCase() !== 'true'

const countLetters = (text: string): number => text.replace(/\s+/g, '').length

const sideTags = /^(nav|footer|aside|header|menu)$/
const sideRoles = /^(navigation|search|banner|contentinfo|complementary|menu|menubar|toolbar|dialog|alertdialog)$/
const sideWords =
  /(^|[\s_-])(nav|navbar|navigation|navbox|menu|sidebar|side-bar|footer|masthead|breadcrumbs?|comments?|cookies?|consent|gdpr|newsletter|share|sharing|social|related|recommended|promo|sponsored|advert|advertisement|ads?|editsection|jump-to-nav|siteNotice|skip-link|toc)($|[\s_-])/i

function isSideContent(dom: Dom<Node>, node: Node): boolean {
  const tag = dom.tag(node)
  if (sideTags.test(tag)) return tag !== 'header' || !holdsHeading(dom, node)
  if (tag === '' || tag === 'body' || tag === 'main' || tag === 'article' || !dom.flags(node)) return false
  if (sideRoles.test(dom.attr(node, 'role') ?? '')) return true
  return sideWords.test((dom.attr(node, 'class') ?? '').slice(0, 500)) || sideWords.test((dom.attr(node, 'id') ?? '').slice(0, 100))
}

const isNavigation = (dom: Dom<Node>, node: Node): boolean =>
  dom.tag(node) === 'nav' || /^(navigation|search|menubar|toolbar)$/.test(dom.attr(node, 'role') ?? '')

/** Tells the header of an article, which contains its title, from that of a site. Looks at 60 nodes only, to stay cheap. */
function holdsHeading(dom: Dom<Node>, header: Node): boolean {
  const queue: Node[] = [header]
  for (let i = 0; i < queue.length && i < 60; i++) {
    const node = queue[i] as Node
    if (dom.tag(node) === 'h1') return true
    if (queue.length < 60) queue.push(...Array.from(dom.children(node)).slice(0, 60))
  }
  return false
}
