// What the relay and the extension exchange, as JSON over one WebSocket on this machine. Both sides import this file, so it knows neither
// Node nor the DOM.

/** The id of the extension, which follows from the public key in its manifest: https://developer.chrome.com/docs/extensions/reference/manifest/key */
export const extensionId = 'ockembjlfliniianbnnghbblopkmeahi'
export const defaultRelayPort = 17_419
export const protocolVersion = 1
/** Chrome stops a service worker after 30 s without events; messages of a WebSocket count: https://developer.chrome.com/docs/extensions/how-to/web-platform/websockets */
export const pingMs = 20_000

/** A tab that clients of the relay may use. */
export interface SharedTab {
  /** the id of chrome.tabs */
  readonly tab: number
  /** the id of the target and of its main frame */
  readonly targetId: string
  /** lent: by the user; opened: by a client, or by a page in a shared tab */
  readonly kind: 'lent' | 'opened'
  /** the tab whose page opened it */
  readonly opener?: number
  /** the frame in it that did so */
  readonly openerFrameId?: string
  readonly title: string
  readonly url: string
}

/** A client of the relay, as the popup shows it. */
export interface ClientInfo {
  readonly id: string
  readonly name: string
  readonly tabs: readonly number[]
}

/** The extension says who it is: paired before, or with the code that the terminal shows. */
export type ExtensionGreeting =
  | { readonly type: 'hello'; readonly protocol: number; readonly nonce: string; readonly userAgent: string }
  | { readonly type: 'pair'; readonly protocol: number; readonly code: string; readonly userAgent: string }
/** Both sides prove that they have the key, without sending it: another program could listen on the port of the relay. */
export type ExtensionProof = { readonly type: 'proof'; readonly proof: string }
export type RelayGreeting =
  | { readonly type: 'challenge'; readonly nonce: string; readonly proof: string }
  | { readonly type: 'paired'; readonly key: string }
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly reason: RefusalReason }
export type RefusalReason = 'not paired' | 'wrong code' | 'other version'

/** The texts that are signed with the key. */
export const relayProofText = (extensionNonce: string, relayNonce: string): string => `pagehand relay ${extensionNonce} ${relayNonce}`
export const extensionProofText = (extensionNonce: string, relayNonce: string): string =>
  `pagehand extension ${relayNonce} ${extensionNonce}`

export type RelayRequest =
  | {
      readonly do: 'command'
      readonly tab: number
      readonly session?: string | undefined
      readonly method: string
      readonly params?: unknown
    }
  /** attaches the debugger, anew if it is attached; the result is a `SharedTab` */
  | { readonly do: 'attach'; readonly tab: number }
  | { readonly do: 'detach'; readonly tab: number }
  /** opens a tab in the background; the result is a `SharedTab` */
  | { readonly do: 'open'; readonly client: string }
  /** closes a tab of kind opened */
  | { readonly do: 'close'; readonly tab: number }
  /** gives a tab of kind lent back */
  | { readonly do: 'return'; readonly tab: number }
  /** shows a page where the debugger is not allowed; the tab can be attached again afterwards */
  | { readonly do: 'navigate'; readonly tab: number; readonly url: string }

export type RelayMessage =
  | (RelayRequest & { readonly id: number })
  | { readonly do: 'clients'; readonly clients: readonly ClientInfo[] }
  | { readonly do: 'pong' }

export type ExtensionMessage =
  | { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string; readonly code?: number } }
  /** all shared tabs: sent once after `ready` */
  | { readonly on: 'tabs'; readonly tabs: readonly SharedTab[] }
  /** a tab is shared now, and the relay did not open it; or its title or URL changed. A tab that a page has opened is attached already. */
  | { readonly on: 'tab'; readonly tab: SharedTab; readonly isAttached?: boolean }
  | { readonly on: 'gone'; readonly tab: number; readonly reason: GoneReason }
  | { readonly on: 'event'; readonly tab: number; readonly session?: string; readonly method: string; readonly params: unknown }
  /** the debugger was detached, and the tab is still shared */
  | { readonly on: 'detached'; readonly tab: number }
  /** the user gives a tab to another client */
  | { readonly on: 'assign'; readonly tab: number; readonly client: string }
  /** the user disconnects a client */
  | { readonly on: 'disconnect'; readonly client: string }
  | { readonly on: 'ping' }
/** a tab that is put to sleep is replaced by another one, which is shared before the old one is gone */
export type GoneReason = 'closed' | 'returned' | 'replaced'
