import type { UploadFile } from '../../contract/page-api.ts'
import type { NamedSecrets } from '../../secrets/named-secrets.ts'

/**
 * The WebView of an application. Only `evaluate` is required.
 *
 * @example
 * const host: ScriptHost = { evaluate: expression => webView.executeJavaScript(expression) }
 */
export interface ScriptHost {
  /** evaluates an expression in the main world of the page; a string may come JSON-encoded once more, as on Android */
  evaluate(expression: string): Promise<unknown>
  /** opens a URL; without it, the page navigates itself */
  navigate?(url: string): Promise<unknown>
  screenshot?(): Promise<{
    readonly base64: string
    readonly mime: 'image/png' | 'image/jpeg'
    readonly width: number
    readonly height: number
  }>
  /** reads a file to upload; it decides which files are allowed */
  readFile?(path: string): Promise<UploadFile>
}

/**
 * Options of `scriptDriver`.
 *
 * @example
 * const options: ScriptOptions = { settleMs: 5_000, allowEval: true }
 */
export interface ScriptOptions {
  /** the seal that the host passed to `getScript`, if it injects the script itself */
  readonly seal?: string
  /** maximum time in ms for the page to settle after an action. @default 2000 */
  readonly settleMs?: number
  /** maximum time in ms for requests that an action started. @default 5000 */
  readonly networkMs?: number
  /** interval in ms at which the page is polled. @default 50 */
  readonly pollMs?: number
  /** folders as file: URLs that may be opened. @default none */
  readonly files?: readonly string[]
  /** allows `evaluate` commands. @default false */
  readonly allowEval?: boolean
  /** secrets that `fill` and `type` insert for {{secret:NAME}}, only in documents of their origins. @default none */
  readonly secrets?: NamedSecrets
}
