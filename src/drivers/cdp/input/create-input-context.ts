import { say, term } from '../../../contract/message.ts'
import { toError } from '../../../contract/pagehand-error.ts'
import { expandSecrets } from '../../../secrets/named-secrets.ts'
import { PagehandError } from '../errors.ts'
import { readActionTarget } from '../page/action-target.ts'
import { keepDrawing } from '../page/capture.ts'
import { type Frame, frameMatrix } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import type { SessionContext } from '../session-context.ts'
import type { InputContext } from './input-context.ts'
import { guardKeys } from './key-guard.ts'

/** The part of a session that input commands use: the selected page, until the deadline. */
export function createInputContext(session: SessionContext, page: Page, { deadline }: { readonly deadline: number }): InputContext {
  const { capMs = 2_000, networkMs = 5_000 } = session.options.settle ?? {}
  const frameOf = (world: IsolatedWorld): Frame => ({
    frameId: world.frameId,
    session: world.session,
    contextId: world.contextId,
    evaluate: expression => page.evaluate(world, expression),
    matrix: () => frameMatrix(page, world),
    spell: local => (page.worlds.isAlive(world) ? session.refs.refFor(world, local) : local),
  })
  return {
    target: page.target,
    top: async () => frameOf(await page.topWorld()),
    async frames() {
      await page.settled()
      return page.worlds.all().map(frameOf)
    },
    async resolveRef(ref) {
      const { world, local } = resolveRef(session, page, ref)
      return { frame: frameOf(world), ref: local, element: () => page.element(world, local) }
    },
    onDialog: listener => {
      const ends = [page.dialogs.onOpen(listener), session.pages().onRelatedDialog(page, listener)]
      return () => {
        for (const end of ends) end()
      }
    },
    network: page.network,
    pendingNavigation: () => page.document.pendingNavigation(),
    pageInfo: () => page.info(),
    copyUpload: path => session.uploads.copy(path),
    async expandSecrets(text) {
      const expanded = await expandSecrets(text, session.options.secrets, (value, origins) => session.secrets.add([value], origins))
      if (!expanded.ok) throw toError(expanded.error)
      return expanded.data
    },
    scrub: text => session.secrets.scrubber.text(text),
    secretPattern: () => session.secrets.scrubber.pattern,
    announceTarget(verb, where) {
      if (!session.targets.hasListeners) return
      readActionTarget(where.frame, where.ref).then(
        target => session.targets.emit(session.secrets.scrub({ verb, ...target })),
        () => {}, // the page is gone, or does not answer
      )
    },
    runClipboardCommand: command => session.clipboard.use(page, command),
    guardClipboard: () => session.clipboard.guard(page),
    guardKeys: () => (session.isJudged ? guardKeys(page) : undefined),
    keepDrawing: () => (page.mayBeHidden ? keepDrawing(page.target) : undefined),
    note: session.note,
    deadline,
    get settle() {
      // leaves time to report the outcome before the deadline
      const maxMs = Math.max(0, deadline - performance.now() - 500)
      return { capMs: Math.min(capMs, maxMs), networkMs: Math.min(networkMs, maxMs) }
    },
  }
}

/** The isolated world of a ref and its name there. Fails with `code`, and says where the ref is if it is not on this page. */
export function resolveRef(
  session: SessionContext,
  page: Page,
  given: string,
  code: 'ref_not_found' | 'scope_not_found' = 'ref_not_found',
) {
  const found = session.refs.find(given)
  if (found && page.worlds.isAlive(found.world)) return found
  const other =
    found &&
    session
      .pages()
      .all()
      .find(({ worlds }) => worlds.isAlive(found.world))
  const where = other
    ? `is in tab ${other.id}; select that tab first`
    : session.refs.isForeign(given)
      ? 'was given by another session; take a snapshot in this one'
      : 'is not on this page'
  throw new PagehandError(code, say`${{ ref: given }} ${term(where)}.`)
}
