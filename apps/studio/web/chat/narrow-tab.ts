import { useSyncExternalStore } from 'react'

type NarrowTab = 'chat' | 'browser'
let tab: NarrowTab = 'chat'
const listeners = new Set<() => void>()

/** Shows one of the two panels where only one has room. */
export const setNarrowTab = (next: NarrowTab) => {
  tab = next
  for (const listener of listeners) listener()
}
export const useNarrowTab = (): NarrowTab =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => tab,
  )
