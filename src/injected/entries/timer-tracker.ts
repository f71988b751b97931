/**
 * Tracks the timers that an action starts. The isolated world cannot see them, so functions of the page are patched during one action.
 * Callbacks that run because of our input have a depth of 1; a callback that such a callback schedules has one more. A timer scheduled at a
 * depth above 0 is pending. The tracker is only returned to the caller, so the page cannot find it by a name.
 */
export interface TimerTracker {
  /**
   * Resolves once no pending timer is due within `ms`. `waited` tells whether there was one, or one has run since the last call; `left` are
   * the times until the remaining ones, in milliseconds.
   */
  idle(ms: number): Promise<{ waited: boolean; left: number[] }>
  end(): void
}

/** a chain of timers longer than this is a clock */
const maxDepth = 10
/** a loading page starts many timers, and only the first of each chain bring content */
const loadingDepth = maxDepth - 3
/** ends by itself if the driver is gone, or a dialog blocks the page */
const maxTrackMs = 15_000
/** longer timers are not attributed to the action */
const maxTimerMs = 10_000

type AnyFunction = (...given: unknown[]) => unknown
/** calls the original function of a patched one; `self` is the new target of a constructor */
type Wrap = (original: AnyFunction, self: unknown, given: unknown[]) => unknown
type Patch = readonly [owner: object | undefined, names: readonly string[], wrap: Wrap]

export function trackTimers(view: Window & typeof globalThis, isLoading = false): TimerTracker {
  // pages replace Date and performance.now to pause or to speed up their animations; events have the same clock, which they leave alone
  const { Event } = view
  const now = () => new Event('').timeStamp
  const later = view.setTimeout.bind(view)
  const timers: PendingTimers = { unanswered: new Set(), due: new Map(), hasRun: false, now }
  const tasks = createTaskDepth(view, isLoading ? loadingDepth : 0)
  const restore = applyPatches(patchesFor(view, tasks, timers))
  const onInput = () => tasks.enter(1)
  const end = () => {
    restore()
    for (const type of inputEvents) view.removeEventListener(type, onInput, true)
    tasks.close()
  }
  try {
    for (const type of inputEvents) view.addEventListener(type, onInput, true)
  } catch (error) {
    end() // a page that makes addEventListener throw gets its own functions back
    throw error
  }
  later(end, maxTrackMs)

  return {
    idle: ms =>
      new Promise(resolve => {
        const until = now() + ms
        const isDue = () => timers.unanswered.size > 0 || [...timers.due.values()].some(due => due <= until)
        const wasDue = isDue()
        const waited = wasDue || timers.hasRun
        const done = () => {
          timers.hasRun = false
          // not every message has an answer
          timers.unanswered.clear()
          resolve({ waited, left: [...timers.due.values()].map(due => Math.round(Math.max(due - now(), 0))) })
        }
        if (!wasDue) return done()
        tasks.checks.push(() => {
          if (!isDue()) done()
        })
        later(done, ms)
      }),
    end,
  }
}

interface PendingTimers {
  /** messages that were sent to a server or a worker and have not been answered */
  readonly unanswered: Set<object>
  /** time at which each pending timer is due */
  readonly due: Map<number, number>
  /** whether a pending timer has run since the last call of `idle` */
  hasRun: boolean
  now(): number
}

interface TaskDepth {
  /** distance of the current task from our input; `idleDepth` for unrelated tasks */
  current(): number
  /** the current task and its microtasks have this depth */
  enter(depth: number): void
  /** the next message of the page is delivered at this depth */
  enterNext(depth: number): void
  /** runs the checks after the current task */
  checkLater(): void
  /** run after each message */
  readonly checks: (() => void)[]
  isOwnPort(port: unknown): boolean
  /** unrelated tasks, and all that come later, have a depth of 0: the page may have saved references to patched functions */
  close(): void
}

/** A message arrives after the current task and its microtasks: `[turn, 0]` ends the task of that turn, `[0, depth]` enters one. */
function createTaskDepth({ MessageChannel }: typeof globalThis, firstDepth: number): TaskDepth {
  let idleDepth = firstDepth
  let isClosed = false
  let depth = idleDepth
  let turn = 0
  const checks: (() => void)[] = []
  const channel = new MessageChannel()
  // before it is patched
  const post = channel.port2.postMessage.bind(channel.port2)
  const enter = (at: number) => {
    if (isClosed) return
    depth = Math.min(at, maxDepth)
    post([++turn, 0])
  }
  channel.port1.onmessage = ({ data: [at, next] }) => {
    if (next) enter(next)
    else if (at === turn) depth = idleDepth
    for (const check of checks) check()
  }
  return {
    current: () => depth,
    enter,
    enterNext: at => post([0, at]),
    checkLater: () => post([0, 0]),
    checks,
    isOwnPort: port => port === channel.port2,
    close: () => {
      isClosed = true
      depth = idleDepth = 0
      channel.port1.close()
    },
  }
}

