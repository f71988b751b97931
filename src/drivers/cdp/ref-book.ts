import type { World } from './worlds.ts'

/**
 * How a session spells the refs of its documents. Every engine counts its own e1, e2, …; here each of them gets a word that no other document
 * of the session has had, so a ref of a page that was left, or of another tab, leads to nothing instead of to something else (X4-4, F4).
 */
export interface RefBook {
  spell(world: World, local: string): string
  find(ref: string): { readonly world: World; readonly local: string } | undefined
  forget(world: World): void
}

/** `isTop` tells the documents whose refs have no frame before them. */
export function createRefBook(isTop: (world: World) => boolean): RefBook {
  const spelled = new Map<string, Map<string, string>>()
  const found = new Map<string, { world: World; local: string }>()
  const prefixes = new Map<string, string>()
  const counts = new Map<string, number>()
  let frames = 0

  const prefixOf = (world: World, local: string) => {
    if (!local && isTop(world)) return ''
    const key = `${world.contextId} ${local}`
    const prefix = prefixes.get(key) ?? `f${++frames}`
    prefixes.set(key, prefix)
    return prefix
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
      const number = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, number)
      const ref = `${prefix}e${number}`
      own.set(local, ref)
      found.set(ref, { world, local })
      return ref
    },
    find: ref => found.get(ref),
    forget(world) {
      for (const ref of spelled.get(world.contextId)?.values() ?? []) found.delete(ref)
      spelled.delete(world.contextId)
      for (const key of prefixes.keys()) if (key.startsWith(`${world.contextId} `)) prefixes.delete(key)
    },
  }
}
