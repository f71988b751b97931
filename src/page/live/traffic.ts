import * as lever from './levers.ts'

const { apply } = Reflect
const xhr = globalThis.XMLHttpRequest?.prototype

export interface Traffic {
  /** how many are under way */
  open(): number
  end(): void
}

/**
 * Requests that the page's own scripts begin from now on. There is no way to ask a page for them, so for this time fetch and
 * XMLHttpRequest are stood in for; `end` gives the page its own again, unless it has put something else there meanwhile.
 */
export function traffic(): Traffic {
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
        lever.after(answer, done)
        return answer
      },
    })
  const sending =
    send &&
    new Proxy(send, {
      apply: (_, self, given) => {
        lever.listen(self, 'loadend', done, { once: true })
        open++
        return apply(send, self, given)
      },
    })
  if (fetching) globalThis.fetch = fetching
  if (sending) xhr.send = sending
  return {
    open: () => open,
    end: () => {
      if (globalThis.fetch === fetching) globalThis.fetch = fetch
      if (xhr && xhr.send === sending) xhr.send = send
    },
  }
}
