import type { TabInfo } from '../../../contract/results.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import { cut, quote } from '../cut.ts'
import { PagehandError } from '../errors.ts'
import { withTimeout } from '../timeout.ts'
import type { Dialog } from './dialogs.ts'
import { type PausedTarget, pauseNewTargets, resumeTarget } from './new-targets.ts'
import { openPage, type Page, type PageOptions } from './page.ts'
import type { PageTarget } from './target.ts'
import { attachTarget, debuggerTarget, openTarget, pausedTarget } from './target.ts'

export interface Pages {
  /** the one in front; throws `target_closed` when there is none */
  current(): Page
  all(): readonly Page[]
  list(): Promise<readonly TabInfo[]>
  /** a new one, in front */
  open(): Promise<Page>
  /** a new tab in the place of one that cannot be used any more */
  replace(view: Page): Promise<Page>
  select(id: string): Promise<Page>
  close(id?: string): Promise<void>
  /** a tab for the session's own work, which nobody sees; whoever asks for it closes it */
  aside(): Promise<PageTarget>
  /** pages may open so many tabs until this is called again */
  allowPopups(): void
  /** hears each dialog of a tab that this one's page has opened, or that opened it */
  onDialogBeyond(view: Page, listener: (dialog: Dialog) => void): () => void
  /** tabs that have just opened are being made ready */
  ready(): Promise<void>
  end(): Promise<void>
}

export interface PagesOptions extends Omit<PageOptions, 'id' | 'note' | 'blocker'> {
  readonly viewport: { readonly width: number; readonly height: number } | undefined
  /** text that is made when it is read: a tab that opens has no address yet */
  note(text: string | (() => string)): void
  /** every view before anything else happens in it */
  onView(view: Page): void
}

const mostPopups = 5
const readyMs = 2_000

