import type { DriverVerb } from '../../contract/commands.ts'
import { say } from '../../contract/message.ts'
import { toError } from '../../contract/pagehand-error.ts'
import type { CommandData, PageData } from '../../contract/results.ts'
import type { Result } from '../../contract/run.ts'
import { defaultOptions as engineDefaults } from '../../engine/options.ts'
import { cut, quote } from '../../render/text/quote.ts'
import { withoutSecretParameters } from '../../secrets/url-parameters.ts'
import { answerDialog } from './dialog-command.ts'
import { maxQuoteChars, PagehandError } from './errors.ts'
import { performAction } from './input/actions.ts'
import { createInputContext, resolveRef } from './input/create-input-context.ts'
import { type ActionOutcome, type InputCommand, type InputVerb, inputVerbs } from './input/input-context.ts'
import { goInHistory, historyEntry, navigateTo, reload } from './navigation/navigate.ts'
import { navigateAndSettle, navigateOrReplace, navigationContext } from './navigation-commands.ts'
import { dialogNote, dialogOpenError } from './page/dialogs.ts'
import { readDocument } from './page/document-reads.ts'
import { callEngine, type Engine } from './page/engine.ts'
import type { Exposure } from './page/frame-guard.ts'
import type { IsolatedWorld } from './page/isolated-worlds.ts'
import type { Page } from './page/page.ts'
import { readConsole, readRequests } from './page-log.ts'
import type { DriverCommand } from './session.ts'
import type { SessionContext } from './session-context.ts'
import { takeScreenshot } from './snapshot/screenshot.ts'
import { type SnapshotContext, takeSnapshot } from './snapshot/snapshot.ts'
import { type Deadline, remainingMs } from './timeout.ts'

/** Executes one command and returns its data; a thrown error becomes a failure. */
export async function executeCommand(context: SessionContext, command: DriverCommand, deadline: Deadline): Promise<unknown> {
  const crash = context.takeCrash()
  if (crash) throw crash
  if (command.name === 'open' || (command.name === 'tabs' && command.operation === 'new')) await restart(context)
  context.pages().resetPopupLimit()
  // one may be on its way, such as a tab of the user that Chrome has put to sleep
  if (context.activePage() === undefined) await context.pages().ready()
  const data = isInputCommand(command) ? await executeInput(context, command, deadline) : await executeVerb(context, command, deadline)
  const notes = [...(await takeNotes(context)), ...(isInputCommand(command) ? errorPageNotes(context.activePage()) : [])]
  return {
    ...data,
    ...('settled' in data && liveStatus(context.activePage())),
    ...(!verbsWithoutPage.has(command.name) && { page: await context.pages().current().info() }),
    ...(notes.length > 0 && { notes }),
  }
}

/** An action may lead to a page that does not load. */
function errorPageNotes(page: Page | undefined): readonly string[] {
  if (!page?.document.isErrorPage()) return []
  const { message, page: words } = page.document.errorPageFailure()
  return [`${message} The action led to ${quote(String(words?.url ?? ''), maxQuoteChars)}; go back or open another URL.`]
}

function liveStatus(page: Page | undefined): { readonly live?: readonly string[] } {
  const workers = page?.worlds.workers() ?? 0
  const live = [...(page?.network.live() ?? []).slice(0, maxLive), ...(workers ? [`${workers} worker${workers > 1 ? 's' : ''}`] : [])]
  return live.length > 0 ? { live } : {}
}

const maxLive = 3

/** The notes of the session, and each open dialog. */
async function takeNotes(context: SessionContext): Promise<readonly string[]> {
  await context.pages().ready()
  const notes = context.takeNotes()
  const dialogs = context
    .pages()
    .all()
    .flatMap(page => {
      const dialog = page.dialogs.pending()
      if (!dialog) return []
      const note = dialogNote(dialog)
      return page === context.activePage() ? [note] : [`Tab ${page.id}: ${note}`]
    })
  return [...notes, ...dialogs.filter(text => !notes.includes(text))]
}

