import { PagehandError } from '../errors.ts'
import { type Frame, offsetOf } from '../page/frames.ts'
import type { IsolatedWorld } from '../page/isolated-worlds.ts'
import type { Page } from '../page/page.ts'
import type { SessionContext } from '../session-context.ts'
import { resolveAllowedFile } from '../storage/allowed-paths.ts'
import type { InputContext } from './context.ts'

/** The part of a session that input commands use: the selected page, until the deadline. */
export function createInputContext(life: SessionContext, view: Page, { deadline }: { readonly deadline: number }): InputContext {
  const { capMs = 2_000, networkMs = 5_000 } = life.options.settle ?? {}
  const frameOf = (world: IsolatedWorld): Frame => ({
    frameId: world.frameId,
    session: world.session,
    contextId: world.contextId,
    evaluate: expression => view.evaluate(world, expression),
    offset: () => offsetOf(view, world),
    spell: local => (view.worlds.isAlive(world) ? life.refs.refFor(world, local) : local),
  })
  return {
    target: view.target,
    top: async () => frameOf(await view.topWorld()),
    async frames() {
      await view.guard.settled()
      return view.worlds.all().map(frameOf)
    },
    async resolveRef(ref) {
      const { world, local } = resolveRef(life, view, ref)
      return { frame: frameOf(world), ref: local, element: () => view.element(world, local) }
    },
    onDialog: listener => {
      const ends = [view.dialogs.onOpen(listener), life.pages().onRelatedDialog(view, listener)]
      return () => {
        for (const end of ends) end()
      }
    },
    network: view.network,
    pageInfo: () => view.info(),
    resolveUpload: path => resolveAllowedFile(path, life.uploadRoots),
    note: life.note,
    deadline,
    get settle() {
      // who is late is not late for the answer
      const most = Math.max(0, deadline - performance.now() - 500)
      return { capMs: Math.min(capMs, most), networkMs: Math.min(networkMs, most) }
    },
  }
}

/** The document and the name in it of a ref that this session gave; what it is not is told. */
export function resolveRef(life: SessionContext, view: Page, given: string, code: 'ref_not_found' | 'scope_not_found' = 'ref_not_found') {
  const found = life.refs.find(given)
  if (found && view.worlds.isAlive(found.world)) return found
  const other =
    found &&
    life
      .pages()
      .all()
      .find(({ worlds }) => worlds.isAlive(found.world))
  const where = other
    ? `is in tab ${other.id}; select that tab first`
    : life.refs.isForeign(given)
      ? 'was given by another session; take a snapshot in this one'
      : 'is not on this page'
  throw new PagehandError(code, `${given} ${where}.`)
}
