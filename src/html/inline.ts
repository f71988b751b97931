export type Mark = { readonly kind: '**' | '*' | '~~' } | { readonly kind: '['; readonly target: string }
export type Token =
  | { readonly is: 'text'; value: string }
  | { readonly is: 'code'; value: string }
  | { readonly is: 'raw'; readonly value: string }
  | { readonly is: 'open'; readonly mark: Mark }
  | { readonly is: 'close'; readonly mark: Mark }
  | { readonly is: 'break' }

/** Renders tokens as one paragraph. Space and breaks move out of marks, several breaks become one, and empty marks are dropped. */
export function renderInline(tokens: readonly Token[], markdown: boolean): string {
  const out: string[] = []
  const open: Mark[] = []
  const waiting: Mark[] = []
  let space = false
  let broken = false
  let closed: Mark | null = null

  const begin = (mark: Mark): void => {
    const last = out[out.length - 1]
    // **a****b** would not be parsed as two strong words
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
      content(!markdown ? words : token.is === 'code' ? inlineCode(words) : escapeMarkdown(words, inLink))
      space = text.endsWith(' ')
    }
  }
  for (const mark of [...open].reverse()) end(mark)
  return out.join('')
}

export function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1)
  return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : fence + text + fence
}

export const longestRun = (text: string): number => (text.match(/`+/g) ?? []).reduce((max, run) => Math.max(max, run.length), 0)

// Characters that are invisible or change the direction of text: C0 except white space, C1, soft hyphen, fillers, bidi controls,
// zero-width characters, annotations, non-characters, the tag block and the variation selectors after it, and lone surrogates
const invisible =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e00ff}\p{Cs}]|[\u{e0100}-\u{e01ef}]|[\u{e01f0}-\u{e03ff}]|\u034f|\u17b4|\u17b5/gu

/** Removes invisible characters. All text of the page passes through here. */
export const cleanText = (text: string): string => text.replace(invisible, '').replace(/[\u0085\u2028\u2029]/g, '\n')

const markup = /\\(?=[!-/:-@[-`{-~]|$)|[`*_[\]]|<(?=[a-z/!?])|&(?=#?\w{1,40};)|~(?=~)/gi

/** Escapes characters of page text that would become markup; others stay unescaped, so that the text remains readable. */
export function escapeMarkdown(text: string, inLink: boolean): string {
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

/** Escapes a line of page text that would start a heading, quote, list, rule, table or fence. */
export const escapeLineStart = (line: string): string =>
  structure.test(line) ? `\\${line}` : line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

export const maxHref = 2_000
export const maxTargetChars = 200
export const isScriptUrl = (url: string): boolean => /^(javascript|data|vbscript):/i.test(url.replace(/\s+/g, ''))

/** A URL as the target of a Markdown link: no character of it can end the link, and it cannot look like a ref (`@e1`). */
export function linkTarget(href: string): string {
  const text = href.slice(0, maxTargetChars).replace(/[\ud800-\udbff]$/, '')
  return text.replace(/^@|[\s()<>[\]\\`*_|]/g, sign =>
    /[*_]/.test(sign) ? sign : `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}