type VerbData<N extends DriverVerb> = Omit<CommandData[N], keyof PageData>
type Verbs = {
  readonly [N in Exclude<DriverVerb, InputVerb | 'status'>]: (
    context: SessionContext,
    command: Extract<DriverCommand, { name: N }>,
    deadline: Deadline,
  ) => Promise<VerbData<N>>
}

const verbs: Verbs = {
  open: async (context, { url }, deadline) => {
    const allowedUrl = await context.checkUrl(url)
    const status = await navigateAndSettle(context, deadline, () => navigateOrReplace(context, allowedUrl, deadline))
    await context.checkLogin(allowedUrl)
    return status
  },
  back: (context, _, deadline) => navigateHistory(context, deadline, -1),
  forward: (context, _, deadline) => navigateHistory(context, deadline, 1),
  reload: (context, _, deadline) =>
    navigateAndSettle(context, deadline, () => navigateOrReplace(context, context.pages().current().url(), deadline, reload)),
  async close(context, _, deadline) {
    await navigateOrReplace(context, 'about:blank', deadline)
    return {}
  },
  async snapshot(context, { name: _, maxChars: __, viewport, cursorInteractive, scope, after, order, interactiveOnly }) {
    const page = context.pages().current()
    const snapshot = await readPage(
      context,
      async snapshotContext => {
        const { document } = snapshotContext.page
        const refuseErrorPage = () => {
          if (document.isErrorPage()) throw document.errorPageFailure()
        }
        refuseErrorPage()
        const taken = await takeSnapshot(snapshotContext, {
          interactiveOnly,
          viewport,
          // "visible" means really visible: covered elements are left out, and boxes tell where the others are (S4-15 S4-19)
          ...(viewport === 'visible' && { occluded: 'drop', boxes: true }),
          ...(cursorInteractive !== undefined && { cursorInteractive }),
          ...(scope !== undefined && { scope }),
          ...(after !== undefined && { after }),
          // a page that is read from its start to its end is read in few parts
          ...(order === 'document' && { order, maxNodes: 5_000, includeAttrs: [...engineDefaults.includeAttrs, 'colspan', 'rowspan'] }),
        })
        // the browser may have begun to show it in the meantime
        refuseErrorPage()
        return taken
      },
      { urlOf: async (_, { meta }) => meta.url },
    )
    page.markSnapshot()
    const pdfFrames = page.frameGuard.loaderIds().filter(loaderId => page.network.isPdf(loaderId)).length
    if (page.document.isPdf()) context.note('The document is a PDF: a snapshot does not contain it, a screenshot shows it.')
    else if (pdfFrames > 0)
      context.note(
        `${pdfFrames} ${pdfFrames === 1 ? 'frame shows' : 'frames show'} a PDF: a snapshot does not contain it, a screenshot shows it.`,
      )
    return snapshot
  },
  query: (context, { ref, kind, limitChars }) =>
    readPage(context, async ({ page, resolveRef }) => {
      const { world, local } = resolveRef(ref)
      return callEngine(engineIn(context, page, world), 'query', { ref: local, kind, limitChars })
    }),
  async inspect(context, { ref, guard, sends, values, except = [] }) {
    if (guard) context.isJudged = true
    const facts = await readPage(context, async ({ page, resolveRef }) => {
      const url = await page.readUrl()
      const optionsIn = (world: IsolatedWorld) => ({ key: context.dataKey, except: localRefs(except, world, resolveRef), guard, sends })
      if (ref !== undefined) {
        const { world, local } = resolveRef(ref)
        return { ...(await callEngine(engineIn(context, page, world), 'inspect', { ref: local, values, ...optionsIn(world) })), url }
      }
      // keys go to one frame; the others answer null, and one that is loading does not answer
      const ask = (world: IsolatedWorld) => callEngine(engineIn(context, page, world), 'inspectFocused', optionsIn(world)).catch(() => null)
      const found = await Promise.all(page.worlds.all().map(ask))
      const focused = found.find(each => each !== null) ?? null
      if (!focused) throw new PagehandError('ref_not_found', say`No frame of the page has the focus.`)
      return { ...focused, url }
    })
    context
      .pages()
      .current()
      .document.setForm(facts.submits ?? facts.enterSubmits)
    return facts
  },
  screenshot: (context, { fullPage, ref, annotate, mark }) =>
    readPage(
      context,
      async snapshotContext => {
        const { page } = snapshotContext
        // a stuck page renders nothing, and would keep the screenshot waiting; one that waits for a server answers no call, but is drawn
        if (page.document.pendingNavigation() === undefined) await page.evaluate(await page.topWorld(), '1')
        return takeScreenshot(snapshotContext, { fullPage, ref, annotate, mark })
      },
      { urlOf: page => page.readUrl(), exposure: 'painted' },
    ),
  async evaluate(context, { js, limitChars }, deadline) {
    if (!context.options.allowEval) throw new PagehandError('disabled', say`evaluate is disabled in this session.`)
    const page = context.pages().current()
    const evaluate = () => page.evaluateInPage(js, remainingMs(deadline))
    const text = await readAllowed(page, evaluate, { urlOf: () => page.readUrl(), maxReads: 1 }).catch((error: Error) => {
      if (error instanceof PagehandError) throw error
      throw new PagehandError('invalid_input', say`js: the script threw an exception.`, {
        field: 'js',
        page: { error: error.message.split('\n')[0] ?? '' },
      })
    })
    return { value: cut(text, limitChars), truncated: text.length > limitChars }
  },
  async tabs(context, { operation, tab, url }, deadline) {
    const pages = context.pages()
    const allowedUrl = url === undefined ? undefined : await context.checkUrl(url)
    if (operation === 'new') await pages.open()
    if (operation === 'select') {
      if (tab === undefined) throw new PagehandError('invalid_input', say`tab: name the tab to select, such as t2.`)
      await pages.select(tab)
    }
    if (operation === 'close') await pages.close(tab)
    if (allowedUrl !== undefined && (operation === 'new' || operation === 'select'))
      await navigateAndSettle(context, deadline, () => navigateTo(navigationContext(context, deadline), allowedUrl))
    return { tabs: await pages.list() }
  },
  console: async (context, options) => readConsole(context.pages().current(), options),
  requests: async (context, options) => readRequests(context.pages().current(), options),
  dialog: (context, answer, deadline) => answerDialog(context, answer, deadline),
}

