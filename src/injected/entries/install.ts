import type { FailureCode } from '../../contract/failures.ts'
import { resolveOptions } from '../../engine/options.ts'
import { builtInsReplaced, unexpected } from '../runtime/errors.ts'
import * as native from '../runtime/natives.ts'
import { effectCount, pristine, trustBuiltIns } from '../runtime/pristine.ts'
import { createSession, type Session, version } from '../runtime/session.ts'
import { observeListeners, visibleHandlers } from '../view/observed-listeners.ts'
import { type SecretReport, watchSecretFields } from '../view/secret-fields.ts'
import { refuse, takeSnapshot } from '../view/snapshot.ts'

/** getScript() replaces this by a random word; a page that made its own __agentBrowser beforehand cannot know it */
const seal = '__PAGEHAND_SEAL__'

export type Response = { readonly ok: boolean; readonly type: string }

/** Runs `work` on untouched built-ins. An exception becomes a failed response, so that none reaches the caller. */
export function guarded(type: string, failed: FailureCode, work: (tampered: boolean) => Response): Response {
  const effectsBefore = effectCount()
  let code = failed
  try {
    return pristine(work)
  } catch (error) {
    if (code === 'outcome_unknown' && effectCount() === effectsBefore) code = 'action_failed'
    try {
      return refuse(code, [unexpected], type, { error: `${(error as Error)?.message}` })
    } catch {
      return { ok: false, type, error: { code, message: builtInsReplaced } } as Response
    }
  }
}

export function snapshot(session: Session, given: unknown, tampered: boolean): Response {
  const options = resolveOptions(given)
  return typeof options === 'string' ? refuse('invalid_input', [options], 'snapshot') : takeSnapshot(session, options, tampered)
}

type Method = (...given: readonly never[]) => Response
export type Methods = { readonly [name: string]: Method }

interface InstallOptions {
  readonly methods?: (session: Session) => Methods
  /** members for a driver that are not enumerable: they take or return objects of the page, or a promise */
  readonly internals?: (session: Session) => { readonly [name: string]: unknown }
  readonly watchRequests?: Session['watchRequests']
  readonly reportSecret?: SecretReport
  /** the script runs in an isolated world, where the page cannot patch anything and its handlers cannot be read */
  readonly isIsolated?: boolean
}

/** Defines `window.__agentBrowser` with `snapshot` and the given methods. Returns the state behind them. */
export function install(options: InstallOptions = {}): Session {
  const { methods: own = () => ({}), internals = () => ({}), watchRequests, reportSecret, isIsolated = false } = options
  if (isIsolated) trustBuiltIns()
  const secretFields = watchSecretFields(reportSecret)
  const session = createSession(secretFields, watchRequests)
  /** covers are for pictures */
  const seen = <T>(read: () => T): T => (session.covers ? session.covers.lifted(read) : read())
  const methods: Methods = {
    snapshot: (given?: unknown): Response =>
      guarded('snapshot', 'snapshot_failed', tampered => seen(() => snapshot(session, given, tampered))),
    ...own(session),
  }

  /** Calls a method and returns its response as JSON, made where the page cannot interfere; `bridge` names a callback that also gets it. */
  function call(name: string, given: readonly never[] = []): string {
    const method = methods[name] ?? (() => refuse(`unsupported_${name}` as FailureCode, ['this one only looks'], name))
    const effectsBefore = effectCount()
    let text: string
    try {
      text = pristine(() => native.stringify(method(...given)))
    } catch {
      // written without a built-in: those that make JSON are the ones that failed
      const code =
        name === 'snapshot' || name === 'query' ? 'snapshot_failed' : effectCount() === effectsBefore ? 'action_failed' : 'outcome_unknown'
      return `{"ok":false,"type":"${name}","error":{"code":"${code}","message":"${builtInsReplaced}"}}`
    }
    const bridge = (given[0] as { bridge?: unknown } | undefined)?.bridge
    if (name === 'snapshot' && typeof bridge === 'string') callBridge(bridge, text)
    return text
  }

  // a script that runs later than scripts of the page has missed listeners, and would take an element for one without any
  if (!isIsolated) session.clickListeners = session.verified ? observeListeners() : visibleHandlers()

  // our object is locked and has the seal; anything else belongs to the page and is replaced if possible
  const existing = Object.getOwnPropertyDescriptor(globalThis, '__agentBrowser')
  if (!existing || existing.configurable || existing.value?.seal !== seal)
    native.lock(
      '__agentBrowser',
      Object.freeze(
        Object.defineProperties({ version, ...methods }, hidden({ seal, call, wasSecret: secretFields.has, ...internals(session) })),
      ),
    )
  return session
}

const hidden = (members: { readonly [name: string]: unknown }): PropertyDescriptorMap => {
  const map: PropertyDescriptorMap = {}
  for (const name of Object.keys(members)) map[name] = { value: members[name] }
  return map
}

type Holder = { readonly [name: string]: unknown }

/** `AgentBridge.onSnapshot` is a function of the host, called as a method of its owner */
function callBridge(path: string, text: string): void {
  const parts = path.split('.')
  const name = parts.pop() as string
  try {
    const owner = parts.reduce((holder, part) => holder[part] as Holder, globalThis as unknown as Holder)
    ;(owner as { [name: string]: (text: string) => void })[name]?.(text)
  } catch {
    // the callback belongs to the host or the page; the snapshot is fine even if it fails
  }
}
