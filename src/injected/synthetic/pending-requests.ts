import * as native from '../runtime/native-actions.ts'

// a page may have frozen its own functions: then `set` changes nothing, and does not throw
const { apply, set } = Reflect
const xhr = globalThis.XMLHttpRequest?.prototype

export interface PendingRequests {
  /** the number of unfinished requests */
  open(): number
  /** whether a request was started, or a beacon was sent */
  hasSent(): boolean
  /** the time in milliseconds until each timer that the action has set */
  timers(): readonly number[]
  end(): void
}

type AnyFunction = (...given: unknown[]) => unknown

/** a chain of timers longer than this is a clock */
const maxDepth = 10
/** longer timers are not attributed to the action */
const maxTimerMs = 10_000

/**
 * Counts the requests that scripts of the page start from now on, and the timers that the current task sets, or the timers and requests
 * that follow from it. A page offers no way to list them, so its functions are patched until `end` restores them, unless the page has
 * patched them itself since.
 */
export function watchRequests(): PendingRequests {
  let open = 0
  let hasSent = false
  /** distance of the current task from the action; 0 for tasks that have nothing to do with it */
  let depth = 0
  const due = new Map<unknown, number>()
  const undo: (() => void)[] = []
  // the next task is the end of this one and its microtasks
  const enter = (at: number) => {
    depth = at
    native.later(() => {
      depth = 0
    }, 0)
  }
  const patch = (owner: object | undefined, name: string, wrap: (original: AnyFunction, self: unknown, given: unknown[]) => unknown) => {
    const holder = (owner ?? {}) as Record<string, unknown>
    const original = holder[name]
    if (typeof original !== 'function') return
    // a Proxy prints like the function it wraps
    const patched = new Proxy(original as AnyFunction, { apply: (_, self, given) => wrap(original as AnyFunction, self, given) })
    set(holder, name, patched)
    undo.push(() => {
      if (holder[name] === patched) set(holder, name, original)
    })
  }
  const startRequest = () => {
    const from = depth
    open++
    hasSent = true
    return () => {
      open--
      if (from) enter(from + 1)
    }
  }
  patch(globalThis, 'fetch', (fetch, self, given) => {
    const answer = apply(fetch, self, given)
    native.after(answer, startRequest())
    return answer
  })
  patch(xhr, 'send', (send, self, given) => {
    let done = () => {}
    native.listen(self as object, 'loadend', () => done(), { once: true })
    const answer = apply(send, self, given)
    done = startRequest()
    return answer
  })
  patch(globalThis.Navigator?.prototype, 'sendBeacon', (send, self, given) => {
    hasSent = true
    return apply(send, self, given)
  })
  patch(globalThis, 'setTimeout', (setTimer, self, given) => {
    const [callback, delay, ...rest] = given
    const ms = Math.max(Number(delay) || 0, 0)
    const from = depth
    if (!from || from > maxDepth || ms > maxTimerMs || typeof callback !== 'function') return apply(setTimer, self, given)
    const id = apply(setTimer, self, [
      function (this: unknown, ...args: unknown[]) {
        due.delete(id)
        enter(from + 1)
        return apply(callback as AnyFunction, this, args)
      },
      delay,
      ...rest,
    ])
    due.set(id, native.now() + ms)
    return id
  })
  patch(globalThis, 'clearTimeout', (clearTimer, self, given) => {
    due.delete(given[0])
    return apply(clearTimer, self, given)
  })
  enter(1)
  return {
    open: () => open,
    hasSent: () => hasSent,
    timers: () => Array.from(due.values(), at => Math.max(Math.round(at - native.now()), 0)),
    end: () => {
      for (const step of undo.splice(0)) step()
    },
  }
}
