import type { Code } from '../../contract/failures.ts'
import { complete } from '../options.ts'
import { createRefs } from '../refs.ts'
import { look } from './look.ts'
import * as native from './natives.ts'
import { pristine } from './pristine.ts'

declare const __VERSION__: string
const version = __VERSION__
/** getScript() writes a random word here; a page that made its own __agentBrowser beforehand cannot know it */
const seal = '__PAGEHAND_SEAL__'

const started = startedFirst()
const refs = createRefs<Node>()
const session = { refs, frames: new WeakMap<Document, string>(), frameCount: 0, snapshots: 0, verified: started, version }

type Answer = { readonly ok: boolean; readonly type: string }
const refuse = (type: string, code: Code, message: string, more: object = {}) => ({ ok: false, type, ...more, error: { code, message } })

/** Nothing that happens in here reaches the caller as an exception: a bug is an answer too. */
function guarded(type: string, code: Code, work: (tampered: boolean) => Answer): Answer {
  try {
    return pristine(work)
  } catch (error) {
    return refuse(type, code, error instanceof Error ? error.message : 'unknown error')
  }
}

const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 40) : typeof value)

const methods = {
  snapshot: (options?: unknown): Answer =>
    guarded('snapshot', 'snapshot_failed', tampered => {
      const whole = complete(options)
      return typeof whole === 'string' ? refuse('snapshot', 'invalid_input', whole) : look(session, whole, tampered)
    }),
  action: (ref?: unknown, kind?: unknown): Answer =>
    refuse('action', 'unsupported_action', `this version cannot ${word(kind)} yet`, { action: word(kind), ref: word(ref) }),
  query: (ref?: unknown, kind?: unknown): Answer =>
    refuse('query', 'unsupported_query', `this version cannot answer ${word(kind)} yet`, { kind: word(kind), ref: word(ref) }),
  page: (kind?: unknown): Answer => refuse('page', 'unsupported_page', `this version cannot ${word(kind)} yet`, { kind: word(kind) }),
}

/** The answer as a string, made where the page cannot reach in; `bridge` names a callback that gets it too. */
function call(name: keyof typeof methods, given: readonly unknown[] = []): string {
  const method = methods[name] as (...args: readonly unknown[]) => Answer
  const text = pristine(() => native.stringify(method(given[0], given[1], given[2])))
  const bridge = (given[0] as { bridge?: unknown } | undefined)?.bridge
  if (name === 'snapshot' && typeof bridge === 'string') tell(bridge, text)
  return text
}

/** `AgentBridge.onSnapshot` is a function of the host: it is called as a method of what holds it */
function tell(path: string, text: string): void {
  let owner: unknown = globalThis
  let target: unknown = globalThis
  for (const name of path.split('.')) {
    owner = target
    target = (target as Record<string, unknown> | undefined | null)?.[name]
  }
  if (typeof target !== 'function') return
  try {
    target.call(owner, text)
  } catch {
    // the callback belongs to the host or the page; its failure is not the snapshot's
  }
}

install()

function install(): string {
  const existing = globalThis as { __agentBrowser?: { seal?: unknown } }
  if (existing.__agentBrowser && isLocked() && existing.__agentBrowser.seal === seal) return 'again'
  const api = Object.freeze(Object.defineProperties({ version, ...methods }, { seal: { value: seal }, call: { value: call } }))
  return native.lock(globalThis, '__agentBrowser', api) ? 'installed' : 'refused'
}

// ours can never be replaced; whatever can be is the page's
function isLocked(): boolean {
  const own = Object.getOwnPropertyDescriptor(globalThis, '__agentBrowser')
  return own !== undefined && own.configurable === false && own.writable === false
}

/** whether this runs before the page's own scripts could: nothing is parsed yet */
function startedFirst(): boolean {
  const root = native.documentElement(document)
  return native.readyState(document) === 'loading' && (!root || !native.firstChild(root))
}
