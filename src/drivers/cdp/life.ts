import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { commands, type Name } from '../../contract/commands.ts'
import { checkUrl } from '../../contract/urls.ts'
import { type Attached, attach } from './attach.ts'
import type { Debugger } from './debugger.ts'
import { type DownloadRules, type Downloads, watchDownloads } from './downloads.ts'
import type { Attaching } from './endpoint.ts'
import { Failed } from './failed.ts'
import { attachedBrowser, foreignPage, type Ground, ownBrowser, sharedBrowser } from './ground.ts'
import { isBelow, rootUrl } from './jail.ts'
import { type Chromium, type Launching, launch } from './launch.ts'
import { namedProfile } from './profile.ts'
import { createRefBook, type RefBook } from './ref-book.ts'
import { cut, quote } from './said.ts'
import type { Whole } from './session.ts'
import { loadState, type OriginReport, type StorageState, saveState } from './storage.ts'
import { openTabs, type Tabs } from './tabs.ts'
import type { View } from './view.ts'

export interface SessionOptions {
  /** openclaw: an empty profile that is removed afterwards; chrome: the browser that runs with a debugging port; or a name of one's own */
  readonly profile?: string
  /** names of one's own that may be used; those that have a folder already need not be listed */
  readonly profiles?: readonly string[]
  /** a browser that is open already, with as many sessions in it as one likes; it is not closed with them */
  readonly browser?: Chromium | Attached
  /** one page of another program: Electron's webContents.debugger */
  readonly debugger?: Debugger
  readonly launch?: Omit<Launching, 'profileDir'>
  readonly attach?: Attaching
  /** 1280 x 720 in a browser that we launch; as it is elsewhere */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** whether `evaluate` runs what it is given */
  readonly allowEval?: boolean
  /** folders whose files may be opened as pages; the working directory unless given */
  readonly fileRoots?: readonly string[]
  /** folders whose files may be uploaded; the working directory unless given */
  readonly uploadRoots?: readonly string[]
  /** refused unless given */
  readonly downloads?: DownloadRules
  /** milliseconds by verb, instead of those in the table */
  readonly deadlines?: { readonly [N in Name]?: number }
  /** how long a page may leave a question without an answer before its scripts are stopped */
  readonly patienceMs?: number
  /** how long a document that has begun may take to load before it is used as it is */
  readonly loadMs?: number
  readonly settle?: { readonly capMs?: number; readonly networkMs?: number }
  /** cookies and stored data to begin with */
  readonly storageState?: StorageState
}

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
  const rules = { files: fileRoots.map(rootUrl) }
  const book = createRefBook(world => world.frameId === world.rootFrameId && isTop(world.frameId))
  let notes: (string | (() => string))[] = []
  let running: { readonly ground: Ground; readonly tabs: Tabs; readonly downloads: Downloads } | undefined
  let crash: Failed | undefined
  let lastUrl = 'about:blank'
  let isClosed = false
  let restored: readonly OriginReport[] | undefined
  const ending = new Set<Promise<unknown>>()
  const origins = new Set<string>()

  const isTop = (frameId: string) => topFrames.has(frameId)
  const topFrames = new Set<string>()

  const note: Life['note'] = text => {
    if (notes.length < mostNotes) notes.push(text)
  }

  const check = async (url: string): Promise<string> => {
    const verdict = checkUrl(url, rules)
    if (!verdict.ok) throw new Failed(verdict.error.code, verdict.error.message)
    if (verdict.kind === 'file') {
      const path = fileURLToPath(verdict.url)
      const real = await realpath(path).catch(() => path) // what is not there is told by the browser
      if (!(await isBelow(real, fileRoots)))
        throw new Failed('url_not_allowed', `${quote(url)} is a link to a file outside of the allowed folders.`)
    }
    const endpoint = running?.ground.facts.endpoint
    if (verdict.kind === 'web' && typeof endpoint === 'string' && new URL(endpoint).host === new URL(verdict.url).host)
      throw new Failed('url_not_allowed', `${quote(url)} is the port that controls the browser itself.`)
    return verdict.url
  }

  const onView = (view: View) => {
    topFrames.add(view.tab.targetId)
    view.worlds.onGone(world => book.forget(world))
    view.tab.on('Page.frameNavigated', ({ frame }) => {
      if (/^https?:/.test(frame.securityOrigin ?? '') && origins.size < 100) origins.add(frame.securityOrigin)
    })
  }

  const start = async () => {
    const ground = await stand(options)
    try {
      ground.port.onLost(why => {
        if (running?.ground !== ground || isClosed) return
        lastUrl = frontOf(running.tabs)?.url() ?? lastUrl
        running = undefined
        crash = new Failed('browser_crashed', `${why.message} The page was at ${quote(lastUrl)}.`)
        const ended = ground.close().catch(() => {}) // what is gone cannot be closed
        ending.add(ended)
        ended.finally(() => ending.delete(ended))
      })
      if (ground.kind === 'launched' || ground.kind === 'shared') await refusePermissions(ground)
      const isOurs = (frameId: string) =>
        running?.tabs.all().some(({ worlds, tab }) => tab.targetId === frameId || worlds.parentOf(frameId))
      const downloads = await watchDownloads(ground, { rules: options.downloads, note, isOurs: frameId => isOurs(frameId) === true })
      const viewport =
        options.viewport ?? (ground.kind === 'launched' || ground.kind === 'shared' ? { width: 1280, height: 720 } : undefined)
      const tabs = await openTabs(ground, {
        viewport,
        patienceMs,
        note,
        onView,
        // another program's window goes where that program likes; what we open there is judged all the same
        check: async url => void (ground.kind === 'page' || (await check(url))),
      })
      running = { ground, tabs, downloads }
      if (options.storageState) restored = await loadState({ ground, tabs }, options.storageState)
    } catch (error) {
      running = undefined
      await ground.close()
      throw error
    }
  }

  const close = async () => {
    if (isClosed) return
    isClosed = true
    const ended = running
    running = undefined
    if (ended) {
      ended.downloads.end()
      // a browser that hangs is not waited for: its end is not asked of it
      await atMost(2_000, ended.ground.kind === 'launched' ? Promise.resolve() : ended.tabs.end().catch(() => {}))
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
    check,
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
    status() {
      const front = running && frontOf(running.tabs)
      const dialog = front?.dialogs.pending()
      return {
        running: running !== undefined,
        ...(running && {
          mode: running.ground.kind,
          profile: options.profile ?? (running.ground.kind === 'attached' ? 'chrome' : 'openclaw'),
          ...running.ground.facts,
          tabs: running.tabs.all().length,
          downloads: options.downloads ? running.downloads.done.map(({ name, bytes }) => ({ name, bytes })) : 'off',
        }),
        evaluate: options.allowEval === true,
        ...(restored && { storage: restored }),
        ...(front && {
          tab: front.id,
          url: cut(front.url(), 500),
          scripts: front.scripts(),
          ...(front.isCrashed() && { crashed: true }),
          ...(dialog && { dialog: { type: dialog.type, message: dialog.message } }),
          errors: front.log.lines().filter(line => line.level === 'error').length,
        }),
      }
    },
    async storageState() {
      if (!running) throw new Failed('not_running', 'The browser is not running.')
      return saveState(running, [...origins])
    },
    close,
  }
}

const frontOf = (tabs: Tabs): View | undefined => {
  try {
    return tabs.current()
  } catch {
    return undefined // all tabs were closed
  }
}

/** Finds or starts what the options ask for. */
async function stand({ browser, debugger: debug, profile = 'openclaw', profiles, launch: launching, attach: attaching }: SessionOptions) {
  if (debug) return foreignPage(debug)
  if (browser) return 'pid' in browser ? sharedBrowser(browser) : attachedBrowser(browser, { isOurs: false })
  if (profile === 'chrome') return attachedBrowser(await attach(attaching), { isOurs: true })
  const isNamed = profile !== 'openclaw'
  const folder = isNamed ? { profileDir: await namedProfile(profile, { listed: profiles ?? [] }) } : {}
  const chromium = await launch({ ...launching, ...folder })
  return ownBrowser(chromium, { headless: launching?.headless ?? true })
}

/** Who asks for the camera, the place or the clipboard hears no. */
async function refusePermissions({ port, contextId }: Ground): Promise<void> {
  await port.send('Browser.grantPermissions', { permissions: [], ...(contextId !== undefined && { browserContextId: contextId }) })
}

async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
