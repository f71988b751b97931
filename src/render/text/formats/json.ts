import { shortHref, tellingHint } from '../attributes.ts'
import type { Detail } from '../detail.ts'
import { shortReasons, shortTitle, shortUrl, spacious } from '../header.ts'
import type { View } from '../passes.ts'
import { quote } from '../quote.ts'
import type { Parts, Telling, Writer } from '../writer.ts'

/** One JSON object; a node is one line of it, so a cut falls between nodes. */
export const json: Writer = {
  nested: true,
  shows: () => true,
  line: ({ view, depth }, { detail, page }) =>
    object({
      ref: view.ref && quote(view.ref),
      role: quote(view.role),
      name: view.name && quote(view.name, detail.text),
      text: view.text && quote(view.text, detail.text),
      value: view.value === undefined ? '' : quote(view.value, detail.text),
      hint: hintOf(view, detail),
      attrs: attributes(view, { detail, page }),
      states: view.states
        ? object(mapped(view.states, value => (typeof value === 'string' ? quote(value, detail.attribute) : `${value}`)))
        : '',
      visible: view.visible === false && 'false',
      off: view.offset !== undefined && `${view.offset}`,
      new: view.new && 'true',
      box: view.box && detail.boxes && JSON.stringify(view.box),
      depth: `${depth}`,
    }),
  gap: (_, says, where) => object({ more: quote(says), show: where && quote(where) }),
  page: ({ facts, lines, notes }: Parts) => {
    const { viewport, scroll, dialog } = facts.maxCharsTotal >= spacious ? facts.meta : {}
    const nodes = lines.length > 0 ? `[\n${lines.join(',\n')}\n]` : '[]'
    return object({
      type: '"snapshot"',
      url: shortUrl(facts),
      title: shortTitle(facts),
      viewport: viewport && JSON.stringify(viewport),
      scroll: scroll && JSON.stringify(scroll),
      dialog: dialog && quote(dialog),
      nodes,
      left: `${facts.left}`,
      truncated: `${facts.truncated}`,
      truncateReasons: shortReasons(facts),
      notes: notes.length > 0 && `[${notes.map(note => quote(note)).join()}]`,
    })
  },
}

function hintOf(view: View, { attribute }: Detail): string {
  const hint = tellingHint(view)
  return hint ? object({ text: quote(hint.text, attribute), from: quote(hint.from) }) : ''
}

function attributes(view: View, { detail, page }: Pick<Telling, 'detail' | 'page'>): string {
  const kept = Object.entries(view.attrs).filter(([name, value]) => name !== 'role' && !(name === 'aria-label' && value === view.name))
  const most = (name: string) => (name !== 'href' ? detail.attribute : view.name ? detail.namedHref : detail.href)
  const shown = kept.filter(([name]) => most(name) > 0 && (detail.more || !view.name || name === 'href' || name === 'placeholder'))
  if (shown.length === 0) return ''
  return object(
    Object.fromEntries(shown.map(([name, value]) => [name, quote(name === 'href' ? shortHref(value, page.url) : value, most(name))])),
  )
}

/** from names and values that are JSON already; what is empty is left out */
function object(fields: { readonly [name: string]: string | false | undefined }): string {
  const written = Object.entries(fields).flatMap(([name, value]) => (value ? `${quote(name)}:${value}` : []))
  return `{${written.join()}}`
}

const mapped = (fields: object, write: (value: unknown) => string): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, write(value)]))
