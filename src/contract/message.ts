interface RefPart {
  readonly ref: string
}

/** A message in parts. Refs stay apart from the text, so that each surface can write them its own way: e15, or [15] in a flat list. */
export type Message = readonly (string | RefPart)[]

/** The tag of a message template: an interpolated object with a `ref`, such as a target, becomes a ref of the message. */
export const say = (texts: TemplateStringsArray, ...values: readonly (string | number | RefPart | Message)[]): Message => {
  const parts: (string | RefPart)[] = [texts[0] as string]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as (typeof values)[number]
    if (Array.isArray(value)) parts.push(...(value as Message))
    else parts.push(typeof value === 'object' ? { ref: (value as RefPart).ref } : `${value}`)
    parts.push(texts[i + 1] as string)
  }
  return parts
}

/** The text of a message; `spell` writes a ref. */
export const textOf = (message: Message, spell: (ref: string) => string = ref => ref): string =>
  message.map(part => (typeof part === 'string' ? part : spell(part.ref))).join('')
