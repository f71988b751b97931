import { cut } from './text.ts'

interface RefPart {
  readonly ref: string
}

/** A message in parts. Refs stay apart from the text, so that each surface can write them its own way: e15, or [15] in a flat list. */
export type Message = readonly (string | RefPart)[]

/** `never` for every string but a literal one: text that is computed may be the page's, and page text is a field of the failure. */
// biome-ignore lint/complexity/noBannedTypes: {} extends Record<T, 1> tells a pattern such as `a${string}` from a literal
export type Literal<T> = T extends string ? ({} extends { readonly [text in T]: 1 } ? never : T) : T

type Part = string | number | RefPart | Message

/**
 * The tag of a message template. An interpolated object with a `ref`, such as a target, becomes a ref of the message. Strings must be
 * literals, `term` or `quoted`, so that text of the page cannot become part of a sentence (A1).
 */
export const say = <const P extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...values: P & { readonly [I in keyof P]: Literal<P[I]> }
): Message => {
  const parts: (string | RefPart)[] = [texts[0] as string]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as Part
    if (Array.isArray(value)) parts.push(...(value as Message))
    else parts.push(typeof value === 'object' ? { ref: (value as RefPart).ref } : `${value}`)
    parts.push(texts[i + 1] as string)
  }
  return parts
}

/** Our own word that is computed: the name of a verb or an option, a list of them, a unit, an error code. Never text of the page. */
export const term = (text: string): readonly [string] => [text]

/** What the caller or this machine gave us, in quotes: a selector, a path, a URL to open. Never text of the page. */
export const quoted = (text: unknown, max = 80): readonly [string] => [JSON.stringify(cut(`${text}`, max))]

/** The text of a message; `spell` writes a ref. */
export const textOf = (message: Message, spell: (ref: string) => string = ref => ref): string =>
  message.map(part => (typeof part === 'string' ? part : spell(part.ref))).join('')
