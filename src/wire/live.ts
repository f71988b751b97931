// Messages of the WebSocket that shows a tab and takes a person's input.

import type { StepElement } from './parts.ts'
import type { StudioProblem } from './problems.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface LiveTab {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly selected: boolean
}

/** Who operates the page: never two at once. */
export type LiveController = 'agent' | 'person' | 'nobody'

export interface LiveRef {
  readonly ref: string
  readonly role: string
  readonly name: string
  /** in CSS pixels of the viewport */
  readonly box: Box
}

/** The page at the moment; `live` is false while no picture can come, with the reason. */
export interface LivePageMessage {
  readonly type: 'page'
  readonly url: string
  readonly title: string
  readonly loading: boolean
  readonly tabs: readonly LiveTab[]
  readonly live: boolean
  readonly problem?: StudioProblem
}

/** From the server to the page of the studio. */
export type LiveServerMessage =
  /** a picture of the viewport; the next one comes after its `ack` */
  | {
      readonly type: 'frame'
      readonly seq: number
      readonly mime: 'image/jpeg' | 'image/png'
      readonly base64: string
      /** the viewport in CSS pixels */
      readonly width: number
      readonly height: number
      readonly at: string
      /** the tab that it shows, and the URL that it was at */
      readonly tab: string
      readonly url: string
    }
  | LivePageMessage
  /** the page got input, was operated or has navigated: pictures with an earlier `at` may be out of date */
  | { readonly type: 'changed'; readonly at: string }
  | { readonly type: 'controller'; readonly controller: LiveController; readonly you: boolean; readonly viewers: number }
  /** the target of the last action, to be marked in the picture */
  | { readonly type: 'target'; readonly verb: string; readonly element: StepElement; readonly box: Box; readonly step: number }
  | { readonly type: 'refs'; readonly refs: readonly LiveRef[] }
  | { readonly type: 'picked'; readonly requestId: string; readonly picked: PickedElement | null }
  /** what the person asked for was refused */
  | { readonly type: 'refused'; readonly what: string; readonly problem: StudioProblem }

export interface PickedElement extends LiveRef {
  readonly url: string
  /** a crop of the screenshot */
  readonly mime: 'image/jpeg' | 'image/png'
  readonly base64: string
}

/** From the page of the studio to the server. Points are CSS pixels of the viewport. */
export type LiveClientMessage =
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'take' }
  | { readonly type: 'give' }
  | {
      readonly type: 'mouse'
      readonly kind: 'move' | 'down' | 'up' | 'wheel'
      readonly x: number
      readonly y: number
      readonly button?: 'left' | 'middle' | 'right'
      readonly clickCount?: number
      readonly deltaX?: number
      readonly deltaY?: number
      readonly modifiers: number
    }
  | { readonly type: 'key'; readonly kind: 'down' | 'up'; readonly key: string; readonly code: string; readonly modifiers: number }
  /** text of an input method or from the clipboard */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'open'; readonly url: string }
  | { readonly type: 'history'; readonly direction: 'back' | 'forward' | 'reload' }
  | { readonly type: 'tab'; readonly operation: 'new' | 'select' | 'close'; readonly id?: string }
  /** boxes of all refs in view */
  | { readonly type: 'refs' }
  | { readonly type: 'pick'; readonly requestId: string; readonly x: number; readonly y: number }
