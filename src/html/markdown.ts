import type { Dom } from '../engine/dom.ts'
import type { Refs } from '../engine/refs.ts'
import {
  cleanText,
  escapeLineStart,
  escapeMarkdown,
  isScriptUrl,
  linkTarget,
  longestRun,
  type Mark,
  maxHref,
  renderInline,
  type Token,
} from './inline.ts'
import { isShown, type MainContent } from './main-content.ts'
import { blockWriter } from './markdown-lines.ts'
import type { ReadFormat } from './options.ts'
import { holdsBlocks, isLayoutTable, parseNumber, rowsOf, spanOf } from './table.ts'
import type { Node } from './tree.ts'

export interface MarkdownResult {
  readonly text: string
  /** ref to href */
  readonly links: ReadonlyMap<string, string>
  /** the text was longer than the longest we write */
  readonly capped: boolean
}

interface MarkdownContext extends MainContent {
  readonly dom: Dom<Node>
  readonly refs: Refs<Node>
  readonly format: ReadFormat
}

/** below this the text is kept and its structure is not: no page overflows the stack */
const maxDepth = 200

/** What a page says below a root, as Markdown that only we give structure to. */
export function writeMarkdown({ dom, refs, format, root, isSkipped: skipped }: MarkdownContext): MarkdownResult {
  const markdown = format === 'markdown'
  const links = new Map<string, string>()
  const lines = blockWriter()
  /** marks that are open here; a block inside of them closes them and opens them again */
  const active: Mark[] = []
  let tokens: Token[] = []
  let codeDepth = 0
  /** in a heading or a cell every block is only a space */
  let oneLine = 0
  /** in a cell of a Markdown table a new line is written <br> */
  let inCell = false

  walk(root, 0)
  flush()
  return { text: lines.text(), links, capped: lines.full() }

  function walk(node: Node, depth: number): void {
    if (lines.full() || !isShown(dom, node) || skipped(node)) return
    const tag = dom.tag(node)
    if (unread.has(tag) || dom.namespace(node) === 'svg') return
    if (tag === '') say(dom.drawn(node))
    else if (depth > maxDepth) flatten(node)
    else if (dom.block(node) || preformatted.has(tag)) apart(tag, node, depth)
    else inline(tag, node, depth)
  }

  function inline(tag: string, node: Node, depth: number): void {
    if (tag === 'img') image(node)
    else if (tag === 'math' && dom.attr(node, 'alttext')) say(dom.attr(node, 'alttext') ?? '')
    else if (tag === 'a') marking(linkOf(node), node, depth)
    else if (strong.has(tag)) marking({ kind: '**' }, node, depth)
    else if (emphasis.has(tag)) marking({ kind: '*' }, node, depth)
    else if (code.has(tag)) coding(node, depth)
    else below(node, depth)
  }

  function apart(tag: string, node: Node, depth: number): void {
    if (tag === 'br' && (inCell || !oneLine)) {
      tokens.push({ is: 'break' })
      return
    }
    edge(tag)
    if (oneLine) below(node, depth)
    else block(tag, node, depth)
    edge(tag)
  }

  function edge(tag = ''): void {
    if (inCell && !cells.has(tag)) tokens.push({ is: 'break' })
    else if (oneLine) say(' ')
    else flush()
  }

  function block(tag: string, node: Node, depth: number): void {
    const level = levelOf(dom, tag, node)
    if (level) heading(level, node, depth)
    else if (preformatted.has(tag)) fenced(node)
    else if (tag === 'hr') lines.block(markdown ? ['---'] : [])
    else if (tag === 'blockquote') lines.within('> ', '> ', () => inside(node, depth))
    else if (lists.has(tag)) list(tag === 'ol', node, depth)
    else if (tag === 'li') item('- ', node, depth)
    else if (tag === 'dd') item(': ', node, depth)
    else if (tag === 'dt') term(node, depth)
    else if (tag === 'figcaption') marking({ kind: '*' }, node, depth)
    else if (tag === 'table') table(node, depth)
    else below(node, depth)
  }

  function below(node: Node, depth: number): void {
    const children = dom.children(node)
    for (let i = 0; i < children.length && !lines.full(); i++) walk(children[i] as Node, depth + 1)
  }

  function inside(node: Node, depth: number): void {
    below(node, depth)
    flush()
  }

  function say(text: string): void {
    const is = codeDepth > 0 && markdown ? 'code' : 'text'
    const last = tokens[tokens.length - 1]
    if (last?.is === is) last.value += cleanText(text)
    else tokens.push({ is, value: cleanText(text) })
  }

  /** the text since the last block, and an empty line of tokens in which the open marks are open again */
  function take(): string {
    const text = renderInline(tokens, markdown)
    tokens = active.map(mark => ({ is: 'open', mark }))
    return text
  }

  function flush(): void {
    const text = take()
    if (text) lines.block(text.split('\n').map(markdown ? escapeLineStart : same))
  }

  function lineOf(node: Node, depth: number): string {
    oneLine++
    below(node, depth)
    oneLine--
    return take().replace(/\s*\n/g, ' ')
  }

  function cellOf(node: Node, depth: number): string {
    if (!markdown || inCell) return lineOf(node, depth)
    inCell = true
    oneLine++
    below(node, depth)
    oneLine--
    inCell = false
    return take().replaceAll('|', '\\|').replace(/\s*\n/g, '<br>')
  }

  function marking(mark: Mark | null, node: Node, depth: number): void {
    if (!mark || active.some(each => each.kind === mark.kind)) {
      below(node, depth)
      return
    }
    tokens.push({ is: 'open', mark })
    active.push(mark)
    below(node, depth)
    active.pop()
    tokens.push({ is: 'close', mark })
  }

  function coding(node: Node, depth: number): void {
    codeDepth++
    below(node, depth)
    codeDepth--
  }

  function linkOf(node: Node): Mark | null {
    const href = cleanText(dom.attr(node, 'href') ?? '').trim()
    const ref = refs.of(node)
    if (ref && href) links.set(ref, href.slice(0, maxHref))
    if (ref) return { kind: '[', target: `@${ref}` }
    return href && !isScriptUrl(href) ? { kind: '[', target: linkTarget(href) } : null
  }

  function image(node: Node): void {
    const alt = cleanText(dom.attr(node, 'alt') ?? '').trim()
    const src = cleanText(dom.attr(node, 'src') ?? '').trim()
    // in a link the words are what is clicked; its address is one look at the ref away
    if (!markdown || active.some(mark => mark.kind === '[')) say(alt)
    else if (alt && src && !isScriptUrl(src))
      tokens.push({ is: 'raw', value: `![${escapeMarkdown(alt.replace(/\s+/g, ' '), true)}](${linkTarget(src)})` })
  }

  function heading(level: number, node: Node, depth: number): void {
    const text = lineOf(node, depth)
    if (text) lines.block([markdown ? `${'#'.repeat(level)} ${text.replace(/#$/, '\\#')}` : text])
  }

  function fenced(node: Node): void {
    const text = verbatim(dom, node, skipped)
    if (!text) return
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
    const body = text.split('\n')
    lines.block(markdown ? [fence + languageOf(dom, node), ...body, fence] : body)
  }

  function list(numbered: boolean, node: Node, depth: number): void {
    let number = parseNumber(dom.attr(node, 'start'), 1)
    const children = dom.children(node)
    lines.list(() => {
      for (let i = 0; i < children.length && !lines.full(); i++) {
        const child = children[i] as Node
        if (dom.tag(child) !== 'li') walk(child, depth + 1)
        else if (isShown(dom, child) && !skipped(child)) {
          flush()
          if (numbered) number = parseNumber(dom.attr(child, 'value'), number)
          item(numbered ? `${number++}. ` : '- ', child, depth + 1)
        }
      }
      flush()
    })
  }

  function item(marker: string, node: Node, depth: number): void {
    if (depth > maxDepth) flatten(node)
    else lines.item(marker, () => inside(node, depth))
  }

  function term(node: Node, depth: number): void {
    marking({ kind: '**' }, node, depth)
    const text = take()
    const line = text.replace(/\s*\n/g, ' ')
    if (line) lines.block([markdown ? escapeLineStart(line) : line], 1)
  }

  function table(node: Node, depth: number): void {
    const { caption, rows } = rowsOf(dom, node, skipped)
    if (caption) walk(caption, depth + 1)
    flush()
    if (isLayoutTable(dom, node, rows)) {
      for (const cells of rows) placed(cells, depth + 3)
      return
    }
    const texts = rows
      .map(cells => cells.flatMap(cell => [cellOf(cell, depth + 3), ...Array<string>(spanOf(dom, cell) - 1).fill('')]))
      .filter(cells => cells.some(Boolean))
    if (!markdown) {
      lines.block(texts.map(cells => cells.filter(Boolean).join('\t')))
      return
    }
    const width = texts.reduce((most, cells) => Math.max(most, cells.length), 0)
    const [head, ...rest] = texts
    if (!head) return
    const whole = [...head, ...Array<string>(Math.max(0, width - head.length)).fill('')]
    lines.block([whole, whole.map(() => '---'), ...rest].map(cells => `| ${cells.join(' | ')} |`))
  }

  /** a row that only places short things beside each other is read as one line */
  function placed(cells: readonly Node[], depth: number): void {
    if (depth <= maxDepth && !cells.some(cell => holdsBlocks(dom, cell, /^(p|div)$/))) {
      const text = cells
        .map(cell => lineOf(cell, depth))
        .filter(Boolean)
        .join(' ')
      lines.block(text ? [markdown ? escapeLineStart(text) : text] : [])
      return
    }
    for (const cell of cells) {
      if (depth > maxDepth) flatten(cell)
      else inside(cell, depth)
    }
    flush()
  }

  /** the text alone, with an end of a paragraph where a block begins or ends */
  function flatten(root: Node): void {
    const stack: (Node | null)[] = [root]
    for (let node = stack.pop(); node !== undefined && !lines.full(); node = stack.pop()) {
      if (node === null) edge()
      else if (!isShown(dom, node) || skipped(node) || unread.has(dom.tag(node))) continue
      else if (dom.tag(node) === '') say(dom.drawn(node))
      else {
        if (dom.block(node)) {
          edge()
          stack.push(null)
        }
        const children = dom.children(node)
        for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Node)
      }
    }
  }
}

