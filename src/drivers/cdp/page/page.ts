import type { PageInfo } from '../../../contract/page-api.ts'
import type { CdpSession } from '../connection/cdp-session.ts'
import type { CdpConnection } from '../connection/connection.ts'
import { cut, quote } from '../cut.ts'
import { PagehandError } from '../errors.ts'
import { createNavigationGuard, type NavigationGuard } from '../navigation/guard.ts'
import { withTimeout } from '../timeout.ts'
import { createConsole, type PageConsole } from './console.ts'
import type { Dialog } from './dialogs.ts'
import { createDialogs, type Dialogs } from './dialogs.ts'
import { evaluate, evaluateHandle, evaluateInPage } from './evaluate.ts'
import { type IsolatedWorld, type IsolatedWorlds, openIsolatedWorlds } from './isolated-worlds.ts'
import { createNetworkMonitor, type NetworkMonitor } from './network.ts'
import type { PageTarget } from './target.ts'

/** One tab of a session with all that is known of it without asking it. */
export interface Page {
  /** t1, t2, … */
  readonly id: string
  readonly target: PageTarget
  readonly worlds: IsolatedWorlds
  readonly network: NetworkMonitor
  readonly console: PageConsole
  readonly dialogs: Dialogs
  /** a tab whose dialog may stop this one too */
  blocker(): Page | undefined
  /** where it is, as the browser told it */
  url(): string
  /** why the document is not whole, where its connection broke */
  broken(): string | undefined
  /** the tab shows the browser's own page about an address that did not load */
  isErrorPage(): boolean
  /** told once: the crash that nobody has been told of yet */
  takeCrash(): PagehandError | undefined
  isCrashed(): boolean
  /** the rule on addresses: throws for one where this tab must not be */
  check(url: string): Promise<void>
  /** the same as far as it is known at once */
  refuses(url: string): boolean
  /** where the page itself says that it is */
  address(): Promise<string>
  /** on where the tab was and is; of a document that is refused nothing is shown */
  readonly guard: Pick<NavigationGuard, 'settled' | 'refusals' | 'takeRefusal'>
  scripts(): 'running' | 'stopped'
  /** an expression in the engine's world; fails within a bounded time whatever the page does */
  evaluate<T>(world: IsolatedWorld, expression: string, withinMs?: number): Promise<T>
  /** an expression in the page's own world, as JSON text; undefined has none */
  evaluateInPage(expression: string, withinMs: number): Promise<string>
  /** the element of a ref of that world's engine, as an objectId */
  element(world: IsolatedWorld, local: string): Promise<string>
  topWorld(): Promise<IsolatedWorld>
  /** answers also while the page is stuck */
  info(): Promise<PageInfo>
  /** for a page that does not come to rest by itself; its scripts stay off until it is left. False: it did not hear of it */
  stopScripts(): Promise<boolean>
  allowScripts(): Promise<void>
  /** runs `work` as a wish to leave the page: it is not asked whether it likes that */
  leaving<T>(work: () => Promise<T>): Promise<T>
}

export interface PageOptions {
  readonly id: string
  /** how long a page may leave a question without an answer */
  readonly patienceMs: number
  note(text: string): void
  /** a tab that this one's page has opened, or that opened it, and that shows a dialog: it may stop both */
  blocker(): Page | undefined
  /** the rule on addresses: throws for one where a tab must not be */
  check(url: string): Promise<void>
  refuses(url: string): boolean
}

/** a page that must be left has this long to hear that its scripts are over */
const stopMs = 1_000

