// Electron: the main process holds a WebContents, and executeJavaScript is evaluate.
import type { Evaluate } from '../loop.ts'

/** the part of Electron's WebContents that is used */
export interface WebContents {
  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown>
}

/** `true`: pages that ask for a gesture before they open a window or play a sound take what the model does for one. */
export const evaluateIn =
  (contents: WebContents): Evaluate =>
  async expression =>
    String(await contents.executeJavaScript(expression, true))
