/**
 * Timers that an action arms. They cannot be seen from another world, so for the time of one action these functions of the page are stood in
 * for. What runs because of our input is a cause; what a cause arms is pending, and a cause in its turn when it runs. Returned to whoever
 * evaluates this, and put nowhere: the page finds no name of ours.
 */
export interface TimerTracker {
  /** resolves when no timer is pending that is due within `ms`; tells whether there was one, and what is left, in milliseconds from now */
  idle(ms: number): Promise<{ waited: boolean; left: number[] }>
  end(): void
}

interface Timer {
  readonly due: number
}
/** a timer that arms the next one, and that one the next, is a clock */
const deepest = 10
/** a page that is just loading arms many, and only the first few of a chain are its content */
const fromLoading = deepest - 3
/** if nobody ends it: the page may have been left in a dialog, or its driver is gone */
const longest = 15_000
/** a timer of an hour is no answer to a click */
const farthest = 10_000

export function trackTimers(view: Window & typeof globalThis, everything = false): TimerTracker {
  const { performance, MessageChannel } = view
  const now = performance.now.bind(performance)
  const later = view.setTimeout.bind(view)
  const pending = new Map<number, Timer>()
  const undo: (() => void)[] = []
  const heard: (() => void)[] = []
  /** since it was last asked: who looked at the page before that has not seen what it did */
  let hasRun = false
  /** how far from our input what runs now is; 0 while something else runs, unless everything counts */
  let depth = everything ? fromLoading : 0

  // a message comes after the task that it is sent in, and after everything that was promised there
  const channel = new MessageChannel()
  const tell = channel.port2.postMessage.bind(channel.port2)
  let turn = 0
  channel.port1.onmessage = ({ data: [at, next] }) => {
    if (next) cause(next)
    else if (at === turn) depth = everything ? fromLoading : 0
    for (const check of heard) check()
  }
  const cause = (at: number) => {
    depth = Math.min(at, deepest)
    tell([++turn, 0])
  }

  const stand = (
    owner: object,
    name: string,
    apply: (original: (...given: unknown[]) => unknown, self: unknown, given: unknown[]) => unknown,
  ) => {
    const original = (owner as Record<string, unknown>)[name] as (...given: unknown[]) => unknown
    if (typeof original !== 'function') return
    // a Proxy looks like what it stands for, also to those who print it
    const ours = new Proxy(original, { apply: (_, self, given) => apply(original, self, given) })
    ;(owner as Record<string, unknown>)[name] = ours
    undo.push(() => {
      if ((owner as Record<string, unknown>)[name] === ours) (owner as Record<string, unknown>)[name] = original
    })
  }
  /** what is called back when something was done becomes a cause */
  const carrying = (at: number, work: unknown, before = () => {}) =>
    function (this: unknown, ...given: unknown[]) {
      before()
      cause(at)
      return Reflect.apply(work as () => unknown, this, given)
    }

  stand(view, 'setTimeout', (original, self, given) => {
    const [work, delay = 0] = given
    if (!depth || typeof work !== 'function') return Reflect.apply(original, self, given)
    const wait = Math.max(Number(delay) || 0, 0)
    let id = 0
    id = Reflect.apply(original, self, [
      carrying(depth + 1, work, () => {
        if (pending.delete(id)) hasRun = true
        tell([0, 0])
      }),
      ...given.slice(1),
    ]) as number
    if (depth < deepest && wait <= farthest) pending.set(id, { due: now() + wait })
    return id
  })
  for (const name of ['clearTimeout', 'clearInterval'])
    stand(view, name, (original, self, given) => {
      if (pending.delete(given[0] as number)) tell([0, 0])
      return Reflect.apply(original, self, given)
    })
  for (const name of ['requestAnimationFrame', 'requestIdleCallback'])
    stand(view, name, (original, self, given) =>
      Reflect.apply(original, self, depth && typeof given[0] === 'function' ? [carrying(depth + 1, given[0]), ...given.slice(1)] : given),
    )
  const promising = (original: (...given: unknown[]) => unknown, self: unknown, given: unknown[]) => {
    const answer = Reflect.apply(original, self, given)
    const at = depth + 1
    const carry = () => cause(at)
    if (depth) (answer as Promise<unknown>).then(carry, carry)
    return answer
  }
  stand(view, 'fetch', promising)
  for (const name of ['json', 'text', 'blob', 'arrayBuffer']) stand(view.Response?.prototype ?? {}, name, promising)
  stand(view.XMLHttpRequest?.prototype ?? {}, 'send', (original, self, given) => {
    const at = depth + 1
    if (depth)
      for (const type of ['readystatechange', 'load', 'loadend'])
        view.EventTarget.prototype.addEventListener.call(self, type, () => cause(at), { capture: true })
    return Reflect.apply(original, self, given)
  })
  // schedulers post messages to themselves: ours, sent just before, makes theirs a cause
  stand(view.MessagePort.prototype, 'postMessage', (original, self, given) => {
    if (depth && self !== channel.port2) tell([0, depth + 1])
    return Reflect.apply(original, self, given)
  })

  const hear = () => cause(1)
  const end = () => {
    for (const step of undo.splice(0)) step()
    for (const type of inputs) view.removeEventListener(type, hear, true)
    channel.port1.close()
  }
  try {
    for (const type of inputs) view.addEventListener(type, hear, true)
  } catch (error) {
    end() // a page that keeps others from listening gets all of its own back
    throw error
  }
  later(end, longest)

  return {
    idle: ms =>
      new Promise(resolve => {
        const until = now() + ms
        const soon = () => [...pending.values()].filter(({ due }) => due <= until)
        const isDue = soon().length > 0
        const waited = isDue || hasRun
        const done = () => {
          hasRun = false
          resolve({ waited, left: [...pending.values()].map(({ due }) => Math.round(Math.max(due - now(), 0))) })
        }
        if (!isDue) return done()
        heard.push(() => {
          if (!soon().length) done()
        })
        later(done, ms)
      }),
    end,
  }
}

const inputs = (
  'pointerover pointerenter mouseover mouseenter pointermove mousemove pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu ' +
  'touchstart touchend wheel scroll keydown keypress keyup beforeinput input change submit focus blur focusin focusout ' +
  'dragstart dragenter dragover drop dragend transitionend animationend popstate hashchange'
).split(' ')
