import * as native from '../runtime/native-actions.ts'

// a page may have frozen its own functions: then `set` changes nothing, and does not throw
const { apply, set } = Reflect
const xhr = globalThis.XMLHttpRequest?.prototype

export interface PendingRequests {
  /** the number of unfinished requests */
  open(): number
  end(): void
}

/**
 * Counts the requests that scripts of the page start from now on. A page offers no way to list them, so fetch and XMLHttpRequest are
 * patched meanwhile; `end` restores them, unless the page has patched them itself since.
 */
export function watchRequests(): PendingRequests {
  let open = 0
  const done = () => {
    open--
  }
  const { fetch } = globalThis
  const send = xhr?.send
  // a Proxy prints like the function it wraps
  const patchedFetch =
    fetch &&
    new Proxy(fetch, {
      apply: (_, self, given) => {
        const answer: unknown = apply(fetch, self, given)
        open++
        native.after(answer, done)
        return answer
      },
    })
  const patchedSend =
    send &&
    new Proxy(send, {
      apply: (_, self, given) => {
        native.listen(self, 'loadend', done, { once: true })
        const answer: unknown = apply(send, self, given)
        open++
        return answer
      },
    })
  if (patchedFetch) set(globalThis, 'fetch', patchedFetch)
  if (patchedSend) set(xhr, 'send', patchedSend)
  return {
    open: () => open,
    end: () => {
      if (globalThis.fetch === patchedFetch) set(globalThis, 'fetch', fetch)
      if (xhr && xhr.send === patchedSend) set(xhr, 'send', send)
    },
  }
}