const engineIn = ({ refs }: SessionContext, page: Page, world: IsolatedWorld): Engine => ({
  evaluate: expression => page.evaluate(world, expression),
  spell: localRef => refs.refFor(world, localRef),
})

// the cast is safe: the name that selects the verb is that of the command
const navigateHistory = (context: SessionContext, deadline: Deadline, by: -1 | 1) =>
  navigateAndSettle(context, deadline, async () => {
    const entry = await historyEntry(context.pages().current(), by)
    return navigateOrReplace(context, entry.url, deadline, first => goInHistory(first, entry))
  })

const executeVerb = (context: SessionContext, command: DriverCommand, deadline: Deadline): Promise<object> =>
  verbs[command.name as keyof Verbs](context, command as never, deadline)

/** Starts the browser again after a crash, and opens a tab if the last one was closed. */
async function restart(context: SessionContext): Promise<void> {
  await context.restart()
  if (context.pages().all().length === 0) await context.pages().open()
}

/** Reads from the selected page. The scripts of a page that is stuck are stopped, and it is read as it is (B3). */
async function readPage<T>(
  context: SessionContext,
  read: (context: SnapshotContext) => Promise<T>,
  options: ReadOptions<T> = {},
): Promise<T> {
  const page = context.pages().current()
  refuseCrashed(page)
  const snapshotContext: SnapshotContext = {
    page,
    refs: context.refs,
    resolveRef: (ref, code) => resolveRef(context, page, ref, code),
  }
  const readOnce = () => readAllowed(page, () => readDocument(page, () => read(snapshotContext)), options)
  try {
    return await readOnce()
  } catch (error) {
    if (!(error instanceof PagehandError) || error.code !== 'page_unresponsive') throw error
    if (page.scripts.state() === 'stopped' || !(await page.scripts.stop())) throw await page.stuckFailure()
    context.note('The page did not answer, so its scripts were stopped; it stays as it is until you leave it.')
    return readOnce().catch(async (second: Error) => {
      throw second instanceof PagehandError && second.code === 'page_unresponsive' ? await page.stuckFailure() : second
    })
  }
}

