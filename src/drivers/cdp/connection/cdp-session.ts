import type { EventName, EventPayload, Method, Params, ReturnValue } from './protocol.ts'

/** The CDP session of one target: a page, or a frame in another process. */
export interface CdpSession {
  send<M extends Method>(method: M, params?: Params<M>): Promise<ReturnValue<M>>
  /** returns the function that removes the listener */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void
}
