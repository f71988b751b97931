import type { Box, LiveController, LiveRef, LiveServerMessage, LiveTab } from '../../../../src/wire/live.ts'
import type { StepElement } from '../../../../src/wire/parts.ts'
import type { StudioProblem } from '../../../../src/wire/problems.ts'

export interface LiveTarget {
  readonly verb: string
  readonly element: StepElement
  readonly box: Box
  readonly step: number
}

/** The picture on display: its viewport, its time, and the tab and URL that it shows. */
type PictureInfo = Pick<Extract<LiveServerMessage, { type: 'frame' }>, 'width' | 'height' | 'at' | 'tab' | 'url'>

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
    readonly problem?: StudioProblem
  }
  readonly tabs: readonly LiveTab[]
  readonly picture?: PictureInfo
  /** whether the picture on display came on this connection */
  readonly pictureIsNew: boolean
  /** when the page last got input, was operated or navigated */
  readonly changedAt?: string
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
  pictureIsNew: false,
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
      return { ...state, connected: true, everConnected: true, pictureIsNew: false, refs: [] }
    case 'disconnected':
      return { ...state, connected: false, pictureIsNew: false, you: false }
    case 'frame': {
      const { width, height, at, tab, url } = action
      return { ...state, picture: { width, height, at, tab, url }, pictureIsNew: true }
    }
    case 'page': {
      const { url, title, loading, live, problem, tabs } = action
      const moved = state.page !== undefined && state.page.url !== url
      const otherTab = selectedIn(state.tabs) !== undefined && selectedIn(state.tabs) !== selectedIn(tabs)
      const page = problem === undefined ? { url, title, loading, live } : { url, title, loading, live, problem }
      if (!moved && !otherTab) return { ...state, page, tabs }
      return { ...state, page, tabs, refs: [], targets: [] }
    }
    case 'changed':
      return { ...state, changedAt: action.at }
    case 'controller':
      return { ...state, controller: action.controller, you: action.you, viewers: action.viewers }
    case 'target': {
      const { verb, element, box, step } = action
      return { ...state, targets: [...state.targets, { verb, element, box, step }].slice(-maxTargets) }
    }
    case 'refs':
      return { ...state, refs: action.refs }
    case 'picked':
    case 'refused':
      return state
  }
}

const selectedIn = (tabs: readonly LiveTab[]): string | undefined => tabs.find(tab => tab.selected)?.id

export type LiveBadge = 'live' | 'still' | 'connecting' | 'reconnecting'

/**
 * `live` is promised only while the server says that pictures follow the page, and the one on display is of this tab at this URL and newer
 * than the last input, action or navigation.
 */
export const badgeOf = ({ connected, everConnected, page, picture, pictureIsNew, changedAt = '', tabs }: LiveState): LiveBadge => {
  if (!connected) return everConnected ? 'reconnecting' : 'connecting'
  const isOfPage = pictureIsNew && picture?.url === page?.url && picture?.tab === selectedIn(tabs)
  return page?.live === true && isOfPage && picture !== undefined && picture.at >= changedAt ? 'live' : 'still'
}