interface ReadOptions<T> {
  /** the URL of the document that the data were read from; not needed for a ref, which belongs to a document that was shown before */
  urlOf?(page: Page, data: T): Promise<string>
  /** how the data could expose a frame */
  readonly exposure?: Exposure
  /** the page is read again if one of its frames was refused in the meantime (default: 4 times in all) */
  readonly maxReads?: number
}

/** Reads from a page. Fails if the page was at a refused URL at any time during the read, since the data may come from there. */
async function readAllowed<T>(
  page: Page,
  read: () => Promise<T>,
  { urlOf, exposure = 'readable', maxReads = 4 }: ReadOptions<T>,
): Promise<T> {
  for (let reads = 0; reads < maxReads; reads++) {
    await page.settled(exposure)
    const refusals = page.guard.refusals()
    const frameRefusals = page.frameGuard.refusals(exposure)
    const data = await read()
    const url = await urlOf?.(page, data).catch((error: PagehandError) => {
      if (error.code === 'url_not_allowed') throw error
      return undefined // the page does not answer; the guard knows its URL from the browser
    })
    // the error page of the browser has its own URL
    if (url !== undefined && !page.document.isErrorPage() && page.refusesUrl(url)) await page.checkUrl(url)
    await page.settled(exposure)
    if (page.guard.refusals() > refusals)
      throw page.guard.takeRefusal() ?? new PagehandError('url_not_allowed', say`The page navigated to a URL that is not allowed.`)
    if (page.frameGuard.refusals(exposure) === frameRefusals) return data
  }
  throw new PagehandError('url_not_allowed', say`A frame of the page goes to URLs that are not allowed, again and again.`)
}

function refuseCrashed(page: Page): void {
  if (page.crash.isCrashed())
    throw new PagehandError('page_crashed', say`The page crashed. Open a page to go on.`, { page: { url: page.url() } })
}

const inputVerbNames: ReadonlySet<string> = new Set(inputVerbs)
const isInputCommand = (command: DriverCommand): command is InputCommand => inputVerbNames.has(command.name)

/** The refs of one frame, as its document knows them; those of other frames and of elements that are gone are left out. */
const localRefs = (refs: readonly string[], world: IsolatedWorld, resolveRef: SnapshotContext['resolveRef']): readonly string[] =>
  refs.flatMap(ref => {
    try {
      const found = resolveRef(ref)
      return found.world === world ? found.local : []
    } catch {
      return []
    }
  })

/** the verbs whose results do not include the page info */
const verbsWithoutPage = new Set<DriverVerb>(['snapshot', 'query', 'inspect', 'tabs', 'status', 'console', 'requests'])

async function executeInput(context: SessionContext, command: InputCommand, deadline: Deadline): Promise<ActionOutcome> {
  const page = context.pages().current()
  refuseCrashed(page)
  const dialog = page.dialogs.pending()
  if (dialog) throw dialogOpenError(dialog)
  const startedAt = performance.now()
  const result: Result<ActionOutcome> = await performAction(command, createInputContext(context, page, deadline), deadline.signal)
  noteExceptions(context, page, startedAt)
  if (!result.ok) throw toError(result.error)
  return result.data
}

/** An exception in a handler of the page explains why an action has no effect, or another one. */
function noteExceptions(context: SessionContext, page: Page, since: number): void {
  const [first, ...others] = page.console.exceptionsSince(since)
  if (first === undefined) return
  const more = others.length ? ` and ${others.length} more` : ''
  context.note(`page error: ${quote(withoutSecretParameters(first.split('\n')[0] ?? ''), maxQuoteChars)}${more}`)
}
