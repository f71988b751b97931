import { shortHref, visibleHint } from '../attributes.ts'
import type { Detail } from '../detail.ts'
import { roomyBudget, shortReasons, shortTitle, shortUrl } from '../header.ts'
import type { RenderNode } from '../passes.ts'
import { quote } from '../quote.ts'
import type { LineContext, PageParts, Writer } from '../writer.ts'

/** One JSON object; a node is one line of it, so a cut falls between nodes. */
export const json: Writer = {
  nested: true,
  shows: () => true,
  line: ({ node, depth }, { detail, url }) =>
    jsonObject({
      ref: node.ref && quote(node.ref),
      role: quote(node.role),
      name: node.name && quote(node.name, detail.text),
      text: node.text && quote(node.text, detail.text),
      value: node.value === undefined ? '' : quote(node.value, detail.text),
      hint: hintField(node, detail),
      attrs: attributesField(node, { detail, url }),
      states: node.states ? statesField(node.states, detail) : '',
      visible: node.visible === false && 'false',
      off: node.offset !== undefined && `${node.offset}`,
      new: node.new && 'true',
      box: node.box && detail.boxes && JSON.stringify(node.box),
      depth: `${depth}`,
    }),
  gap: (_, missing, advice) => jsonObject({ more: quote(missing), show: advice && quote(advice) }),
  page: ({ header, lines, notes }: PageParts) => {
    const { viewport, scroll, dialog } = header.maxCharsTotal >= roomyBudget ? header.meta : {}
    const nodes = lines.length > 0 ? `[\n${lines.join(',\n')}\n]` : '[]'
    return jsonObject({
      type: '"snapshot"',
      url: shortUrl(header),
      title: shortTitle(header),
      viewport: viewport && JSON.stringify(viewport),
      scroll: scroll && JSON.stringify(scroll),
      dialog: dialog && quote(dialog),
      nodes,
      left: `${header.nodesOmitted}`,
      truncated: `${header.truncated}`,
      truncateReasons: shortReasons(header),
      notes: notes.length > 0 && `[${notes.map(note => quote(note)).join()}]`,
    })
  },
}

function hintField(node: RenderNode, { attribute }: Detail): string {
  const hint = visibleHint(node)
  return hint ? jsonObject({ text: quote(hint.text, attribute), from: quote(hint.from) }) : ''
}

function statesField(states: NonNullable<RenderNode['states']>, { attribute }: Detail): string {
  const fields = Object.entries(states).map(([name, value]) => [name, typeof value === 'string' ? quote(value, attribute) : `${value}`])
  return jsonObject(Object.fromEntries(fields))
}

function attributesField(node: RenderNode, { detail, url }: Pick<LineContext, 'detail' | 'url'>): string {
  const maxChars = (name: string) => (name !== 'href' ? detail.attribute : node.name ? detail.namedHref : detail.href)
  const shown = Object.entries(node.attrs).filter(([name, value]) => {
    if (name === 'role' || (name === 'aria-label' && value === node.name) || maxChars(name) === 0) return false
    return detail.more || !node.name || name === 'href' || name === 'placeholder'
  })
  if (shown.length === 0) return ''
  return jsonObject(
    Object.fromEntries(shown.map(([name, value]) => [name, quote(name === 'href' ? shortHref(value, url) : value, maxChars(name))])),
  )
}

/** From names and values that are JSON already; empty values are omitted. */
function jsonObject(fields: { readonly [name: string]: string | false | undefined }): string {
  const written = Object.entries(fields).flatMap(([name, value]) => (value ? `${quote(name)}:${value}` : []))
  return `{${written.join()}}`
}
