import type { Dom } from '../page/dom.ts'
import type { Refs } from '../page/refs.ts'
import type { Node } from './dom.ts'
import { isShown, type MainContent } from './main-content.ts'

export type Format = 'markdown' | 'text'

export interface Written {
  readonly text: string
  /** ref to href */
  readonly links: ReadonlyMap<string, string>
  /** the text was longer than the longest we write */
  readonly capped: boolean
}

interface Writing extends MainContent {
  readonly dom: Dom<Node>
  readonly refs: Refs<Node>
  readonly format: Format
}

const maxText = 2_000_000
/** below this the text is kept and its structure is not: no page overflows the stack */
const maxDepth = 200
/** quotes and lists inside each other are set in no further, or each line would carry the whole way to it */
const maxPrefix = 40

/** What a page says below a root, as Markdown that only we give structure to. */
export function write({ dom, refs, format, root, skipped }: Writing): Written {
  const markdown = format === 'markdown'
  const links = new Map<string, string>()
  const lines = blockWriter()
  /** marks that are open here; a block inside of them closes them and opens them again */
  const active: Mark[] = []
  let tokens: Token[] = []
  let codeDepth = 0
  /** in a heading or a cell every block is only a space */
  let oneLine = 0

  below(root, 0)
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
    if (tag === 'br' && !oneLine) {
      tokens.push({ is: 'break' })
      return
    }
    edge()
    if (oneLine) below(node, depth)
    else block(tag, node, depth)
    edge()
  }

  function edge(): void {
    if (oneLine) say(' ')
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
    if (last?.is === is) last.value += clean(text)
    else tokens.push({ is, value: clean(text) })
  }

  /** the text since the last block, and an empty line of tokens in which the open marks are open again */
  function take(): string {
    const text = phrase(tokens, markdown)
    tokens = active.map(mark => ({ is: 'open', mark }))
    return text
  }

  function flush(): void {
    const text = take()
    if (text) lines.block(text.split('\n').map(markdown ? startOfLine : same))
  }

  function lineOf(node: Node, depth: number): string {
    oneLine++
    below(node, depth)
    oneLine--
    return take().replace(/\s*\n/g, ' ')
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
    const href = clean(dom.attr(node, 'href') ?? '').trim()
    const ref = refs.of(node)
    if (ref && href) links.set(ref, href.slice(0, maxHref))
    if (ref) return { kind: '[', target: `@${ref}` }
    return href && !isProgram(href) ? { kind: '[', target: addressOf(href) } : null
  }

  function image(node: Node): void {
    const alt = clean(dom.attr(node, 'alt') ?? '').trim()
    const src = clean(dom.attr(node, 'src') ?? '').trim()
    // in a link the words are what is clicked; its address is one look at the ref away
    if (!markdown || active.some(mark => mark.kind === '[')) say(alt)
    else if (alt && src && !isProgram(src))
      tokens.push({ is: 'raw', value: `![${escaped(alt.replace(/\s+/g, ' '), true)}](${addressOf(src)})` })
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
    let number = numberOf(dom.attr(node, 'start'), 1)
    const children = dom.children(node)
    lines.list(() => {
      for (let i = 0; i < children.length && !lines.full(); i++) {
        const child = children[i] as Node
        if (dom.tag(child) !== 'li') walk(child, depth + 1)
        else if (isShown(dom, child) && !skipped(child)) {
          flush()
          if (numbered) number = numberOf(dom.attr(child, 'value'), number)
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
    if (line) lines.block([markdown ? startOfLine(line) : line], 1)
  }

  function table(node: Node, depth: number): void {
    const { caption, rows } = rowsOf(dom, node, skipped)
    if (caption) walk(caption, depth + 1)
    flush()
    if (isLayout(dom, node, rows)) {
      for (const cells of rows) placed(cells, depth + 3)
      return
    }
    const texts = rows
      .map(cells => cells.flatMap(cell => [lineOf(cell, depth + 3), ...Array<string>(spanOf(dom, cell) - 1).fill('')]))
      .filter(cells => cells.some(Boolean))
    if (!markdown) {
      lines.block(texts.map(cells => cells.filter(Boolean).join('\t')))
      return
    }
    const width = texts.reduce((most, cells) => Math.max(most, cells.length), 0)
    const [head, ...rest] = texts.map(cells => cells.map(cell => cell.replaceAll('|', '\\|')))
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
      lines.block(text ? [markdown ? startOfLine(text) : text] : [])
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
const strong = setOf('b strong')
const emphasis = setOf('em i cite dfn')
const code = setOf('code kbd samp tt')
const preformatted = setOf('pre listing xmp plaintext')
const lists = setOf('ul ol menu dir')
const same = (line: string): string => line

function levelOf(dom: Dom<Node>, tag: string, node: Node): number {
  if (/^h[1-6]$/.test(tag)) return Number(tag[1])
  if (dom.attr(node, 'role') !== 'heading') return 0
  return Math.min(6, Math.max(1, numberOf(dom.attr(node, 'aria-level'), 2)))
}

function numberOf(attribute: string | null, otherwise: number): number {
  return attribute && /^\s*\d{1,9}\s*$/.test(attribute) ? Number(attribute) : otherwise
}

/** Lines under prefixes: what quotes and lists put before each line, and the marker only before the first. */
function blockWriter() {
  const pieces: string[] = []
  let length = 0
  let prefix = ''
  /** instead of the prefix on the next line: it carries the markers of items that have not said anything yet */
  let lead: string | null = null
  let lastPrefix = ''
  let gap = 0
  let listDepth = 0
  /** the gap that an item asked for before its content asked for a larger one */
  let itemGap: number | null = null

  function block(content: readonly string[], after = 2): void {
    if (content.length === 0) return
    const blank = (lastPrefix.length < prefix.length ? lastPrefix : prefix).trimEnd()
    const wanted = itemGap ?? gap
    if (pieces.length > 0) put(wanted > 1 ? `\n${blank}\n` : '\n')
    content.forEach((line, i) => {
      put(`${i > 0 ? '\n' : ''}${(i === 0 && lead) || prefix}${line}`)
    })
    lead = null
    itemGap = null
    lastPrefix = prefix
    gap = after
  }

  function put(piece: string): void {
    const room = Math.max(0, maxText - length)
    const end = /[\ud800-\udbff]/.test(piece.charAt(room - 1)) ? room - 1 : room
    if (end > 0) pieces.push(piece.slice(0, end))
    length += piece.length
  }

  function within(first: string, others: string, content: () => void): void {
    if (prefix.length >= maxPrefix) {
      content()
      return
    }
    const before = { prefix, lead }
    lead = lead === null && first === others ? null : (lead ?? prefix) + first
    prefix += others
    content()
    prefix = before.prefix
    lead = lead === null ? null : before.lead
  }

  function item(marker: string, content: () => void): void {
    itemGap ??= Math.max(gap, pieces.length > 0 ? 1 : 0)
    const wanted = itemGap
    within(marker, ' '.repeat(marker.length), content)
    // an item that said nothing leaves the gap as it was
    gap = itemGap === null ? 1 : wanted
    itemGap = null
  }

  function list(content: () => void): void {
    if (listDepth > 0 && gap > 1 && lead === null) gap = 1
    listDepth++
    content()
    listDepth--
    if (listDepth === 0) gap = 2
  }

  return { block, within, item, list, full: () => length > maxText, text: () => pieces.join('').trimEnd() }
}

type Mark = { readonly kind: '**' | '*' } | { readonly kind: '['; readonly target: string }
type Token =
  | { readonly is: 'text'; value: string }
  | { readonly is: 'code'; value: string }
  | { readonly is: 'raw'; readonly value: string }
  | { readonly is: 'open'; readonly mark: Mark }
  | { readonly is: 'close'; readonly mark: Mark }
  | { readonly is: 'break' }

/** Tokens as one paragraph. Space and breaks move out of marks, several breaks are one, and a mark around nothing is not written. */
function phrase(tokens: readonly Token[], markdown: boolean): string {
  const out: string[] = []
  const open: Mark[] = []
  const waiting: Mark[] = []
  let space = false
  let broken = false
  let closed: Mark | null = null

  const begin = (mark: Mark): void => {
    const last = out[out.length - 1]
    // **a****b** would not be two strong words but stars
    if (closed && closed.kind === mark.kind && mark.kind !== '[') out.pop()
    // a ! before a link would make it an image
    else out.push(mark.kind === '[' && last?.endsWith('!') ? `${out.pop()?.slice(0, -1)}\\![` : mark.kind)
    open.push(mark)
    closed = null
  }
  const end = (mark: Mark): void => {
    const at = waiting.indexOf(mark)
    if (at >= 0) waiting.splice(at, 1)
    else if (open.includes(mark)) {
      open.splice(open.indexOf(mark), 1)
      out.push(mark.kind === '[' ? `](${mark.target})` : mark.kind)
      closed = mark
    }
  }
  const content = (text: string): void => {
    if (broken && out.length > 0) out.push(markdown ? '  \n' : '\n')
    else if (space && out.length > 0) out.push(' ')
    if (broken || space) closed = null
    if (markdown) for (const mark of waiting.splice(0)) begin(mark)
    out.push(text)
    space = false
    broken = false
    closed = null
  }
  for (const token of tokens) {
    if (token.is === 'open') waiting.push(token.mark)
    else if (token.is === 'close') end(token.mark)
    else if (token.is === 'raw') content(token.value)
    else if (token.is === 'break') broken = true
    else {
      const text = token.value.replace(/\s+/g, ' ')
      const words = text.trim()
      space ||= text.startsWith(' ')
      if (!words) continue
      const inLink = [...open, ...waiting].some(mark => mark.kind === '[')
      content(!markdown ? words : token.is === 'code' ? coded(words) : escaped(words, inLink))
      space = text.endsWith(' ')
    }
  }
  for (const mark of [...open].reverse()) end(mark)
  return out.join('')
}

function coded(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1)
  return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : fence + text + fence
}

const longestRun = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)

// C0 but for white space, C1, soft hyphen, fillers, bidi controls, zero-width, annotations, non-characters, the tag block and the
// variation selectors behind it, and halves of surrogate pairs: what is not seen, or turns around what is
const unseen =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e00ff}\p{Cs}]|[\u{e0100}-\u{e01ef}]|[\u{e01f0}-\u{e03ff}]|\u034f|\u17b4|\u17b5/gu

/** The one way in which words of the page come into the text. */
export const clean = (text: string): string => text.replace(unseen, '').replace(/[\u0085\u2028\u2029]/g, '\n')

const markup = /\\(?=[!-/:-@[-`{-~]|$)|[`*_[\]]|<(?=[a-z/!?])|&(?=#?\w{1,40};)|~(?=~)/gi

/** Page text that is only text: what would become markup is escaped, what cannot is left readable. */
function escaped(text: string, inLink: boolean): string {
  return text.replace(markup, (sign, at: number) => {
    const before = text.charAt(at - 1)
    const after = text.charAt(at + 1)
    if (sign === '*' && before === ' ' && after === ' ') return sign
    if (sign === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)) return sign
    if (sign === '[' && !inLink && !/^\[ref=/i.test(text.slice(at, at + 5))) return sign
    if (sign === ']' && !inLink && after && !/[([:]/.test(after)) return sign
    return `\\${sign}`
  })
}

const structure = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|\||~~~|=+\s*$|[-:|\s]+$|(?:[-*_]\s*){3,}$)/

/** A line of page text begins nothing: no heading, quote, list, rule, table or fence. */
const startOfLine = (line: string): string => (structure.test(line) ? `\\${line}` : line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'))

const maxHref = 2_000
const maxAddress = 200
const isProgram = (address: string): boolean => /^(javascript|data|vbscript):/i.test(address.replace(/\s+/g, ''))

/** An address inside ( ): nothing in it ends it, and it cannot be taken for a ref of ours. */
function addressOf(href: string): string {
  const text = href.slice(0, maxAddress).replace(/[\ud800-\udbff]$/, '')
  return text.replace(/^@|[\s()<>[\]\\`*_|]/g, sign =>
    /[*_]/.test(sign) ? sign : `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}

type Skipped = MainContent['skipped']

/** the characters as they stand, line for line */
function verbatim(dom: Dom<Node>, root: Node, skipped: Skipped): string {
  let text = ''
  const stack: (Node | null)[] = [root]
  for (let node = stack.pop(); node !== undefined && text.length < maxText; node = stack.pop()) {
    const endsLine = text === '' || text.endsWith('\n')
    if (node === null) text += endsLine ? '' : '\n'
    else if (!isShown(dom, node) || skipped(node)) continue
    else if (dom.tag(node) === '') text += clean(dom.drawn(node)).replace(/\r\n?/g, '\n')
    else if (dom.tag(node) === 'br') text += '\n'
    else {
      if (dom.block(node) && node !== root) {
        text += endsLine ? '' : '\n'
        stack.push(null)
      }
      const children = dom.children(node)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as Node)
    }
  }
  return text.replace(/^\n+/, '').trimEnd()
}

function languageOf(dom: Dom<Node>, pre: Node): string {
  const inner = Array.from(dom.children(pre)).find(child => dom.tag(child) === 'code')
  const classes = `${dom.attr(pre, 'class') ?? ''} ${(inner && dom.attr(inner, 'class')) ?? ''}`.slice(0, 500)
  return /(?:^|\s)(?:lang|language|highlight-source)-([\w+#-]{1,20})(?=\s|$)/.exec(classes)?.[1] ?? ''
}

function rowsOf(dom: Dom<Node>, table: Node, skipped: Skipped): { caption: Node | null; rows: Node[][] } {
  const shown = (node: Node) => Array.from(dom.children(node)).filter(child => dom.tag(child) && isShown(dom, child) && !skipped(child))
  const parts = shown(table)
  const rows = parts.flatMap(part => (/^(thead|tbody|tfoot)$/.test(dom.tag(part)) ? shown(part) : [part]))
  return {
    caption: parts.find(part => dom.tag(part) === 'caption') ?? null,
    rows: rows.filter(row => dom.tag(row) === 'tr').map(row => shown(row).filter(cell => /^t[dh]$/.test(dom.tag(cell)))),
  }
}

const spanOf = (dom: Dom<Node>, cell: Node): number => Math.min(20, Math.max(1, numberOf(dom.attr(cell, 'colspan'), 1)))

/** One column, or cells that hold blocks of text: the table only places them. Headers and captions say that it is data. */
function isLayout(dom: Dom<Node>, table: Node, rows: readonly (readonly Node[])[]): boolean {
  if (/^(presentation|none)$/.test(dom.attr(table, 'role') ?? '')) return true
  if (!rows.some(cells => cells.length > 1)) return true
  if (rows.some(cells => cells.some(cell => dom.tag(cell) === 'th'))) return false
  return rows.some(cells => cells.some(cell => holdsBlocks(dom, cell, /^p$/)))
}

const blocks = /^(h[1-6]|ul|ol|dl|table|pre|blockquote|form|article|section)$/

/** more than one paragraph, or anything with a structure of its own; what is empty is no paragraph */
function holdsBlocks(dom: Dom<Node>, cell: Node, paragraph: RegExp): boolean {
  let paragraphs = 0
  const stack: Node[] = [cell]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const tag = dom.tag(node)
    const children = dom.children(node)
    if (paragraph.test(tag) && children.length > 0) paragraphs++
    if (blocks.test(tag) || paragraphs > 1) return true
    for (let i = 0; i < children.length; i++) stack.push(children[i] as Node)
  }
  return false
}
