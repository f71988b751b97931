import { commands } from '../../contract/commands.ts'
import { type Ground, refusePermissions, stand } from './browser/acquire.ts'
import { cut, quote } from './cut.ts'
import { Failed } from './errors.ts'
import { addressRule } from './navigation/url-policy.ts'
import type { SessionOptions } from './options.ts'
import type { View } from './page/page.ts'
import { openTabs, type Tabs } from './page/pages.ts'
import type { Whole } from './session.ts'
import { createRefBook, type RefBook } from './snapshot/ref-registry.ts'
import { frontOf, type Running, statusOf } from './status.ts'
import { watchDownloads } from './storage/downloads.ts'
import { loadState, type OriginReport, type StorageState, saveState } from './storage/storage-state.ts'
import { atMost } from './timeout.ts'

/** What a session has while it runs: ground under it, tabs on it, and what they have told. */
export interface Life {
  readonly options: SessionOptions
  readonly book: RefBook
  readonly patienceMs: number
  readonly loadMs: number
  readonly uploadRoots: readonly string[]
  /** throws `not_running` when there is no browser; `open` may start one again */
  tabs(): Tabs
  /** the tab in front, if there is one */
  front(): View | undefined
  restart(): Promise<void>
  /** throws `invalid_url` or `url_not_allowed` */
  check(url: string): Promise<string>
  note(text: string | (() => string)): void
  takeNotes(): readonly string[]
  /** told once */
  takeCrash(): Failed | undefined
  deadlineOf(command: Whole): number
  status(): { readonly running: boolean; readonly [fact: string]: unknown }
  storageState(): Promise<StorageState>
  close(): Promise<void>
}

const mostNotes = 20

export async function live(options: SessionOptions): Promise<Life> {
  const { patienceMs = 5_000, loadMs = 15_000, fileRoots = [process.cwd()], uploadRoots = [process.cwd()], deadlines = {} } = options
  const book = createRefBook(world => world.frameId === world.rootFrameId && isTop(world.frameId))
  let notes: (string | (() => string))[] = []
  let running: Running | undefined
  let crash: Failed | undefined
  let lastUrl = 'about:blank'
  let isClosed = false
  let restored: readonly OriginReport[] | undefined
  let forget = () => {}
  const ending = new Set<Promise<unknown>>()
  const origins = new Set<string>()

  const isTop = (frameId: string) => topFrames.has(frameId)
  const topFrames = new Set<string>()

  const note: Life['note'] = text => {
    if (notes.length < mostNotes) notes.push(text)
  }

  const rule = addressRule({ fileRoots, hosts: options.hosts, endpoint: () => running?.ground.facts.endpoint })

  const onView = (view: View) => {
    topFrames.add(view.tab.targetId)
    view.worlds.onGone(world => book.forget(world))
    view.tab.on('Page.frameNavigated', ({ frame }) => {
      if (/^https?:/.test(frame.securityOrigin ?? '') && origins.size < 100) origins.add(frame.securityOrigin)
    })
  }

  const start = async () => {
    const ground = await stand(options)
    const undo = [() => ground.close()]
    try {
      forget = ground.port.onLost(why => {
        // a page that has the port to itself tells its own crash there too; that is the view's matter
        if (running?.ground !== ground || why.code === 'page_crashed') return
        lastUrl = frontOf(running.tabs)?.url() ?? lastUrl
        running = undefined
        crash = new Failed(why.code, `${why.message} The page was at ${quote(lastUrl)}.`)
        const ended = ground.close().catch(() => {}) // what is gone cannot be closed
        ending.add(ended)
        ended.finally(() => ending.delete(ended))
      })
      await refusePermissions(ground)
      const isOurs = (frameId: string) =>
        running?.tabs.all().some(({ worlds, tab }) => tab.targetId === frameId || worlds.parentOf(frameId))
      const downloads = await watchDownloads(ground, { rules: options.downloads, note, isOurs: frameId => isOurs(frameId) === true })
      undo.push(async () => downloads.end())
      const tabs = await openTabs(ground, {
        viewport: options.viewport ?? ground.viewport,
        patienceMs,
        note,
        onView,
        // another program's window goes where that program likes; what we open there is judged all the same
        check: async url => void (ground.kind === 'page' || (await rule.check(url))),
        refuses: url => ground.kind !== 'page' && rule.refuses(url),
      })
      undo.push(() => endTabs(ground, tabs))
      running = { ground, tabs, downloads }
      if (options.storageState) restored = await loadState({ ground, tabs }, options.storageState)
    } catch (error) {
      forget()
      running = undefined
      for (const step of undo.reverse()) await step()
      throw error
    }
  }

  const close = async () => {
    if (isClosed) return
    isClosed = true
    forget()
    const ended = running
    running = undefined
    if (ended) {
      ended.downloads.end()
      await endTabs(ended.ground, ended.tabs)
      await atMost(15_000, ended.ground.close())
    }
    await Promise.all(ending)
  }

  await start()
  return {
    options,
    book,
    patienceMs,
    loadMs,
    uploadRoots,
    tabs() {
      if (isClosed) throw new Failed('not_running', 'The session is closed.')
      if (!running) throw new Failed('not_running', 'The browser is not running. Open a page to start it again.')
      return running.tabs
    },
    front: () => running && frontOf(running.tabs),
    async restart() {
      if (running || isClosed) return
      if (options.browser || options.debugger)
        throw new Failed('not_running', 'The browser that was given to this session is gone; open a session on another one.')
      await Promise.all(ending)
      await start()
    },
    check: rule.check,
    note,
    takeNotes() {
      const told = notes.map(text => cut(typeof text === 'string' ? text : text(), 1_000))
      notes = []
      return told
    },
    takeCrash() {
      const told = crash ?? (running && frontOf(running.tabs)?.takeCrash())
      crash = undefined
      return told
    },
    deadlineOf: command =>
      deadlines[command.name] ??
      (command.name === 'wait' ? Math.max(command.timeoutMs, command.ms ?? 0) + 2_000 : commands[command.name].deadlineMs),
    status: () => statusOf({ running, options, restored }),
    async storageState() {
      if (!running) throw new Failed('not_running', 'The browser is not running.')
      return saveState(running, [...origins])
    },
    close,
  }
}

/** a browser that hangs is not waited for, and one of our own takes its tabs with it */
const endTabs = ({ kind }: Ground, tabs: Tabs): Promise<void> =>
  atMost(2_000, kind === 'launched' ? Promise.resolve() : tabs.end().catch(() => {}))