function patchesFor(view: Window & typeof globalThis, tasks: TaskDepth, timers: PendingTimers): readonly Patch[] {
  // a socket or a worker calls listeners in the order in which they were added, so the listeners of the page run before ours
  const depthNow = () => tasks.current() || (timers.unanswered.size ? loadingDepth : 0)
  const wrapCallback = (depth: number, callback: unknown, before = () => {}) =>
    function (this: unknown, ...given: unknown[]) {
      before()
      tasks.enter(depth)
      return Reflect.apply(callback as AnyFunction, this, given)
    }
  const setTimer: Wrap = (original, self, given) => {
    const depth = depthNow()
    const [callback, delay = 0] = given
    if (!depth || typeof callback !== 'function') return Reflect.apply(original, self, given)
    const ms = Math.max(Number(delay) || 0, 0)
    let id = 0
    const wrapped = wrapCallback(depth + 1, callback, () => {
      if (timers.due.delete(id)) timers.hasRun = true
      tasks.checkLater()
    })
    id = Reflect.apply(original, self, [wrapped, ...given.slice(1)]) as number
    if (depth < maxDepth && ms <= maxTimerMs) timers.due.set(id, timers.now() + ms)
    return id
  }
  const clearTimer: Wrap = (original, self, given) => {
    if (timers.due.delete(given[0] as number)) tasks.checkLater()
    return Reflect.apply(original, self, given)
  }
  const requestCallback: Wrap = (original, self, given) => {
    const depth = depthNow()
    const [callback, ...options] = given
    return Reflect.apply(original, self, depth && typeof callback === 'function' ? [wrapCallback(depth + 1, callback), ...options] : given)
  }
  const returnPromise: Wrap = (original, self, given) => {
    const promise = Reflect.apply(original, self, given)
    const depth = depthNow()
    const onSettled = () => tasks.enter(depth + 1)
    if (depth) (promise as Promise<unknown>).then(onSettled, onSettled)
    return promise
  }
  const sendRequest: Wrap = (original, self, given) => {
    const depth = depthNow()
    if (depth)
      for (const type of ['readystatechange', 'load', 'loadend'])
        view.EventTarget.prototype.addEventListener.call(self, type, () => tasks.enter(depth + 1), { capture: true })
    return Reflect.apply(original, self, given)
  }
  // schedulers post messages to themselves; ours, posted just before, enters their task
  const postMessage: Wrap = (original, self, given) => {
    const depth = depthNow()
    if (depth && !tasks.isOwnPort(self)) tasks.enterNext(depth + 1)
    return Reflect.apply(original, self, given)
  }
  const awaitMessage = (sender: unknown, depth: number) => {
    const message = {}
    if (depth < maxDepth) timers.unanswered.add(message)
    const onAnswer = () => {
      if (timers.unanswered.delete(message)) timers.hasRun = true
      tasks.enter(depth + 1)
      tasks.checkLater()
    }
    for (const type of ['message', 'close', 'error'])
      view.EventTarget.prototype.addEventListener.call(sender, type, onAnswer, { capture: true, once: true })
  }
  // the next message of a socket or a worker is the answer to the one that was sent
  const sendMessage: Wrap = (original, self, given) => {
    const depth = depthNow()
    if (depth) awaitMessage(self, depth)
    return Reflect.apply(original, self, given)
  }
  // an action that connects to a server or starts a worker wants its first message; a page that loads may connect for later
  const connect: Wrap = (original, newTarget, given) => {
    const depth = depthNow()
    const connection = Reflect.construct(original, given, newTarget as AnyFunction)
    if (depth && depth < loadingDepth) awaitMessage(connection, depth)
    return connection
  }
  return [
    [view, ['setTimeout'], setTimer],
    [view, ['clearTimeout', 'clearInterval'], clearTimer],
    [view, ['requestAnimationFrame', 'requestIdleCallback'], requestCallback],
    [view, ['fetch'], returnPromise],
    [view.Response?.prototype, ['json', 'text', 'blob', 'arrayBuffer'], returnPromise],
    [view.XMLHttpRequest?.prototype, ['send'], sendRequest],
    [view.MessagePort.prototype, ['postMessage'], postMessage],
    [view.WebSocket?.prototype, ['send'], sendMessage],
    [view.Worker?.prototype, ['postMessage'], sendMessage],
    [view, ['WebSocket', 'EventSource', 'Worker'], connect],
  ]
}

/** Replaces functions of the page; the returned function restores those that the page has not replaced since. */
function applyPatches(patches: readonly Patch[]): () => void {
  const undo: (() => void)[] = []
  for (const [target, names, wrap] of patches) {
    const owner = (target ?? {}) as Record<string, unknown>
    for (const name of names) {
      const original = owner[name] as AnyFunction
      if (typeof original !== 'function') continue
      // a Proxy prints like the function it wraps
      const patched = new Proxy(
        original,
        /^[A-Z]/.test(name)
          ? { construct: (_, given, newTarget) => wrap(original, newTarget, given) as object }
          : { apply: (_, self, given) => wrap(original, self, given) },
      )
      owner[name] = patched
      undo.push(() => {
        if (owner[name] === patched) owner[name] = original
      })
    }
  }
  return () => {
    for (const step of undo.splice(0)) step()
  }
}

const inputEvents = (
  'pointerover pointerenter mouseover mouseenter pointermove mousemove pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu ' +
  'touchstart touchend wheel scroll keydown keypress keyup beforeinput input change submit focus blur focusin focusout ' +
  'dragstart dragenter dragover drop dragend transitionend animationend popstate hashchange'
).split(' ')