const setOf = (names: string) => new Set(names.split(' '))
const unread = setOf(
  'audio button canvas embed frame frameset iframe input meter noembed noframes object option progress select textarea video annotation annotation-xml',
)
/** things that stand beside each other, also where they are blocks */
const cells = setOf('button td th')
const strong = setOf('b strong')
const emphasis = setOf('em i cite dfn')
const code = setOf('code kbd samp tt')
const preformatted = setOf('pre listing xmp plaintext')
const lists = setOf('ul ol menu dir')
const same = (line: string): string => line

function levelOf(dom: Dom<Node>, tag: string, node: Node): number {
  if (/^h[1-6]$/.test(tag)) return Number(tag[1])
  if (dom.attr(node, 'role') !== 'heading') return 0
  return Math.min(6, Math.max(1, parseNumber(dom.attr(node, 'aria-level'), 2)))
}

/** the characters as they stand, line for line */
function verbatim(dom: Dom<Node>, root: Node, skipped: MainContent['isSkipped']): string {
  const pieces: string[] = []
  const add = (piece: string) => piece && pieces.push(piece)
  const endLine = () => add((pieces[pieces.length - 1] ?? '\n').endsWith('\n') ? '' : '\n')
  const stack: (Node | null)[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === null) endLine()
    else if (!isShown(dom, node) || skipped(node)) continue
    else if (dom.tag(node) === '') add(cleanText(dom.drawn(node)).replace(/\r\n?/g, '\n'))
    else if (dom.tag(node) === 'br') add('\n')
    else {
      if (dom.block(node) && node !== root) {
        endLine()
        stack.push(null)
      }
      const children = dom.children(node)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Node)
    }
  }
  return pieces.join('').replace(/^\n+/, '').trimEnd()
}

function languageOf(dom: Dom<Node>, pre: Node): string {
  const inner = Array.from(dom.children(pre)).find(child => dom.tag(child) === 'code')
  const classes = `${dom.attr(pre, 'class') ?? ''} ${(inner && dom.attr(inner, 'class')) ?? ''}`.slice(0, 500)
  return /(?:^|\s)(?:lang|language|highlight-source)-([\w+#-]{1,20})(?=\s|$)/.exec(classes)?.[1] ?? ''
}
