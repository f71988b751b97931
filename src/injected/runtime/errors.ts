import type { FailureCode } from '../../contract/failures.ts'

interface Ref {
  readonly ref: string
}
/** A message in parts. Refs stay apart from the text, so that a driver can write each ref the way its session does. */
export type Message = readonly (string | Ref)[]

/** Thrown if a command cannot be carried out; the entry turns it into a failed response. */
export interface EngineError {
  readonly code: FailureCode
  readonly message: Message
  /** ref of the element in the way */
  readonly by?: string
  /** the list was closed and is being opened: the same call finds its options in a moment */
  readonly opened?: true
}

/** a DOMException has a `code` too, but a numeric one */
export const isEngineError = (error: unknown): error is EngineError => typeof (error as EngineError | null)?.code === 'string'

export const engineError = (code: FailureCode, message: string | Message, by?: string): EngineError => ({
  code,
  message: typeof message === 'string' ? [message] : message,
  ...(by ? { by } : {}),
})

/** The tag of a message template: an interpolated object with a `ref`, such as a target, becomes a ref of the message. */
export const say = (texts: TemplateStringsArray, ...values: readonly (string | number | Ref | Message)[]): Message => {
  const parts: (string | Ref)[] = [texts[0] as string]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as (typeof values)[number]
    if (Array.isArray(value)) parts.push(...(value as Message))
    else parts.push(typeof value === 'object' ? { ref: (value as Ref).ref } : `${value}`)
    parts.push(texts[i + 1] as string)
  }
  return parts
}

/** the message with refs as the engine of this document writes them */
export const textOf = (message: Message): string => message.map(part => (typeof part === 'string' ? part : part.ref)).join('')

/** the error as a response of the page API carries it */
export const failureOf = (error: EngineError) => ({ ...error, message: textOf(error.message) })
