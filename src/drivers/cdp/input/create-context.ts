import { Failed } from '../errors.ts'
import { offsetOf } from '../page/frames.ts'
import type { World } from '../page/isolated-worlds.ts'
import type { View } from '../page/page.ts'
import type { Life } from '../session-context.ts'
import { jail } from '../storage/allowed-paths.ts'
import type { Frame, Hands } from './context.ts'

/** What the hands get to know of a session: one tab, until a time. */
export function handsOn(life: Life, view: View, { deadline }: { readonly deadline: number }): Hands {
  const { capMs = 2_000, networkMs = 5_000 } = life.options.settle ?? {}
  const frameOf = (world: World): Frame => ({
    frameId: world.frameId,
    wire: world.wire,
    contextId: world.contextId,
    evaluate: expression => view.ask(world, expression),
    offset: () => offsetOf(view, world),
  })
  return {
    tab: view.tab,
    top: async () => frameOf(await view.top()),
    async frames() {
      await view.verdicts.allowed()
      return view.worlds.all().map(frameOf)
    },
    async whereIs(ref) {
      const { world, local } = find(life, view, ref)
      return { frame: frameOf(world), ref: local, element: () => view.element(world, local) }
    },
    spell: ({ frameId, contextId }, local) => {
      const world = view.worlds.of(frameId)
      return world?.contextId === contextId ? life.book.spell(world, local) : local
    },
    dialog: () => view.dialogs.pending(),
    onDialog: listener => {
      const ends = [view.dialogs.onOpen(listener), life.tabs().onDialogBeyond(view, listener)]
      return () => {
        for (const end of ends) end()
      }
    },
    network: view.network,
    pageInfo: () => view.info(),
    jail: path => jail(path, life.uploadRoots),
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
export function find(life: Life, view: View, given: string, code: 'ref_not_found' | 'scope_not_found' = 'ref_not_found') {
  const found = life.book.find(given)
  if (found && view.worlds.isAlive(found.world)) return found
  const other =
    found &&
    life
      .tabs()
      .all()
      .find(({ worlds }) => worlds.isAlive(found.world))
  const where = other
    ? `is in tab ${other.id}; select that tab first`
    : life.book.isForeign(given)
      ? 'was given by another session; take a snapshot in this one'
      : 'is not on this page'
  throw new Failed(code, `${given} ${where}.`)
}
