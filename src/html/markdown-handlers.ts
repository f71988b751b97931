import type { Dom } from '../engine/dom.ts'
import { cleanText, escapeMarkdown, isScriptUrl, linkTarget, type Mark, maxHref } from './inline.ts'
import { writePreformatted } from './markdown-code.ts'
import { writeTable } from './markdown-table.ts'
import type { MarkdownWriter } from './markdown-writer.ts'
import { parseNumber } from './table.ts'
import type { Node } from './tree.ts'

interface Place {
  readonly node: Node
  readonly depth: number
}
type Handler = (writer: MarkdownWriter, node: Node, depth: number) => void

const writeChildren: Handler = (writer, node, depth) => writer.writeChildren(node, depth)
const writeStrong: Handler = (writer, node, depth) => writer.writeMarked({ kind: '**' }, node, depth)
const writeStruck: Handler = (writer, node, depth) => writer.writeMarked({ kind: '~~' }, node, depth)
const writeEmphasis: Handler = (writer, node, depth) => writer.writeMarked({ kind: '*' }, node, depth)

const writeCode: Handler = (writer, node, depth) => {
  writer.codeDepth++
  writer.writeChildren(node, depth)
  writer.codeDepth--
}

const writeImage: Handler = (writer, node) => {
  const alt = cleanText(writer.dom.attr(node, 'alt') ?? '').trim()
  const src = cleanText(writer.dom.attr(node, 'src') ?? '').trim()
  // in a link the text is what is clicked; the URL of the image would only make the link longer
  if (!writer.isMarkdown || writer.isOpen('[')) writer.addText(alt)
  else if (alt && src && !isScriptUrl(src))
    writer.tokens.push({ is: 'raw', value: `![${escapeMarkdown(alt.replace(/\s+/g, ' '), true)}](${linkTarget(src)})` })
}

const writeFormula: Handler = (writer, node, depth) => {
  const text = writer.dom.attr(node, 'alttext')
  if (text) writer.addText(text)
  else writer.writeChildren(node, depth)
}

const writeLink: Handler = (writer, node, depth) => writer.writeMarked(linkMark(writer, node), node, depth)

function linkMark({ dom, refs, links }: MarkdownWriter, node: Node): Mark | null {
  const href = cleanText(dom.attr(node, 'href') ?? '').trim()
  const ref = refs.of(node)
  if (ref && href) links.set(ref, href.slice(0, maxHref))
  if (ref) return { kind: '[', target: `@${ref}` }
  return href && !isScriptUrl(href) ? { kind: '[', target: linkTarget(href) } : null
}

function writeHeading(writer: MarkdownWriter, level: number, { node, depth }: Place): void {
  const text = writer.lineOf(node, depth)
  if (text) writer.lines.block([writer.isMarkdown ? `${'#'.repeat(level)} ${text.replace(/#$/, '\\#')}` : text])
}

const writeRule: Handler = writer => writer.lines.block(writer.isMarkdown ? ['---'] : [])
const writeQuote: Handler = (writer, node, depth) => writer.lines.within('> ', '> ', () => writer.writeInside(node, depth))

const listHandler =
  (numbered: boolean): Handler =>
  (writer, node, depth) => {
    const { dom, lines } = writer
    let number = parseNumber(dom.attr(node, 'start'), 1)
    const children = dom.children(node)
    lines.list(() => {
      for (let i = 0; i < children.length && !lines.full(); i++) {
        const child = children[i] as Node
        if (dom.tag(child) !== 'li') writer.write(child, depth + 1)
        else if (writer.isShown(child)) {
          writer.flush()
          if (numbered) number = parseNumber(dom.attr(child, 'value'), number)
          writeItem(writer, numbered ? `${number++}. ` : '- ', { node: child, depth: depth + 1 })
        }
      }
      writer.flush()
    })
  }

function writeItem(writer: MarkdownWriter, marker: string, { node, depth }: Place): void {
  if (writer.isTooDeep(depth)) writer.writeFlat(node)
  else writer.lines.item(marker, () => writer.writeInside(node, depth))
}

const itemHandler =
  (marker: string): Handler =>
  (writer, node, depth) =>
    writeItem(writer, marker, { node, depth })

const writeTerm: Handler = (writer, node, depth) => {
  writeStrong(writer, node, depth)
  const line = writer.takeText().replace(/\s*\n/g, ' ')
  if (line) writer.lines.block([writer.escapeLine(line)], 1)
}

const handlersOf = (table: { readonly [tags: string]: Handler }): ReadonlyMap<string, Handler> =>
  new Map(Object.entries(table).flatMap(([tags, handler]) => tags.split(' ').map(tag => [tag, handler] as const)))

const inlineHandlers = handlersOf({
  img: writeImage,
  math: writeFormula,
  a: writeLink,
  'b strong': writeStrong,
  'del s strike': writeStruck,
  'em i cite dfn': writeEmphasis,
  'code kbd samp tt': writeCode,
})

const blockHandlers = handlersOf({
  'pre listing xmp plaintext': writePreformatted,
  hr: writeRule,
  blockquote: writeQuote,
  ol: listHandler(true),
  'ul menu dir': listHandler(false),
  li: itemHandler('- '),
  dd: itemHandler(': '),
  dt: writeTerm,
  figcaption: writeEmphasis,
  table: writeTable,
})

export function writeInline(writer: MarkdownWriter, tag: string, { node, depth }: Place): void {
  const handler = inlineHandlers.get(tag) ?? writeChildren
  handler(writer, node, depth)
}

export function writeBlock(writer: MarkdownWriter, tag: string, { node, depth }: Place): void {
  const level = headingLevel(writer.dom, tag, node)
  if (level > 0) writeHeading(writer, level, { node, depth })
  else (blockHandlers.get(tag) ?? writeChildren)(writer, node, depth)
}

/** 0 for an element that is not a heading. */
function headingLevel(dom: Dom<Node>, tag: string, node: Node): number {
  if (/^h[1-6]$/.test(tag)) return Number(tag[1])
  if (dom.attr(node, 'role') !== 'heading') return 0
  return Math.min(6, Math.max(1, parseNumber(dom.attr(node, 'aria-level'), 2)))
}
