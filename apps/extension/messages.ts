import type { ClientInfo, SharedTab } from '../../src/relay/protocol.ts'
import type { ConnectionState } from './relay-connection.ts'

/** What the popup shows. */
export interface PopupState {
  readonly connection: ConnectionState
  readonly tabs: readonly (SharedTab & { readonly isAttached: boolean })[]
  readonly clients: readonly ClientInfo[]
  /** why the last thing that was tried did not work; '' if it did */
  readonly error: string
}

/** What the popup asks for. */
export type PopupRequest =
  | { readonly do: 'lend'; readonly tab: number }
  | { readonly do: 'take back'; readonly tab: number }
  | { readonly do: 'assign'; readonly tab: number; readonly client: string }
  | { readonly do: 'show'; readonly tab: number }
  | { readonly do: 'disconnect all' }
  | { readonly do: 'pair'; readonly code: string; readonly port?: number }
  | { readonly do: 'unpair' }
  | { readonly do: 'connect' }
