import type { DriverVerb } from '../../contract/commands.ts'
import type { CommandData, PageData } from '../../contract/results.ts'
import type { Result } from '../../contract/run.ts'
import { cut, quote } from './cut.ts'

import { PagehandError } from './errors.ts'
import { performAction } from './input/actions.ts'
import { type ActionOutcome, type InputCommand, type InputVerb, inputVerbs } from './input/context.ts'
import { createInputContext, resolveRef } from './input/create-context.ts'
import * as go from './navigation/navigate.ts'
import { goTo, navigateAndSettle, navigationContext } from './navigation/open.ts'
import { callEngine, type Engine } from './page/engine.ts'
import { dialogOpen, type Page } from './page/page.ts'
import type { DriverCommand } from './session.ts'
import type { SessionContext } from './session-context.ts'
import { takeScreenshot } from './snapshot/screenshot.ts'
import { type SnapshotContext, takeSnapshot } from './snapshot/snapshot.ts'
import { type Deadline, remainingMs } from './timeout.ts'

/** Carries out one command; what it throws becomes a failure. */
export async function executeCommand(life: SessionContext, command: DriverCommand, time: Deadline): Promise<unknown> {
  const crash = life.takeCrash()
  if (crash) throw crash
  if (command.name === 'open' || (command.name === 'tabs' && command.operation === 'new')) await revive(life)
  life.tabs().allowPopups()
  const data = isHandVerb(command) ? await handle(life, command, time) : await carryOut(life, command, time)
  const notes = await notesOf(life)
  return {
    ...data,
    ...(tellsPage(command.name) && { page: await life.tabs().current().info() }),
    ...(notes.length > 0 && { notes }),
  }
}

async function notesOf(life: SessionContext): Promise<readonly string[]> {
  await life.tabs().ready()
  const told = life.takeNotes()
  const dialogs = life
    .tabs()
    .all()
    .flatMap(view => {
      const dialog = view.dialogs.pending()
      if (!dialog) return []
      const { message } = dialogOpen(dialog)
      return view === life.front() ? [message] : [`Tab ${view.id}: ${message}`]
    })
  return [...told, ...dialogs.filter(text => !told.includes(text))]
}

type Own<N extends DriverVerb> = Omit<CommandData[N], keyof PageData>
type Verbs = {
  readonly [N in Exclude<DriverVerb, InputVerb | 'status'>]: (
    life: SessionContext,
    command: Extract<DriverCommand, { name: N }>,
    time: Deadline,
  ) => Promise<Own<N>>
}

const verbs: Verbs = {
  open: async (life, { url }, time) => {
    const address = await life.check(url)
    return navigateAndSettle(life, time, () => goTo(life, address, time))
  },
  back: (life, _, time) => navigateAndSettle(life, time, () => go.goInHistory(navigationContext(life, time), -1)),
  forward: (life, _, time) => navigateAndSettle(life, time, () => go.goInHistory(navigationContext(life, time), 1)),
  reload: (life, _, time) => navigateAndSettle(life, time, () => go.reload(navigationContext(life, time))),
  async close(life, _, time) {
    await goTo(life, 'about:blank', time)
    return {}
  },
  snapshot: (life, { name: _, maxChars: __, viewport, cursorInteractive, scope, after, interactiveOnly }) =>
    reading(
      life,
      looking =>
        takeSnapshot(looking, {
          interactiveOnly,
          viewport,
          // what is on screen is what can be seen there; where it is comes along as a hint (S4-15 S4-19)
          ...(viewport === 'visible' && { occluded: 'drop', boxes: true }),
          ...(cursorInteractive !== undefined && { cursorInteractive }),
          ...(scope !== undefined && { scope }),
          ...(after !== undefined && { after }),
        }),
      async (_, { meta }) => meta.url,
    ),
  query: (life, { ref, kind, limitChars }) =>
    reading(life, async ({ view, book, find }) => {
      const { world, local } = find(ref)
      const engine: Engine = { evaluate: expression => view.evaluate(world, expression), spell: each => book.spell(world, each) }
      return callEngine(engine, 'query', { ref: local, kind, limitChars })
    }),
  screenshot: (life, { fullPage, ref, annotate }) =>
    reading(
      life,
      async looking => {
        // a page that is stuck draws nothing any more, and would keep the picture waiting
        await looking.view.evaluate(await looking.view.topWorld(), '1')
        return takeScreenshot(looking, { fullPage, ref, annotate })
      },
      whereIs,
    ),
  async evaluate(life, { js, limitChars }, time) {
    if (!life.options.allowEval) throw new PagehandError('disabled', 'evaluate is switched off in this session.')
    const view = life.tabs().current()
    const text = await unlessRefused(view, () => view.evaluateInPage(js, remainingMs(time)), whereIs).catch((error: Error) => {
      if (error instanceof PagehandError) throw error
      throw new PagehandError('invalid_input', `js: the script threw ${quote(error.message.split('\n')[0], 300)}.`)
    })
    return { value: cut(text, limitChars), truncated: text.length > limitChars }
  },
  async tabs(life, { operation, tab, url }, time) {
    const tabs = life.tabs()
    const address = url === undefined ? undefined : await life.check(url)
    if (operation === 'select' && tab === undefined) throw new PagehandError('invalid_input', 'tab: say which one to select, such as t2.')
    if (operation === 'new') await tabs.open()
    if (operation === 'select') await tabs.select(tab as string)
    if (operation === 'close') await tabs.close(tab)
    if (address !== undefined && operation !== 'list' && operation !== 'close')
      await navigateAndSettle(life, time, () => go.navigateTo(navigationContext(life, time), address))
    return { tabs: await tabs.list() }
  },
  async dialog(life, { accept, text }) {
    const tabs = life.tabs()
    const front = tabs.current()
    // one in a tab that a page has opened stops the page in front as well
    const others = tabs.all().filter(each => each.dialogs.pending())
    if (!front.dialogs.pending() && others.length > 1)
      throw new PagehandError('invalid_input', `Tabs ${others.map(({ id }) => id).join(', ')} show dialogs: select one of them first.`)
    const view = front.dialogs.pending() ? front : (others[0] ?? front)
    const { type, message } = await view.dialogs.answer(accept, text)
    const effect = { answered: { type, message, accepted: accept, ...(view !== front && { tab: view.id }) } }
    if (type === 'beforeunload' && accept) return { effect, trusted: true, settled: false, pending: ['navigation'] }
    // the page goes on where the dialog stopped it; when it answers, that part is over
    const rest = await view
      .topWorld()
      .then(world => view.evaluate(world, twoFrames, 2_000))
      .then(
        () => ({ settled: true }),
        (why: PagehandError) => ({ settled: false, pending: [why.code === 'dialog_open' ? 'dialog' : 'scripts'] }),
      )
    return { effect, trusted: true, ...rest }
  },
}

