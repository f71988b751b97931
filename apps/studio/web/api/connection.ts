import { useSyncExternalStore } from 'react'

/** Whether the server can be reached, whether it can reach its database, and whether it accepts this window. */
export type Connection = 'connecting' | 'connected' | 'unreachable' | 'no-database' | 'unauthorized'

let connection: Connection = 'connecting'
const listeners = new Set<() => void>()

const change = (next: Connection) => {
  if (connection === next) return
  connection = next
  for (const listener of listeners) listener()
}
export const noteReached = () => change('connected')
export const noteUnreachable = () => connection !== 'unauthorized' && change('unreachable')
export const noteNoDatabase = () => change('no-database')
export const noteUnauthorized = () => change('unauthorized')

export const useConnection = (): Connection =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
