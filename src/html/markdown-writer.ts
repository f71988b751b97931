import type { Dom } from '../engine/dom.ts'
import type { Refs } from '../engine/refs.ts'
import { cleanText, escapeLineStart, type Mark, renderInline, type Token } from './inline.ts'
import { isShown, type MainContent } from './main-content.ts'
import { writeBlock, writeInline } from './markdown-handlers.ts'
import { blockWriter } from './markdown-lines.ts'
import type { ReadFormat } from './options.ts'
import type { Node } from './tree.ts'

export interface MarkdownContext {
  readonly dom: Dom<Node>
  readonly refs: Refs<Node>
  readonly format: ReadFormat
  readonly isSkipped: MainContent['isSkipped']
}

/** Elements below this depth keep their text and lose their structure, so that no page overflows the stack. */
const maxDepth = 200

/** The state of one conversion: the lines that are finished, and the inline tokens since the last block. */
export class MarkdownWriter {
  readonly dom: Dom<Node>
  readonly refs: Refs<Node>
  readonly isMarkdown: boolean
  readonly isSkipped: MainContent['isSkipped']
  readonly lines = blockWriter()
  readonly links = new Map<string, string>()
  /** Marks that are open; a block inside them closes them and opens them again. */
  readonly openMarks: Mark[] = []
  tokens: Token[] = []
  codeDepth = 0
  /** Greater than 0 in a heading or a cell, where the border of a block is only a space. */
  lineDepth = 0
  /** In a cell of a Markdown table a line break is written as `<br>`. */
  inCell = false

  constructor({ dom, refs, format, isSkipped }: MarkdownContext) {
    this.dom = dom
    this.refs = refs
    this.isMarkdown = format === 'markdown'
    this.isSkipped = isSkipped
  }

  write(node: Node, depth: number): void {
    if (this.lines.full() || !this.isShown(node)) return
    const tag = this.dom.tag(node)
    if (this.isIgnored(tag, node) || this.dom.namespace(node) === 'svg') return
    if (tag === '') this.addText(this.dom.drawn(node))
    else if (this.isTooDeep(depth)) this.writeFlat(node)
    else if (this.dom.block(node) || preformattedTags.has(tag)) this.writeApart(tag, node, depth)
    else writeInline(this, tag, { node, depth })
  }

  writeChildren(node: Node, depth: number): void {
    const children = this.dom.children(node)
    for (let i = 0; i < children.length && !this.lines.full(); i++) this.write(children[i] as Node, depth + 1)
  }

  /** Writes the children as separate blocks. */
  writeInside(node: Node, depth: number): void {
    this.writeChildren(node, depth)
    this.flush()
  }

  /** Writes the children between an opening and a closing mark; without a mark if the same kind is open already. */
  writeMarked(mark: Mark | null, node: Node, depth: number): void {
    if (!mark || this.isOpen(mark.kind)) {
      this.writeChildren(node, depth)
      return
    }
    this.tokens.push({ is: 'open', mark })
    this.openMarks.push(mark)
    this.writeChildren(node, depth)
    this.openMarks.pop()
    this.tokens.push({ is: 'close', mark })
  }

  /** Writes only the text, with a paragraph break where a block begins or ends. Uses no recursion. */
  writeFlat(root: Node): void {
    const { dom } = this
    const stack: (Node | null)[] = [root]
    for (let node = stack.pop(); node !== undefined && !this.lines.full(); node = stack.pop()) {
      if (node === null) this.addBorder()
      else if (!this.isShown(node) || this.isIgnored(dom.tag(node), node)) continue
      else if (dom.tag(node) === '') this.addText(dom.drawn(node))
      else {
        if (dom.block(node)) {
          this.addBorder()
          stack.push(null)
        }
        const children = dom.children(node)
        for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Node)
      }
    }
  }

  addText(text: string): void {
    const is = this.codeDepth > 0 && this.isMarkdown ? 'code' : 'text'
    const last = this.tokens[this.tokens.length - 1]
    if (last?.is === is) last.value += cleanText(text)
    else this.tokens.push({ is, value: cleanText(text) })
  }

  /** Returns the text since the last block and starts an empty list of tokens, in which the open marks are opened again. */
  takeText(): string {
    const text = renderInline(this.tokens, this.isMarkdown)
    this.tokens = this.openMarks.map(mark => ({ is: 'open', mark }))
    return text
  }

  /** Ends the current paragraph. */
  flush(): void {
    const text = this.takeText()
    if (text) this.lines.block(text.split('\n').map(line => this.escapeLine(line)))
  }

  /** The content of a node as a single line. */
  lineOf(node: Node, depth: number): string {
    this.lineDepth++
    this.writeChildren(node, depth)
    this.lineDepth--
    return this.takeText().replace(/\s*\n/g, ' ')
  }

  /** The content of a table cell as a single line, with `<br>` for line breaks in Markdown. */
  cellOf(node: Node, depth: number): string {
    if (!this.isMarkdown || this.inCell) return this.lineOf(node, depth)
    this.inCell = true
    this.lineDepth++
    this.writeChildren(node, depth)
    this.lineDepth--
    this.inCell = false
    return this.takeText().replaceAll('|', '\\|').replace(/\s*\n/g, '<br>')
  }

  escapeLine(line: string): string {
    return this.isMarkdown ? escapeLineStart(line) : line
  }

  isShown(node: Node): boolean {
    return isShown(this.dom, node) && !this.isSkipped(node)
  }

  /** Controls are not text to read, except a button that is the title of the part that it opens and closes. */
  private isIgnored(tag: string, node: Node): boolean {
    return ignoredTags.has(tag) && !(tag === 'button' && this.isTitle(node))
  }

  private isTitle(button: Node): boolean {
    const { dom } = this
    if (dom.attr(button, 'aria-expanded') !== null && dom.attr(button, 'aria-haspopup') === null) return true
    const parent = dom.parent(button)
    return parent !== null && /^h[1-6]$/.test(dom.tag(parent))
  }

  isTooDeep(depth: number): boolean {
    return depth > maxDepth
  }

  isOpen(kind: Mark['kind']): boolean {
    return this.openMarks.some(mark => mark.kind === kind)
  }

  private writeApart(tag: string, node: Node, depth: number): void {
    if (tag === 'br' && (this.inCell || this.lineDepth === 0)) {
      this.tokens.push({ is: 'break' })
      return
    }
    this.addBorder(tag)
    if (this.lineDepth > 0) this.writeChildren(node, depth)
    else writeBlock(this, tag, { node, depth })
    this.addBorder(tag)
  }

  /** The border of a block: the end of a paragraph, or less where everything is on one line. */
  private addBorder(tag = ''): void {
    if (this.inCell && !adjacentTags.has(tag)) this.tokens.push({ is: 'break' })
    else if (this.lineDepth > 0) this.addText(' ')
    else this.flush()
  }
}

const setOf = (names: string) => new Set(names.split(' '))
const ignoredTags = setOf(
  'audio button canvas embed frame frameset iframe input meter noembed noframes object option progress select textarea video annotation annotation-xml',
)
/** Rendered next to each other even though they are blocks. */
const adjacentTags = setOf('button td th')
const preformattedTags = setOf('pre listing xmp plaintext')
