import type { Dom } from '../engine/dom.ts'
import { cleanText, longestRun } from './inline.ts'
import type { MarkdownWriter } from './markdown-writer.ts'
import type { Node } from './tree.ts'

/** Writes a `<pre>` as a fenced code block, or as its bare lines in plain text. */
export function writePreformatted(writer: MarkdownWriter, node: Node): void {
  const text = verbatimText(writer, node)
  if (!text) return
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const body = text.split('\n')
  writer.lines.block(writer.isMarkdown ? [fence + languageOf(writer.dom, node), ...body, fence] : body)
}

/** The text with its white space and line breaks. */
function verbatimText(writer: MarkdownWriter, root: Node): string {
  const { dom } = writer
  const pieces: string[] = []
  const add = (piece: string) => piece && pieces.push(piece)
  const endLine = () => add((pieces[pieces.length - 1] ?? '\n').endsWith('\n') ? '' : '\n')
  const stack: (Node | null)[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === null) endLine()
    else if (!writer.isShown(node)) continue
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

/** The language of a code block, from the class names that highlighters use, or ''. */
function languageOf(dom: Dom<Node>, pre: Node): string {
  const inner = Array.from(dom.children(pre)).find(child => dom.tag(child) === 'code')
  const classes = `${dom.attr(pre, 'class') ?? ''} ${(inner && dom.attr(inner, 'class')) ?? ''}`.slice(0, 500)
  return /(?:^|\s)(?:lang|language|highlight-source)-([\w+#-]{1,20})(?=\s|$)/.exec(classes)?.[1] ?? ''
}
