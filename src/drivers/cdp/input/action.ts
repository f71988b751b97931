import { type FailureCode, isFailureCode } from '../../../contract/failures.ts'
import type { Method, Params, ReturnValue } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import type { Frame } from '../page/frames.ts'
import type { InputContext } from './context.ts'

/** One action while it is being carried out. */
export interface ActionContext {
  readonly input: InputContext
  /** the document that is acted in */
  readonly frame: Frame
  /** the element, as the engine of that document knows it */
  readonly ref: string | undefined
  /** something that the engine does, or tells; where it refuses, that is thrown */
  call<T>(name: string, payload?: object): Promise<T>
  /** input of the browser itself; nothing more is put in once the action is over, whoever ended it */
  dispatch<M extends Method>(method: M, params: Params<M>): Promise<ReturnValue<M>>
  /** the page is watched from here on: what comes now is the effect of the action */
  readonly ready: Promise<unknown>
  /** a script had to do a part of it, and the page can tell */
  byScript(): void
}

interface Refusal {
  readonly ref?: string | undefined
  readonly error?: { readonly code: FailureCode; readonly message: string; readonly by?: string } | undefined
}
interface Answer<T> extends Refusal {
  readonly ok: boolean
  readonly data?: T
}

/** Asks the engine of a document for a deed; what it refuses is thrown, with refs spelled as the session spells them. */
export async function callEngine<T>(hands: InputContext, frame: Frame, name: string, payload: object = {}): Promise<T> {
  const { ok, data, ref, error } = JSON.parse(
    await frame.evaluate<string>(`__agentBrowser.when(${JSON.stringify(name)},${JSON.stringify(payload)})`),
  ) as Answer<T>
  if (ok) return data as T
  throw engineError(hands, frame, { ref, error })
}

export function engineError(hands: InputContext, frame: Frame, { ref, error }: Refusal): PagehandError {
  const { code, message, by } = error ?? { code: 'outcome_unknown', message: 'The page gave no answer.' }
  const refs = [ref, by].flatMap(each => (each ? [each] : []))
  const words = refs.length ? new RegExp(`\\b(${refs.join('|')})\\b`, 'g') : /$^/
  const said = message.replace(words, local => hands.spell(frame, local))
  return new PagehandError(isFailureCode(code) ? code : 'outcome_unknown', /[.!?…]$/.test(said) ? said : `${said}.`)
}

export const isGone = (error: unknown): boolean => error instanceof PagehandError && error.code === 'target_closed'