/** The tabs of one session: those it opened, and those that their pages opened. */
export async function openPages(ground: BrowserConnection, { viewport, note, onView, ...viewing }: PagesOptions): Promise<Pages> {
  const { connection: port } = ground
  const views = new Map<string, Page>()
  const coming = new Map<string, Promise<unknown>>()
  /** who opened a tab, by their targets; also of one that is not ready yet, or closed at once */
  const openers = new Map<string, string>()
  const beyond = new Set<(targetId: string, dialog: Dialog) => void>()
  const undo: (() => void)[] = []
  let selected: string | undefined
  let lastId = 0
  let creating = 0
  let popups = 0
  let tooMany = 0
  // the tabs that were there before are told at the beginning, as if they had just come
  let isWatching = false
  let isEnding = false

  const drop = (targetId: string) => {
    views.delete(targetId)
    if (selected === targetId) selected = [...views.keys()].at(-1)
  }

  const enter = async (tab: PageTarget, id: string): Promise<Page> => {
    let isLost = false
    tab.onLost(why => {
      if (why.code !== 'target_closed') return
      isLost = true
      drop(tab.targetId)
    })
    // not waited for one by one: a tab that stands still answers when it goes on, and openView lets it
    const prepared = Promise.all([
      viewport && tab.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false }),
      // a page behaves as it does in front of a person, whichever tab is in front
      tab.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ])
    prepared.catch(() => {}) // who waits for it hears it
    const blocker = () => [...views.values()].find(each => isRelated(each.target.targetId, tab.targetId) && each.dialogs.pending())
    const view = await openPage(port, tab, { ...viewing, id, note, blocker })
    await prepared
    const tell = (dialog: Dialog) => {
      for (const hear of [...beyond]) hear(tab.targetId, { ...dialog, tab: id })
    }
    view.dialogs.onOpen(tell)
    const waiting = view.dialogs.pending()
    if (waiting) tell(waiting)
    if (isLost) throw new PagehandError('target_closed', 'The tab was closed while it opened.')
    onView(view)
    views.set(tab.targetId, view)
    return view
  }

  const context = contextOf(ground)
  const create = async (id = `t${++lastId}`): Promise<Page> => {
    creating++
    try {
      const tab = await openTarget(port, context)
      const view = await enter(tab, id).catch(async (error: Error) => {
        await tab.close()
        throw error
      })
      selected = tab.targetId
      return view
    } finally {
      creating--
    }
  }

  /** tabs that opened each other, over however many steps, may live in one process, and one dialog stops them all */
  const isRelated = (one: string, other: string) => one !== other && rootOf(one) === rootOf(other)
  const rootOf = (targetId: string): string => {
    let root = targetId
    for (let opener = openers.get(root), steps = 0; opener && steps < 50; opener = openers.get(root), steps++) root = opener
    return root
  }

  /** closes a tab that is in nobody's hands */
  const shut = (targetId: string, held?: string) => {
    if (held) resumeTarget(port, held).catch(() => {})
    port.send('Target.closeTarget', { targetId }).catch(() => {}) // it may have closed itself
  }

  /** a tab that a page has opened, and its session where it stands still */
  const popup = (targetId: string, held?: string) => {
    if (isEnding) return shut(targetId, held)
    if (++popups > mostPopups) {
      if (++tooMany === 1)
        note(() => {
          const told = `${tooMany} more tabs were closed: a page may open ${mostPopups} per action.`
          tooMany = 0
          return told
        })
      return shut(targetId, held)
    }
    const id = `t${++lastId}`
    const entered = held
      ? enter(pausedTarget(port, { targetId, sessionId: held }), id)
      : attachTarget(port, targetId).then(tab => enter(tab, id))
    coming.set(
      targetId,
      entered
        .then(
          view => note(() => `Tab ${id} opened at ${quote(view.url())}. It is not in front; select it to go on there.`),
          () => {}, // it closed before it could be looked at
        )
        .finally(() => coming.delete(targetId)),
    )
  }

  /** a tab that was there before */
  const take = async (tab: PageTarget) => {
    await enter(tab, `t${++lastId}`)
    selected = tab.targetId
  }

  const watch = async () => {
    const isPopup = ({ targetId, openerId, browserContextId }: Pick<PausedTarget, 'targetId' | 'openerId' | 'browserContextId'>) => {
      if (!isWatching || views.has(targetId) || coming.has(targetId)) return false
      const isOurs = openerId !== undefined && [views, coming, openers].some(known => known.has(openerId))
      if (isOurs) openers.set(targetId, openerId)
      // without an opener only a context of our own tells whose tab it is
      return isOurs || (ground.contextId !== undefined && browserContextId === ground.contextId && creating === 0)
    }
    undo.push(
      // somebody's own browser is not held up
      ground.kind === 'attached'
        ? port.on('Target.targetCreated', ({ targetInfo: { type, targetId, openerId, browserContextId } }) => {
            if (type === 'page' && isPopup({ targetId, openerId, browserContextId })) popup(targetId)
          })
        : await pauseNewTargets(port, page => {
            const isOurs = isPopup(page)
            if (isOurs) popup(page.targetId, page.sessionId)
            return isOurs
          }),
      port.on('Target.targetDestroyed', ({ targetId }) => {
        drop(targetId)
        openers.delete(targetId)
      }),
    )
    await port.send('Target.setDiscoverTargets', { discover: true })
  }

  const begin = async () => {
    if (ground.kind === 'page') return take(await debuggerTarget(port))
    await watch()
    if (ground.firstTab === undefined) await create()
    else await take(await attachTarget(port, ground.firstTab))
    isWatching = true
  }

  const byId = (id: string): [string, Page] => {
    const found = [...views].find(([, view]) => view.id === id)
    if (!found)
      throw new PagehandError(
        'invalid_input',
        `There is no tab ${quote(id, 20)}. There are: ${[...views.values()].map(v => v.id).join(', ')}.`,
      )
    return found
  }
  // in somebody's own browser a tab may stand behind a dialog that only they can answer
  const ready = async () => void (await withTimeout(readyMs, Promise.all(coming.values())))
  const refuseForeign = () => {
    if (ground.kind === 'page')
      throw new PagehandError('disabled', 'This page is a window of another program, which alone opens and closes tabs.')
  }

  const end = async () => {
    isEnding = true
    if (ground.kind !== 'page') {
      for (const targetId of coming.keys()) shut(targetId)
      // one that is being made ready hears of its end
      await Promise.all([ready(), ...[...views.values()].map(view => view.target.close())])
    }
    for (const step of undo.splice(0)) step()
  }

  await begin().catch(async (error: Error) => {
    await end()
    throw error
  })
  return {
    current() {
      const view = selected === undefined ? undefined : views.get(selected)
      if (!view) throw new PagehandError('target_closed', 'No tab is open.')
      return view
    },
    all: () => [...views.values()],
    // a tab that was replaced stands where the old one stood
    async list() {
      await ready()
      return Promise.all(
        [...views]
          .sort(([, a], [, b]) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
          .map(async ([targetId, view]) => {
            const isShown = await view.guard.settled().then(
              () => ground.kind !== 'page',
              () => false,
            )
            // asked of the browser, so that a page that is stuck is listed too
            const info = isShown ? await port.send('Target.getTargetInfo', { targetId }).catch(() => undefined) : undefined
            // it may still tell of the page before, which may be one that must not be shown
            const title = info && isSamePage(info.targetInfo.url, view.url()) ? info.targetInfo.title : ''
            return {
              tab: view.id,
              url: cut(view.url(), 500),
              title: cut(title, 200),
              selected: targetId === selected,
            }
          }),
      )
    },
    async open() {
      refuseForeign()
      return create()
    },
    async replace(view) {
      refuseForeign()
      const fresh = await create(view.id)
      drop(view.target.targetId)
      view.target.close().catch(() => {}) // it takes its time, or never answers
      return fresh
    },
    async select(id) {
      await ready()
      const [targetId, view] = byId(id)
      selected = targetId
      if (ground.kind !== 'page') await port.send('Target.activateTarget', { targetId })
      return view
    },
    async close(id) {
      refuseForeign()
      await ready()
      const [targetId, view] = id === undefined ? [selected, undefined] : byId(id)
      if (targetId === undefined) throw new PagehandError('target_closed', 'No tab is open.')
      const closing = view ?? views.get(targetId)
      drop(targetId)
      await closing?.leaving(() => closing.target.close())
    },
    async aside() {
      refuseForeign()
      creating++
      try {
        return await openTarget(port, context)
      } finally {
        creating--
      }
    },
    allowPopups: () => {
      popups = 0
    },
    onDialogBeyond(view, listener) {
      const hear = (targetId: string, dialog: Dialog) => {
        if (isRelated(targetId, view.target.targetId)) listener(dialog)
      }
      beyond.add(hear)
      return () => beyond.delete(hear)
    },
    ready,
    end,
  }
}

const isSamePage = (one: string, other: string) => one.split('#')[0] === other.split('#')[0]
