import { quoted, say, term } from '../../../contract/message.ts'
import type { CdpConnection } from '../connection/connection.ts'
import type { EventName, EventPayload, Method, Params, ReturnValue } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import { waitForLoad } from './load.ts'

/** The CDP session of a tab, with the few operations that the rest of the driver needs. */
export interface PageTarget {
  /** undefined if the connection leads to this page only */
  readonly sessionId: string | undefined
  readonly targetId: string
  send<M extends Method>(method: M, params?: Params<M>): Promise<ReturnValue<M>>
  /** returns the function that removes the listener */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void
  /**
   * Waits for the load event. Throws `navigation_failed` or `timeout`.
   * @default options.timeoutMs 30_000
   */
  navigate(url: string, options?: { timeoutMs?: number }): Promise<void>
  /** @default options.timeoutMs 30_000 */
  reload(options?: { timeoutMs?: number }): Promise<void>
  /** evaluates in the main world; the value must be JSON, and a promise is not awaited */
  evaluate(expression: string): Promise<unknown>
  /** adds a script that runs in every new document before the scripts of the page */
  addScript(source: string): Promise<void>
  /** calls the listener when the page can answer no more: it crashed, was closed, or the browser is gone */
  onDisconnect(listener: (reason: PagehandError) => void): () => void
  close(): Promise<void>
  /** leaves the tab as it is */
  detach(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface OpenTargetOptions {
  /** @default the default context */
  readonly browserContextId?: string
  /**
   * Behind the selected tab of its window, which does not come to the front either.
   * @default false
   */
  readonly background?: boolean
}

/** Opens a tab. */
export async function openTarget(
  connection: CdpConnection,
  { browserContextId, background = false }: OpenTargetOptions = {},
): Promise<PageTarget> {
  const { targetId } = await connection.send('Target.createTarget', {
    url: 'about:blank',
    ...(browserContextId && { browserContextId }),
    ...(background && { background }),
  })
  return attachTarget(connection, targetId)
}

/** Attaches to an existing tab. */
export async function attachTarget(connection: CdpConnection, targetId: string): Promise<PageTarget> {
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  return enable(createTarget(connection, { sessionId, targetId }))
}

/** Attaches to an existing tab that may show a dialog: then it answers only after the dialog, so no answer is awaited here. */
export async function attachBlockedTarget(connection: CdpConnection, targetId: string): Promise<PageTarget> {
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  return attachPausedTarget(connection, { targetId, sessionId })
}

/** A paused tab, with the session that paused it. It answers only after it is resumed, so nothing is awaited here. */
export function attachPausedTarget(connection: CdpConnection, ids: TargetIds & { readonly sessionId: string }): PageTarget {
  const target = createTarget(connection, ids)
  enable(target).catch(() => {}) // closed before it was resumed
  return target
}

/** The only page of a connection, such as that of a WebView's debugger. */
export async function attachDebuggerTarget(connection: CdpConnection): Promise<PageTarget> {
  await connection.send('Page.enable')
  const { frameTree } = await connection.send('Page.getFrameTree')
  return enable(createTarget(connection, { sessionId: undefined, targetId: frameTree.frame.id }))
}

async function enable(target: PageTarget): Promise<PageTarget> {
  // crashes are reported only if Inspector is enabled
  await Promise.all([
    target.send('Page.enable'),
    target.send('Inspector.enable'),
    target.send('Page.setLifecycleEventsEnabled', { enabled: true }),
  ])
  return target
}

interface TargetIds {
  readonly sessionId: string | undefined
  readonly targetId: string
}

/** the calls that load a crashed page again */
const revivingMethods = new Set<string>(['Page.navigate', 'Page.reload'])

function createTarget(connection: CdpConnection, { sessionId, targetId }: TargetIds): PageTarget {
  const on: PageTarget['on'] = (event, listener) => connection.on(event, listener, sessionId)
  const onDisconnect: PageTarget['onDisconnect'] = listener => connection.onDisconnect(listener, sessionId)
  let isCrashed = false
  onDisconnect(reason => {
    isCrashed = reason.code === 'page_crashed'
  })
  on('Inspector.targetReloadedAfterCrash', () => {
    isCrashed = false
  })
  const send: PageTarget['send'] = (method, params) => {
    // Chromium queues calls to a crashed page until it is loaded again, which may never happen
    if (isCrashed && !revivingMethods.has(method))
      return Promise.reject(new PagehandError('page_crashed', say`${term(method)}: the page crashed.`))
    return connection.send(method, params, sessionId)
  }
  const frame = { frameId: targetId, on, onDisconnect } // the id of the main frame is that of the target
  const close = async () => {
    if (sessionId === undefined) return // the page belongs to another program
    await closeTarget(connection, targetId, onDisconnect)
  }
  const detach = async () => {
    if (sessionId !== undefined) await connection.send('Target.detachFromTarget', { sessionId }).catch(() => {}) // it is gone already
  }
  return {
    sessionId,
    targetId,
    send,
    on,
    onDisconnect,
    navigate: async (url, options) => void (await waitForLoad(frame, { url, ...options, start: () => startNavigation(send, url) })),
    reload: async options => void (await waitForLoad(frame, { ...options, start: () => startReload(send) })),
    evaluate: expression => evaluate(send, expression),
    addScript: async source => {
      // otherwise Chromium creates the main world only when the page runs its first script, which is too late for the source
      await send('Runtime.enable')
      await send('Page.addScriptToEvaluateOnNewDocument', { source })
    },
    close,
    detach,
    [Symbol.asyncDispose]: close,
  }
}

/** The answer comes before the tab is gone, and some tabs never go. */
async function closeTarget(connection: CdpConnection, targetId: string, onDisconnect: PageTarget['onDisconnect']): Promise<void> {
  let unsubscribe = () => {}
  const closed = new Promise<void>(resolve => {
    unsubscribe = onDisconnect(() => resolve())
  })
  try {
    await connection.send('Target.closeTarget', { targetId })
    await withTimeout(2_000, closed)
  } catch {
    /* the tab, or the whole browser, may be gone already; closing twice is fine */
  } finally {
    unsubscribe()
  }
}

async function startNavigation(send: PageTarget['send'], url: string): Promise<'loads' | 'same document'> {
  if (!URL.canParse(url)) throw new PagehandError('invalid_url', say`${quoted(url)} is not an absolute URL.`)
  const { loaderId, errorText } = await send('Page.navigate', { url })
  if (errorText) throw new PagehandError('navigation_failed', say`The page did not load.`, { page: { url, error: errorText } })
  return loaderId === undefined ? 'same document' : 'loads'
}

async function startReload(send: PageTarget['send']): Promise<'loads'> {
  await send('Page.reload')
  return 'loads'
}

async function evaluate(send: PageTarget['send'], expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: false })
  // the description of an Error is its stack; other values have none
  if (exceptionDetails)
    throw new Error(exceptionDetails.exception?.description ?? `${exceptionDetails.text} ${exceptionDetails.exception?.value}`)
  return result.value
}
