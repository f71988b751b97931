import type { IsolatedWorld } from '../page/isolated-worlds.ts'

/**
 * How a session spells the refs of its documents. Every engine counts its own e1, e2, …; here each of them gets a word that no other document
 * has had, of this session or of another one in this process. So a ref of a page that was left, of another tab or of another session leads to
 * nothing instead of to something else (X4-4, F4).
 */
export interface RefRegistry {
  spell(world: IsolatedWorld, local: string): string
  find(ref: string): { readonly world: IsolatedWorld; readonly local: string } | undefined
  /** whether another session of this process has given it, or may have */
  isForeign(ref: string): boolean
  forget(world: IsolatedWorld): void
}

/** numbers are taken so many at a time, so that a session that is alone counts without a gap */
const atOnce = 500
let numbersTaken = 0
let framesTaken = 0

/** `isTop` tells the documents whose refs have no frame before them. */
export function createRefRegistry(isTop: (world: IsolatedWorld) => boolean): RefRegistry {
  const spelled = new Map<string, Map<string, string>>()
  const found = new Map<string, { world: IsolatedWorld; local: string }>()
  const prefixes = new Map<string, string>()
  /** how many refs each frame has */
  const counts = new Map<string, number>()
  const blocks: number[] = []
  let ofPages = 0

  const prefixOf = (world: IsolatedWorld, local: string) => {
    if (!local && isTop(world)) return ''
    const key = `${world.contextId} ${local}`
    const prefix = prefixes.get(key) ?? `f${++framesTaken}`
    prefixes.set(key, prefix)
    return prefix
  }
  const numberFor = (prefix: string): number => {
    if (prefix) {
      const number = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, number)
      return number
    }
    if (ofPages % atOnce === 0) {
      blocks.push(numbersTaken)
      numbersTaken += atOnce
    }
    return (blocks.at(-1) as number) + (ofPages++ % atOnce) + 1
  }
  return {
    spell(world, local) {
      const parts = /^(f\d+)?e(\d+)$/.exec(local)
      if (!parts) return local
      const own = spelled.get(world.contextId) ?? new Map<string, string>()
      spelled.set(world.contextId, own)
      const known = own.get(local)
      if (known) return known
      const prefix = prefixOf(world, parts[1] ?? '')
      const ref = `${prefix}e${numberFor(prefix)}`
      own.set(local, ref)
      found.set(ref, { world, local })
      return ref
    },
    find: ref => found.get(ref),
    isForeign(ref) {
      const [, frame, number = ''] = /^(?:f(\d+))?e(\d+)$/.exec(ref) ?? []
      if (frame !== undefined) return Number(frame) <= framesTaken && !counts.has(`f${frame}`)
      const block = Math.floor((Number(number) - 1) / atOnce) * atOnce
      return Number(number) > 0 && block < numbersTaken && !blocks.includes(block)
    },
    forget(world) {
      for (const ref of spelled.get(world.contextId)?.values() ?? []) found.delete(ref)
      spelled.delete(world.contextId)
      for (const key of prefixes.keys()) if (key.startsWith(`${world.contextId} `)) prefixes.delete(key)
    },
  }
}
