// Electron, main process: executeJavaScript of a WebContents is the evaluate function.
import type { Evaluate } from '../loop.ts'

/** The part of Electron's WebContents that is used. */
export interface WebContents {
  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown>
}

/** `true` marks the call as a user gesture, so that pages may open windows and play sounds. */
export const evaluateIn =
  (contents: WebContents): Evaluate =>
  async expression =>
    String(await contents.executeJavaScript(expression, true))
