import { commands } from '../../contract/commands.ts'
import { acquireBrowser, type BrowserConnection, refusePermissions } from './browser/acquire.ts'
import { cut, quote } from './cut.ts'
import { PagehandError } from './errors.ts'
import { createUrlPolicy } from './navigation/url-policy.ts'
import type { SessionOptions } from './options.ts'
import type { Page } from './page/page.ts'
import { openPages, type Pages } from './page/pages.ts'
import type { DriverCommand } from './session.ts'
import { createRefRegistry, type RefRegistry } from './snapshot/ref-registry.ts'
import { frontOf, type Running, statusOf } from './status.ts'
import { watchDownloads } from './storage/downloads.ts'
import { loadState, type OriginReport, type StorageState, saveState } from './storage/storage-state.ts'
import { withTimeout } from './timeout.ts'

/** What a session has while it runs: ground under it, tabs on it, and what they have told. */
export interface SessionContext {
  readonly options: SessionOptions
  readonly book: RefRegistry
  readonly patienceMs: number
  readonly loadMs: number
  readonly uploadRoots: readonly string[]
  /** throws `not_running` when there is no browser; `open` may start one again */
  tabs(): Pages
  /** the tab in front, if there is one */
  front(): Page | undefined
  restart(): Promise<void>
  /** throws `invalid_url` or `url_not_allowed` */
  check(url: string): Promise<string>
  note(text: string | (() => string)): void
  takeNotes(): readonly string[]
  /** told once */
  takeCrash(): PagehandError | undefined
  deadlineOf(command: DriverCommand): number
  status(): { readonly running: boolean; readonly [fact: string]: unknown }
  storageState(): Promise<StorageState>
  close(): Promise<void>
}

const mostNotes = 20

export async function createSessionContext(options: SessionOptions): Promise<SessionContext> {
  const { patienceMs = 5_000, loadMs = 15_000, fileRoots = [process.cwd()], uploadRoots = [process.cwd()], deadlines = {} } = options
  const book = createRefRegistry(world => world.frameId === world.rootFrameId && isTop(world.frameId))
  let notes: (string | (() => string))[] = []
  let running: Running | undefined
  let crash: PagehandError | undefined
  let lastUrl = 'about:blank'
  let isClosed = false
  let restored: readonly OriginReport[] | undefined
  let forget = () => {}
  const ending = new Set<Promise<unknown>>()
  const origins = new Set<string>()

  const isTop = (frameId: string) => topFrames.has(frameId)
  const topFrames = new Set<string>()

  const note: SessionContext['note'] = text => {
    if (notes.length < mostNotes) notes.push(text)
  }

  const rule = createUrlPolicy({ fileRoots, hosts: options.hosts, endpoint: () => running?.ground.facts.endpoint })

  const onView = (view: Page) => {
    topFrames.add(view.target.targetId)
    view.worlds.onGone(world => book.forget(world))
    view.target.on('Page.frameNavigated', ({ frame }) => {
      if (/^https?:/.test(frame.securityOrigin ?? '') && origins.size < 100) origins.add(frame.securityOrigin)
    })
  }

  const start = async () => {
    const ground = await acquireBrowser(options)
    const undo = [() => ground.close()]
    try {
      forget = ground.connection.onLost(why => {
        // a page that has the port to itself tells its own crash there too; that is the view's matter
        if (running?.ground !== ground || why.code === 'page_crashed') return
        lastUrl = frontOf(running.tabs)?.url() ?? lastUrl
        running = undefined
        crash = new PagehandError(why.code, `${why.message} The page was at ${quote(lastUrl)}.`)
        const ended = ground.close().catch(() => {}) // what is gone cannot be closed
        ending.add(ended)
        ended.finally(() => ending.delete(ended))
      })
      await refusePermissions(ground)
      const isOurs = (frameId: string) =>
        running?.tabs.all().some(({ worlds, target: tab }) => tab.targetId === frameId || worlds.parentOf(frameId))
      const downloads = await watchDownloads(ground, { rules: options.downloads, note, isOurs: frameId => isOurs(frameId) === true })
      undo.push(async () => downloads.end())
      const tabs = await openPages(ground, {
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
      await withTimeout(15_000, ended.ground.close())
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
      if (isClosed) throw new PagehandError('not_running', 'The session is closed.')
      if (!running) throw new PagehandError('not_running', 'The browser is not running. Open a page to start it again.')
      return running.tabs
    },
    front: () => running && frontOf(running.tabs),
    async restart() {
      if (running || isClosed) return
      if (options.browser || options.debugger)
        throw new PagehandError('not_running', 'The browser that was given to this session is gone; open a session on another one.')
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
      if (!running) throw new PagehandError('not_running', 'The browser is not running.')
      return saveState(running, [...origins])
    },
    close,
  }
}

/** a browser that hangs is not waited for, and one of our own takes its tabs with it */
const endTabs = ({ kind }: BrowserConnection, tabs: Pages): Promise<void> =>
  withTimeout(2_000, kind === 'launched' ? Promise.resolve() : tabs.end().catch(() => {}))
