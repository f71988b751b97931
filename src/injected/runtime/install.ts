import type { FailureCode } from '../../contract/failures.ts'
import { complete } from '../../engine/options.ts'
import { createRefs, hold } from '../../engine/refs.ts'
import { refuse, type Session, takeSnapshot } from '../view/snapshot.ts'
import * as native from './natives.ts'
import { pristine } from './pristine.ts'

declare const __VERSION__: string
const version = __VERSION__
/** getScript() writes a random word here; a page that made its own __agentBrowser beforehand cannot know it */
const seal = '__PAGEHAND_SEAL__'

const made = (traffic?: Session['traffic']): Session => ({
  refs: createRefs<Node>(hold),
  onceSecret: new WeakSet<Node>(),
  frames: new WeakMap(),
  frameCount: 0,
  kind: '',
  verified: startedFirst(),
  version,
  ...(traffic && { traffic }),
})

type Answer = { readonly ok: boolean; readonly type: string }

/** Nothing that happens in here reaches the caller as an exception: a bug is an answer too. */
export function guarded(type: string, code: FailureCode, work: (tampered: boolean) => Answer): Answer {
  try {
    return pristine(work)
  } catch (error) {
    return refuse(code, `${(error as Error)?.message}`, type)
  }
}

type Method = (...given: readonly never[]) => Answer
type Methods = { readonly [name: string]: Method }

interface Hands {
  readonly methods?: (session: Session) => Methods
  /** what only a driver asks for, that holds objects of the page or waits for it */
  readonly doors?: (session: Session) => { readonly [name: string]: unknown }
  readonly traffic?: Session['traffic']
}

/** Puts `window.__agentBrowser` into the page: it can look, and do what the hands can. */
export function install({ methods: hands = () => ({}), doors = () => ({}), traffic }: Hands = {}): void {
  const session = made(traffic)
  const methods: Methods = {
    snapshot: (options?: unknown): Answer =>
      guarded('snapshot', 'snapshot_failed', tampered => {
        const whole = complete(options)
        return typeof whole === 'string' ? refuse('invalid_input', whole, 'snapshot') : takeSnapshot(session, whole, tampered)
      }),
    ...hands(session),
  }

  /** The answer as a string, made where the page cannot reach in; `bridge` names a callback that gets it too. */
  function call(name: string, given: readonly never[] = []): string {
    const method = methods[name] ?? (() => refuse(`unsupported_${name}` as FailureCode, 'this one only looks', name))
    const text = pristine(() => native.stringify(method(...given)))
    const bridge = (given[0] as { bridge?: unknown } | undefined)?.bridge
    if (name === 'snapshot' && typeof bridge === 'string') tell(bridge, text)
    return text
  }

  // ours is locked and knows the seal; whatever else stands there is the page's, and goes if it can
  const own = Object.getOwnPropertyDescriptor(globalThis, '__agentBrowser')
  if (!own || own.configurable || own.value?.seal !== seal)
    native.lock(
      '__agentBrowser',
      Object.freeze(Object.defineProperties({ version, ...methods }, hidden({ seal, call, ...doors(session) }))),
    )
}

const hidden = (doors: { readonly [name: string]: unknown }): PropertyDescriptorMap => {
  const map: PropertyDescriptorMap = {}
  for (const name of Object.keys(doors)) map[name] = { value: doors[name] }
  return map
}

type Holder = { readonly [name: string]: unknown }

/** `AgentBridge.onSnapshot` is a function of the host: it is called as a method of what holds it */
function tell(path: string, text: string): void {
  const parts = path.split('.')
  const name = parts.pop() as string
  try {
    const owner = parts.reduce((holder, part) => holder[part] as Holder, globalThis as unknown as Holder)
    ;(owner as { [name: string]: (text: string) => void })[name]?.(text)
  } catch {
    // the callback belongs to the host or the page; its failure is not the snapshot's
  }
}

/** whether this runs before the page's own scripts could: nothing is parsed yet */
function startedFirst(): boolean {
  const root = native.documentElement(document)
  return native.readyState(document) === 'loading' && (!root || !native.firstChild(root))
}