// each verb gets its own command: the name that finds the verb is the command's
const carryOut = (life: SessionContext, command: DriverCommand, time: Deadline): Promise<object> =>
  verbs[command.name as keyof Verbs](life, command as never, time)

const twoFrames = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))'

/** A browser that crashed, or a session whose last tab was closed, begins anew with the next page that is opened. */
async function revive(life: SessionContext): Promise<void> {
  await life.restart()
  if (life.tabs().all().length === 0) await life.tabs().open()
}

/** Looks at the page in front; one that has got stuck is stopped and looked at as it stands (B3). */
async function reading<T>(life: SessionContext, read: (looking: SnapshotContext) => Promise<T>, addressOf?: AddressOf<T>): Promise<T> {
  const view = life.tabs().current()
  refuseCrashed(view)
  const looking: SnapshotContext = { view, book: life.book, find: (ref, code) => resolveRef(life, view, ref, code) }
  try {
    return await unlessRefused(view, () => read(looking), addressOf)
  } catch (error) {
    if (!(error instanceof PagehandError)) throw error
    // the document went while it was looked at; the one that came is looked at instead
    if (error.code === 'target_closed') return unlessRefused(view, () => read(looking), addressOf)
    if (error.code !== 'page_unresponsive' || view.scripts() === 'stopped') throw error
    await view.stopScripts()
    life.note('The page did not answer; its scripts are stopped, and it stays as it was until it is left.')
    return unlessRefused(view, () => read(looking), addressOf)
  }
}

/** of which page something was read; a ref is of a page that was shown already */
type AddressOf<T> = (view: Page, data: T) => Promise<string>
const whereIs = (view: Page) => view.address()

/** What is read of a tab that meanwhile was where it must not be may be of there, and is not told. */
async function unlessRefused<T>(view: Page, read: () => Promise<T>, addressOf?: AddressOf<T>): Promise<T> {
  await view.guard.settled()
  const before = view.guard.refusals()
  const data = await read()
  const url = await addressOf?.(view, data).catch((why: PagehandError) => {
    if (why.code === 'url_not_allowed') throw why
    return undefined // it does not answer, and was where the browser says
  })
  // the browser's own page about an error has an address of its own
  if (url !== undefined && !view.isErrorPage() && view.refuses(url)) await view.check(url)
  await view.guard.settled()
  if (view.guard.refusals() > before)
    throw view.guard.takeRefusal() ?? new PagehandError('url_not_allowed', 'The page went where it must not be shown.')
  return data
}

function refuseCrashed(view: Page): void {
  if (view.isCrashed()) throw new PagehandError('page_crashed', `The page at ${quote(view.url())} crashed. Open a page to go on.`)
}

const handNames: ReadonlySet<string> = new Set(inputVerbs)
const isHandVerb = (command: DriverCommand): command is InputCommand => handNames.has(command.name)

const withoutPage = new Set<DriverVerb>(['snapshot', 'query', 'tabs', 'status'])
const tellsPage = (name: DriverVerb) => !withoutPage.has(name)

async function handle(life: SessionContext, command: InputCommand, time: Deadline): Promise<ActionOutcome> {
  const view = life.tabs().current()
  refuseCrashed(view)
  const dialog = view.dialogs.pending()
  if (dialog) throw dialogOpen(dialog)
  const result: Result<ActionOutcome> = await performAction(command, createInputContext(life, view, time), time.signal)
  if (!result.ok) throw new PagehandError(result.error.code, result.error.message)
  return result.data
}
