import type { CdpConnection } from '../connection/connection.ts'
import type { EventName, EventPayload, Method, Params, ReturnValue } from '../connection/protocol.ts'
import { PagehandError } from '../errors.ts'
import { waitForLoad } from '../navigation/load.ts'
import { withTimeout } from '../timeout.ts'

export interface PageTarget {
  /** undefined where the port leads to this page and no other */
  readonly sessionId: string | undefined
  readonly targetId: string
  send<M extends Method>(method: M, params?: Params<M>): Promise<ReturnValue<M>>
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void
  /** until the load event; throws navigation_failed, or timeout */
  navigate(url: string, options?: { timeoutMs?: number }): Promise<void>
  reload(options?: { timeoutMs?: number }): Promise<void>
  /** in the page's own world; what it returns must survive JSON, and a promise is not awaited */
  evaluate(expression: string): Promise<unknown>
  /** runs in every document from now on, before any script of the page */
  addScript(source: string): Promise<void>
  /** hears why the page will answer nothing any more: it crashed, it was closed, or the browser is gone */
  onLost(listener: (why: PagehandError) => void): () => void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openTarget(port: CdpConnection, { browserContextId }: { browserContextId?: string } = {}): Promise<PageTarget> {
  const { targetId } = await port.send('Target.createTarget', { url: 'about:blank', ...(browserContextId && { browserContextId }) })
  return attachTarget(port, targetId)
}

/** A tab that is there already, whoever opened it. */
export async function attachTarget(port: CdpConnection, targetId: string): Promise<PageTarget> {
  const { sessionId } = await port.send('Target.attachToTarget', { targetId, flatten: true })
  return answering(tabOn(port, { sessionId, targetId }))
}

/** A tab that stands still in a session of its own: it may answer only once it goes on, so nothing is waited for here. */
export function pausedTarget(port: CdpConnection, ids: { readonly sessionId: string; readonly targetId: string }): PageTarget {
  const { tab, ready } = tabOn(port, ids)
  ready.catch(() => {}) // it was closed before
  return tab
}

/** The page that a port leads to by itself, as that of a WebView's debugger does. */
export async function debuggerTarget(port: CdpConnection): Promise<PageTarget> {
  await port.send('Page.enable')
  const { frameTree } = await port.send('Page.getFrameTree')
  return answering(tabOn(port, { sessionId: undefined, targetId: frameTree.frame.id }))
}

async function answering({ tab, ready }: ReturnType<typeof tabOn>): Promise<PageTarget> {
  await ready
  return tab
}

function tabOn(
  port: CdpConnection,
  { sessionId, targetId }: { readonly sessionId: string | undefined; readonly targetId: string },
): { readonly tab: PageTarget; readonly ready: Promise<unknown> } {
  const on: PageTarget['on'] = (event, listener) => port.on(event, listener, sessionId)
  const onLost = (listener: (why: PagehandError) => void) => port.onLost(listener, sessionId)
  let crashed = false
  onLost(why => {
    crashed = why.code === 'page_crashed'
  })
  on('Inspector.targetReloadedAfterCrash', () => {
    crashed = false
  })
  const send: PageTarget['send'] = (method, params) => {
    // Chromium keeps what is sent to a crashed page until it is loaded again, which may be never
    if (crashed && !revives.has(method)) return Promise.reject(new PagehandError('page_crashed', `${method}: the page crashed.`))
    return port.send(method, params, sessionId)
  }
  // a crash is only told to those who enabled Inspector
  const ready = Promise.all([send('Page.enable'), send('Inspector.enable'), send('Page.setLifecycleEventsEnabled', { enabled: true })])
  const frame = { frameId: targetId, on, onLost } // the main frame of a tab has the id of its target
  const close = async () => {
    if (sessionId === undefined) return // it is its owner's
    // the answer comes before the tab is gone, and some tabs never go
    let forget = () => {}
    const gone = new Promise<void>(resolve => {
      forget = onLost(() => resolve())
    })
    try {
      await port.send('Target.closeTarget', { targetId })
      await withTimeout(2_000, gone)
    } catch {
      /* the tab, or the whole browser, may be gone already; closing twice is fine */
    } finally {
      forget()
    }
  }
  const tab: PageTarget = {
    sessionId,
    targetId,
    send,
    on,
    onLost,
    navigate: async (url, options) => void (await waitForLoad(frame, { what: url, ...options, start: () => startNavigation(send, url) })),
    reload: async options => void (await waitForLoad(frame, { what: 'the page', ...options, start: () => startReload(send) })),
    evaluate: expression => evaluate(send, expression),
    addScript: async source => {
      // without it Chromium makes the page's world only when the first script of the page runs, and the source comes no sooner
      await send('Runtime.enable')
      await send('Page.addScriptToEvaluateOnNewDocument', { source })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return { tab, ready }
}

const revives = new Set<string>(['Page.navigate', 'Page.reload'])

async function startNavigation(send: PageTarget['send'], url: string): Promise<'loads' | 'same document'> {
  if (!URL.canParse(url)) throw new PagehandError('invalid_url', `${url.slice(0, 80)} is not an absolute URL.`)
  const { loaderId, errorText } = await send('Page.navigate', { url })
  if (errorText) throw new PagehandError('navigation_failed', `${url}: ${errorText}`)
  return loaderId === undefined ? 'same document' : 'loads'
}

async function startReload(send: PageTarget['send']): Promise<'loads'> {
  await send('Page.reload')
  return 'loads'
}

async function evaluate(send: PageTarget['send'], expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: false })
  // a thrown Error is described by its stack, anything else by its value alone
  if (exceptionDetails)
    throw new Error(exceptionDetails.exception?.description ?? `${exceptionDetails.text} ${exceptionDetails.exception?.value}`)
  return result.value
}
