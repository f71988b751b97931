import { isFailureCode } from '../../../contract/failures.ts'
import { type Message, textOf } from '../../../contract/message.ts'
import type { EngineError } from '../../../injected/runtime/errors.ts'
import type { EngineArguments, EngineMethod, EngineResult } from '../../../injected/trusted/methods.ts'
import { PagehandError } from '../errors.ts'
import type { Frame } from './frames.ts'

/** The engine in the isolated world of a frame. */
export type Engine = Pick<Frame, 'evaluate' | 'spell'>

type EngineResponse<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: EngineError }

/** Calls a method of the engine. A failure of the method is thrown, with refs as the session spells them. */
export async function callEngine<K extends EngineMethod>(
  engine: Engine,
  name: K,
  ...[payload = {}]: EngineArguments<K>
): Promise<EngineResult<K>> {
  const json = await engine.evaluate<string>(`__agentBrowser.invoke(${JSON.stringify(name)},${JSON.stringify(payload)})`)
  const response = JSON.parse(json) as EngineResponse<EngineResult<K>>
  if (!response.ok) throw engineFailure(engine, response.error)
  return response.data
}

export function engineFailure(engine: Pick<Engine, 'spell'>, { code, message, page }: EngineError): PagehandError {
  return new PagehandError(isFailureCode(code) ? code : 'outcome_unknown', endSentence(spellRefs(engine, message)), { page })
}

/** Messages of the engine end without a full stop, because others are built from them. */
export const endSentence = (message: Message): Message => (/[.!?…]$/.test(textOf(message)) ? message : [...message, '.'])

/** A message of the engine with the refs of the session. */
export const spellRefs = ({ spell }: Pick<Engine, 'spell'>, message: Message): Message =>
  message.map(part => (typeof part === 'string' ? part : { ref: spell(part.ref) }))

export const isTargetClosed = (error: unknown): boolean => error instanceof PagehandError && error.code === 'target_closed'
