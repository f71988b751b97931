import type { Box, LiveController, LiveRef, LiveServerMessage, LiveTab } from '../../../../src/wire/live.ts'

export interface LiveTarget {
  readonly verb: string
  readonly label: string
  readonly box: Box
  readonly step: number
}

/** What is known about the tab that the panel shows. Pictures are drawn as they come and are not part of it. */
export interface LiveState {
  readonly connected: boolean
  /** the socket was open at least once */
  readonly everConnected: boolean
  readonly page?: {
    readonly url: string
    readonly title: string
    readonly loading: boolean
    readonly live: boolean
    readonly reason?: string
  }
  readonly tabs: readonly LiveTab[]
  /** viewport and time of the picture on display */
  readonly picture?: { readonly width: number; readonly height: number; readonly at: string }
  /** whether the picture on display was taken on this connection, of the page at its present URL */
  readonly pictureIsCurrent: boolean
  readonly controller: LiveController
  readonly you: boolean
  readonly viewers: number
  readonly refs: readonly LiveRef[]
  /** targets of the last actions on this page, newest last */
  readonly targets: readonly LiveTarget[]
}

export type LiveAction = LiveServerMessage | { readonly type: 'connected' } | { readonly type: 'disconnected' }

const maxTargets = 6

export const noLiveState: LiveState = {
  connected: false,
  everConnected: false,
  tabs: [],
  pictureIsCurrent: false,
  controller: 'nobody',
  you: false,
  viewers: 0,
  refs: [],
  targets: [],
}

export const reduceLive = (state: LiveState, action: LiveAction): LiveState => {
  switch (action.type) {
    case 'connected':
      // what the old connection showed may have changed since
      return { ...state, connected: true, everConnected: true, pictureIsCurrent: false, refs: [] }
    case 'disconnected':
      return { ...state, connected: false, pictureIsCurrent: false, you: false }
    case 'frame':
      return { ...state, picture: { width: action.width, height: action.height, at: action.at }, pictureIsCurrent: true }
    case 'page': {
      const { url, title, loading, live, reason, tabs } = action
      const moved = state.page !== undefined && state.page.url !== url
      const selected = (list: readonly LiveTab[]) => list.find(tab => tab.selected)?.id
      const otherTab = selected(state.tabs) !== undefined && selected(state.tabs) !== selected(tabs)
      const page = reason === undefined ? { url, title, loading, live } : { url, title, loading, live, reason }
      if (!moved && !otherTab) return { ...state, page, tabs }
      return { ...state, page, tabs, pictureIsCurrent: false, refs: [], targets: [] }
    }
    case 'controller':
      return { ...state, controller: action.controller, you: action.you, viewers: action.viewers }
    case 'target': {
      const { verb, label, box, step } = action
      return { ...state, targets: [...state.targets, { verb, label, box, step }].slice(-maxTargets) }
    }
    case 'refs':
      return { ...state, refs: action.refs }
    case 'picked':
    case 'refused':
      return state
  }
}

export type LiveBadge = 'live' | 'still' | 'reconnecting'

/** `live` is promised only while the server says that pictures follow the page, and the one on display is of this page. */
export const badgeOf = (state: LiveState): LiveBadge => {
  if (!state.connected) return 'reconnecting'
  return state.page?.live === true && state.pictureIsCurrent ? 'live' : 'still'
}
