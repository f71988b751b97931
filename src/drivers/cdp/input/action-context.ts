import type { EngineArguments, EngineMethod, EngineResult } from '../../../injected/trusted/methods.ts'
import type { Method, Params, ReturnValue } from '../connection/protocol.ts'
import type { Frame } from '../page/frames.ts'
import type { InputContext } from './input-context.ts'

/** One action while it is performed. */
export interface ActionContext {
  readonly input: InputContext
  /** the frame of the element, or the top frame */
  readonly frame: Frame
  /** the element, as the engine of that frame spells its ref */
  readonly ref: string | undefined
  /** calls a method of the engine in that frame; throws its failure */
  call<K extends EngineMethod>(name: K, ...payload: EngineArguments<K>): Promise<EngineResult<K>>
  /** dispatches trusted input; throws once the action is over */
  dispatch<M extends Method>(method: M, params: Params<M>): Promise<ReturnValue<M>>
  /** resolves when the page is watched: changes from then on are effects of the action */
  readonly ready: Promise<unknown>
  /** marks the action as not trusted: a script had to perform a part of it, and the page can tell */
  markUntrusted(): void
}