export async function openPage(
  port: CdpConnection,
  tab: PageTarget,
  { id, patienceMs, note, blocker, check, refuses }: PageOptions,
): Promise<Page> {
  const network = createNetworkMonitor()
  const log = createConsole()
  let leaving = 0
  let scripts: 'running' | 'stopped' = 'running'
  let crash: PagehandError | undefined
  let isCrashed = false
  let viewport = { width: 0, height: 0 }
  let frame = { url: 'about:blank', loaderId: '', readyState: 'complete', title: '', isError: false }

  const dialogs = createDialogs({
    isLeaving: () => leaving > 0,
    isStopped: () => scripts === 'stopped' || verdicts.isRefused(),
    onLoop: () => {
      note('The page opened dialog after dialog; its scripts are switched off until it is left.')
      stopScripts().catch(() => {}) // a page that cannot be stopped is told by the next question
    },
    note,
  })

  /** until it is answered the next document may begin as the last one was left: without scripts */
  let switched: Promise<unknown> = Promise.resolve()
  const runScripts = (on: boolean) => {
    switched = tab.send('Emulation.setScriptExecutionDisabled', { value: !on }).catch(() => {}) // gone already
    return switched
  }
  const verdicts = createNavigationGuard({
    check,
    refuses,
    patienceMs,
    leave: (url, isThere) => {
      note(`The page went to ${quote(url)}, which is not allowed; the tab is at about:blank now.`)
      if (dialogs.pending()) dialogs.answer(false).catch(() => {}) // it may be gone by itself
      // a dialog that opens between two documents can be answered by nobody, and keeps the next one from coming
      hush()
        .then(async () => {
          if (isThere()) await tab.send('Page.navigate', { url: 'about:blank' })
        })
        .catch(() => {}) // the tab may be gone
    },
  })

  /** No script begins any more, and the one that runs has ended. */
  const hush = async () => {
    let isQuiet = false
    const done = () => {
      isQuiet = true
    }
    // the first is heard in the midst of a script, the second after it
    const quiet = runScripts(false)
      .then(() => tab.send('Runtime.evaluate', { expression: '0' }))
      .then(done, done)
    await withTimeout(stopMs, quiet)
    if (isQuiet) return
    tab.send('Runtime.terminateExecution').catch(() => {}) // gone already
    await withTimeout(stopMs, quiet)
  }

  tab.onLost(why => {
    if (why.code !== 'page_crashed') return
    isCrashed = true
    crash = new PagehandError('page_crashed', `The page crashed. It was at ${quote(frame.url)}.`)
  })
  tab.on('Page.frameNavigated', ({ frame: { id: frameId, parentId, url, loaderId, unreachableUrl } }) => {
    if (parentId || frameId !== tab.targetId) return
    isCrashed = false
    frame = { url: unreachableUrl ?? url, loaderId, readyState: 'loading', title: '', isError: unreachableUrl !== undefined }
    if (verdicts.isRefused() && scripts === 'running') runScripts(true)
    verdicts.check(frame.url)
  })
  tab.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === tab.targetId) frame = { ...frame, url }
  })
  tab.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
    if (frameId !== tab.targetId || loaderId !== frame.loaderId) return
    if (name === 'DOMContentLoaded') frame = { ...frame, readyState: 'interactive' }
    if (name === 'load') frame = { ...frame, readyState: 'complete' }
  })

  const worlds = await openIsolatedWorlds(port, tab, wire => {
    network.watch(wire)
    log.watch(wire)
    dialogs.watch(wire)
  })
  const { url, loaderId } = worlds.first
  // a document that has come since has told itself
  if (!frame.loaderId) frame = { ...frame, url: /^:?$/.test(url) ? 'about:blank' : url, loaderId }
  verdicts.check(frame.url) // a tab that a page has opened may be somewhere already

  const bounded = <T>(wire: CdpSession, answer: Promise<T>, withinMs: number): Promise<T> => {
    answer.catch(() => {}) // when the race is lost, nobody else hears it
    const waiting = dialogs.pending()
    if (waiting) return Promise.reject(dialogOpen(waiting))
    const undo: (() => void)[] = []
    const broken = new Promise<never>((_, reject) => {
      undo.push(dialogs.onOpen(dialog => reject(dialogOpen(dialog))))
      const late = new PagehandError('page_unresponsive', `The page at ${quote(frame.url)} did not answer within ${withinMs} ms.`)
      const stopped = stoppedBy(wire, blocker)
      const look = () => {
        const other = stopped()
        if (other) reject(other)
        return other
      }
      look()
      const again = setInterval(look, aMoment)
      const end = setTimeout(() => look() ?? reject(late), withinMs)
      undo.push(() => {
        clearInterval(again)
        clearTimeout(end)
      })
    })
    return Promise.race([answer, broken]).finally(() => {
      for (const step of undo) step()
    })
  }
  const askView: Page['evaluate'] = (world, expression, withinMs = patienceMs) =>
    bounded(world.session, evaluate(world, expression), withinMs)
  const top = async () => {
    await verdicts.settled()
    return worlds.when(tab.targetId)
  }

  /** what the page says of itself; throws where it may not be, which a page can tell sooner than the browser does */
  const ownWords = async (): Promise<PageInfo> => {
    const text = await askView<string>(await top(), '__agentBrowser.info()', Math.min(patienceMs, 1_000))
    const data = JSON.parse(text) as PageInfo
    if (!frame.isError && refuses(data.url)) await check(data.url)
    return data
  }

  /** where a document has none, browsers make a title of its address */
  const titleByBrowser = async (): Promise<{ readonly title?: string }> => {
    if (tab.sessionId === undefined) return {}
    const { title, url } = (await port.send('Target.getTargetInfo', { targetId: tab.targetId })).targetInfo
    return url === frame.url && !verdicts.isRefused() && !url.includes(title) ? { title } : {}
  }

  async function stopScripts() {
    scripts = 'stopped'
    const stopping = worlds
      .wires()
      .flatMap(wire => [wire.send('Emulation.setScriptExecutionDisabled', { value: true }), wire.send('Runtime.terminateExecution')])
    for (const each of stopping) each.catch(() => {}) // a frame may be gone meanwhile
    return bounded(tab, Promise.allSettled(stopping), patienceMs).then(
      () => true,
      () => false,
    )
  }

  return {
    id,
    target: tab,
    worlds,
    network,
    console: log,
    dialogs,
    blocker,
    url: () => frame.url,
    broken: () => network.breakOf(frame.loaderId),
    isErrorPage: () => frame.isError,
    isCrashed: () => isCrashed,
    takeCrash: () => {
      const told = crash
      crash = undefined
      return told
    },
    check,
    refuses,
    guard: verdicts,
    address: async () => (await ownWords()).url,
    scripts: () => scripts,
    evaluate: askView,
    evaluateInPage: (expression, withinMs) => bounded(tab, evaluateInPage(tab, expression), withinMs),
    async element(world, local) {
      const objectId = await bounded(world.session, evaluateHandle(world, `__agentBrowser.element(${JSON.stringify(local)})`), patienceMs)
      if (!objectId) throw new PagehandError('ref_not_found', `${local} is not on the page any more.`)
      return objectId
    },
    topWorld: top,
    async info() {
      await verdicts.settled().catch(() => {}) // then its address alone is told
      const status = network.statusOf(frame.loaderId)
      const known = { ...frame, viewport, scroll: { x: 0, y: 0, height: 0 } }
      // stuck, crashed, or on its way to another page: what the browser knows is enough
      const told = await ownWords().catch(() => titleByBrowser().catch(() => ({})))
      const { url, title, readyState, scroll, ...rest } = { ...known, ...told }
      frame = { ...frame, title: cut(title, 500) }
      viewport = rest.viewport
      return {
        url: cut(url, 2_000),
        title: cut(title, 500),
        readyState,
        viewport,
        scroll,
        ...(status !== undefined && { status }),
      }
    },
    stopScripts,
    async allowScripts() {
      if (scripts === 'running' && !verdicts.isRefused()) return void (await withTimeout(stopMs, switched))
      scripts = 'running'
      const allowing = worlds.wires().map(wire => wire.send('Emulation.setScriptExecutionDisabled', { value: false }))
      await withTimeout(stopMs, Promise.allSettled(allowing)) // one that hears nothing any more is left behind with its tab
    },
    async leaving(work) {
      leaving++
      try {
        return await work()
      } finally {
        leaving--
      }
    },
  }
}

/** a thread that does not answer for so long stands still */
const aMoment = 500

/** Asked again and again: the dialog of another tab as soon as it is known to be what the page waits for, which may live in another process. */
function stoppedBy(wire: CdpSession, blocker: () => Page | undefined): () => PagehandError | undefined {
  let isStill = false
  const moves = () => {
    isStill = false
  }
  return () => {
    const other = blocker()
    const dialog = other?.dialogs.pending()
    if (other && dialog && isStill) return dialogOpen({ ...dialog, tab: other.id })
    isStill = dialog !== undefined
    // answered also in the midst of a script, but not by a thread that waits for a dialog:
    // ShouldInterruptForMethod in third_party/blink/renderer/core/inspector/devtools_session.cc
    if (isStill) wire.send('Performance.getMetrics').then(moves, moves)
    return undefined
  }
}

export const dialogOpen = ({ type, message, tab }: Pick<Dialog, 'type' | 'message' | 'tab'>): PagehandError =>
  new PagehandError(
    'dialog_open',
    `${tab ? `Tab ${tab}` : 'The page'} shows a dialog (${type}) and waits for the answer: ${quote(message)}.`,
  )
