import type { TabInfo } from '../../contract/results.ts'
import { Failed } from './failed.ts'
import type { Ground } from './ground.ts'
import { cut, quote } from './said.ts'
import type { Tab } from './tab.ts'
import { attachTab, openTab, pageTab } from './tab.ts'
import { openView, type View, type Viewing } from './view.ts'

export interface Tabs {
  /** the one in front; throws `target_closed` when there is none */
  current(): View
  all(): readonly View[]
  list(): Promise<readonly TabInfo[]>
  /** a new one, in front */
  open(): Promise<View>
  /** a new tab in the place of one that cannot be used any more */
  replace(view: View): Promise<View>
  select(id: string): Promise<View>
  close(id?: string): Promise<void>
  /** a tab for the session's own work, which nobody sees; whoever asks for it closes it */
  aside(): Promise<Tab>
  /** pages may open so many tabs until this is called again */
  allowPopups(): void
  /** tabs that have just opened are being made ready */
  ready(): Promise<void>
  end(): Promise<void>
}

export interface Tabbing extends Omit<Viewing, 'id' | 'note'> {
  readonly viewport: { readonly width: number; readonly height: number } | undefined
  /** text that is made when it is read: a tab that opens has no address yet */
  note(text: string | (() => string)): void
  /** every view before anything else happens in it */
  onView(view: View): void
}

const mostPopups = 5

/** The tabs of one session: those it opened, and those that their pages opened. */
export async function openTabs(ground: Ground, { viewport, note, onView, ...viewing }: Tabbing): Promise<Tabs> {
  const { port } = ground
  const views = new Map<string, View>()
  const coming = new Map<string, Promise<unknown>>()
  const undo: (() => void)[] = []
  let selected: string | undefined
  let lastId = 0
  let creating = 0
  let popups = 0
  let tooMany = 0
  // the tabs that were there before are told at the beginning, as if they had just come
  let isWatching = false

  const drop = (targetId: string) => {
    views.delete(targetId)
    if (selected === targetId) selected = [...views.keys()].at(-1)
  }

  const enter = async (tab: Tab, id: string): Promise<View> => {
    if (viewport) await tab.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
    // a page behaves as it does in front of a person, whichever tab is in front
    await tab.send('Emulation.setFocusEmulationEnabled', { enabled: true })
    const view = await openView(port, tab, { ...viewing, id, note })
    tab.onLost(why => {
      if (why.code === 'target_closed') drop(tab.targetId)
    })
    onView(view)
    views.set(tab.targetId, view)
    return view
  }

  const context = ground.contextId === undefined ? {} : { browserContextId: ground.contextId }
  const create = async (id = `t${++lastId}`): Promise<View> => {
    creating++
    try {
      const tab = await openTab(port, context)
      const view = await enter(tab, id)
      selected = tab.targetId
      return view
    } finally {
      creating--
    }
  }

  const popup = (targetId: string) => {
    if (++popups > mostPopups) {
      if (++tooMany === 1)
        note(() => {
          const told = `${tooMany} more tabs were closed: a page may open ${mostPopups} per action.`
          tooMany = 0
          return told
        })
      port.send('Target.closeTarget', { targetId }).catch(() => {}) // it may have closed itself
      return
    }
    const id = `t${++lastId}`
    const entered = attachTab(port, targetId).then(tab => enter(tab, id))
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

  if (ground.kind === 'page') {
    const tab = await pageTab(port)
    await enter(tab, `t${++lastId}`)
    selected = tab.targetId
  } else {
    undo.push(
      port.on('Target.targetCreated', ({ targetInfo: { targetId, type, openerId, browserContextId } }) => {
        if (!isWatching || type !== 'page' || views.has(targetId) || coming.has(targetId)) return
        const isOurs = openerId !== undefined && views.has(openerId)
        // without an opener only a context of our own tells whose tab it is
        const isOfOurContext = ground.contextId !== undefined && browserContextId === ground.contextId && creating === 0
        if (isOurs || isOfOurContext) popup(targetId)
      }),
      port.on('Target.targetDestroyed', ({ targetId }) => drop(targetId)),
    )
    await port.send('Target.setDiscoverTargets', { discover: true })
    if (ground.firstTab === undefined) await create()
    else {
      const tab = await attachTab(port, ground.firstTab)
      await enter(tab, `t${++lastId}`)
      selected = tab.targetId
    }
    isWatching = true
  }

  const byId = (id: string): [string, View] => {
    const found = [...views].find(([, view]) => view.id === id)
    if (!found)
      throw new Failed('invalid_input', `There is no tab ${quote(id, 20)}. There are: ${[...views.values()].map(v => v.id).join(', ')}.`)
    return found
  }
  const ready = async () => void (await Promise.all(coming.values()))
  const refuseForeign = () => {
    if (ground.kind === 'page') throw new Failed('disabled', 'This page is a window of another program, which alone opens and closes tabs.')
  }

  return {
    current() {
      const view = selected === undefined ? undefined : views.get(selected)
      if (!view) throw new Failed('target_closed', 'No tab is open.')
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
            const isShown = await view.verdicts.allowed().then(
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
      drop(view.tab.targetId)
      view.tab.close().catch(() => {}) // it takes its time, or never answers
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
      if (targetId === undefined) throw new Failed('target_closed', 'No tab is open.')
      const closing = view ?? views.get(targetId)
      drop(targetId)
      await closing?.leaving(() => closing.tab.close())
    },
    async aside() {
      refuseForeign()
      creating++
      try {
        return await openTab(port, context)
      } finally {
        creating--
      }
    },
    allowPopups: () => {
      popups = 0
    },
    ready,
    async end() {
      for (const step of undo.splice(0)) step()
      await ready()
      if (ground.kind === 'page') return
      await Promise.all([...views.values()].map(view => view.tab.close()))
    },
  }
}

const isSamePage = (one: string, other: string) => one.split('#')[0] === other.split('#')[0]
