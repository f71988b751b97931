/**
 * A console message of the page, an uncaught exception, or a log entry of the browser.
 *
 * @example
 * const errors = session.console().filter(({ level }: ConsoleEntry) => level === 'error')
 */
export interface ConsoleEntry {
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly text: string
  readonly url?: string
  /** counted from 1 */
  readonly line?: number
}

/**
 * A finished or unfinished request, for `Session.requests`.
 *
 * @example
 * const failed = session.requests().filter(({ status = 0 }: RequestEntry) => status >= 400)
 */
export interface RequestEntry {
  readonly method: string
  readonly url: string
  /** the resource type of the Network domain: Document, XHR, Fetch, Image, … */
  readonly type: string
  readonly status?: number
  /** the error text of a failed request */
  readonly failed?: string
  /** the duration of a finished request */
  readonly ms?: number
}

/** whether a request got no answer, or an answer that is an error */
export const isFailedRequest = ({ status = 0, failed }: RequestEntry): boolean => failed !== undefined || status >= 400
