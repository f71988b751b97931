import type { IsolatedWorld } from './isolated-worlds.ts'

/**
 * The refs of a session. The engine of each document counts its own e1, e2, …; the session gives each of them a ref that no other document
 * has had, in this session or in another one of this process. So a ref of a page that was left, of another tab or of another session is
 * not found, instead of naming another element (X4-4, F4).
 */
export interface RefRegistry {
  /** the session ref of a local ref; a new one at the first call */
  refFor(world: IsolatedWorld, local: string): string
  find(ref: string): { readonly world: IsolatedWorld; readonly local: string } | undefined
  /** whether the ref belongs to another session of this process */
  isForeign(ref: string): boolean
  forget(world: IsolatedWorld): void
}

/** sessions reserve numbers in blocks, so that the refs of a single session have no gaps */
const blockSize = 500
// never reset: refs are unique in the process
let reservedNumbers = 0
let reservedFrames = 0

/** `isTop`: whether the refs of a document have no frame prefix. */
export function createRefRegistry(isTop: (world: IsolatedWorld) => boolean): RefRegistry {
  /** by contextId, then by local ref */
  const refs = new Map<string, Map<string, string>>()
  const locals = new Map<string, { world: IsolatedWorld; local: string }>()
  /** by contextId and local frame prefix */
  const prefixes = new Map<string, string>()
  /** the number of refs of each frame prefix */
  const counts = new Map<string, number>()
  /** the first number of each reserved block, minus 1 */
  const blocks: number[] = []
  let topCount = 0

  const prefixFor = (world: IsolatedWorld, localPrefix: string) => {
    if (!localPrefix && isTop(world)) return ''
    const key = `${world.contextId} ${localPrefix}`
    const prefix = prefixes.get(key) ?? `f${++reservedFrames}`
    prefixes.set(key, prefix)
    return prefix
  }
  const nextNumber = (prefix: string): number => {
    if (prefix) {
      const number = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, number)
      return number
    }
    if (topCount % blockSize === 0) {
      blocks.push(reservedNumbers)
      reservedNumbers += blockSize
    }
    return (blocks.at(-1) as number) + (topCount++ % blockSize) + 1
  }
  return {
    refFor(world, local) {
      const parts = /^(f\d+)?e(\d+)$/.exec(local)
      if (!parts) return local
      const known = refs.get(world.contextId) ?? new Map<string, string>()
      refs.set(world.contextId, known)
      const existing = known.get(local)
      if (existing) return existing
      const prefix = prefixFor(world, parts[1] ?? '')
      const ref = `${prefix}e${nextNumber(prefix)}`
      known.set(local, ref)
      locals.set(ref, { world, local })
      return ref
    },
    find: ref => locals.get(ref),
    isForeign(ref) {
      const [, frame, number = ''] = /^(?:f(\d+))?e(\d+)$/.exec(ref) ?? []
      if (frame !== undefined) return Number(frame) <= reservedFrames && !counts.has(`f${frame}`)
      const block = Math.floor((Number(number) - 1) / blockSize) * blockSize
      return Number(number) > 0 && block < reservedNumbers && !blocks.includes(block)
    },
    forget(world) {
      for (const ref of refs.get(world.contextId)?.values() ?? []) locals.delete(ref)
      refs.delete(world.contextId)
      for (const key of prefixes.keys()) if (key.startsWith(`${world.contextId} `)) prefixes.delete(key)
    },
  }
}
