import * as native from '../runtime/native-actions.ts'

// a page may have locked its own: then `set` changes nothing, and does not throw
const { apply, set } = Reflect
const xhr = globalThis.XMLHttpRequest?.prototype

export interface PendingRequests {
  /** how many are under way */
  open(): number
  end(): void
}

/**
 * Requests that the page's own scripts begin from now on. There is no way to ask a page for them, so for this time fetch and
 * XMLHttpRequest are stood in for; `end` gives the page its own again, unless it has put something else there meanwhile.
 */
export function watchRequests(): PendingRequests {
  let open = 0
  const done = () => {
    open--
  }
  const { fetch } = globalThis
  const send = xhr?.send
  // a Proxy looks like what it stands for, also to those who print it
  const fetching =
    fetch &&
    new Proxy(fetch, {
      apply: (_, self, given) => {
        const answer: unknown = apply(fetch, self, given)
        open++
        native.after(answer, done)
        return answer
      },
    })
  const sending =
    send &&
    new Proxy(send, {
      apply: (_, self, given) => {
        native.listen(self, 'loadend', done, { once: true })
        const answer: unknown = apply(send, self, given)
        open++
        return answer
      },
    })
  if (fetching) set(globalThis, 'fetch', fetching)
  if (sending) set(xhr, 'send', sending)
  return {
    open: () => open,
    end: () => {
      if (globalThis.fetch === fetching) set(globalThis, 'fetch', fetch)
      if (xhr && xhr.send === sending) set(xhr, 'send', send)
    },
  }
}
