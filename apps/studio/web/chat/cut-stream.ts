/** The stream of an answer failed on its way; the run goes on, and the stream is resumed. */
export class StreamCut extends Error {
  constructor(cause: unknown) {
    super('the connection was interrupted', { cause })
  }
}

const isStopped = (init: RequestInit | undefined): boolean => init?.signal?.aborted === true

/**
 * `fetch` whose network errors are a `StreamCut`. After other network errors the AI SDK would add what is resumed to what it has; the server
 * repeats the whole message, so that its text would be shown twice.
 */
export const fetchStream: typeof fetch = async (input, init) => {
  const cut = (error: unknown) => (isStopped(init) ? error : new StreamCut(error))
  const response = await fetch(input, init).catch((error: unknown) => {
    throw cut(error)
  })
  // 204: nothing is being written
  if (response.status === 204 || response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(cut(error))
      }
    },
    cancel: reason => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
