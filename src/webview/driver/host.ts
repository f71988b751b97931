import type { UploadFile } from '../../contract/page-api.ts'

/** What somebody's WebView offers. Only `evaluate` is needed. */
export interface ScriptHost {
  /** runs an expression in the page's main world and gives its value; a string may come JSON-encoded once more, as on Android */
  evaluate(expression: string): Promise<unknown>
  /** opens an address; without it the page itself is asked to */
  navigate?(url: string): Promise<unknown>
  screenshot?(): Promise<{
    readonly base64: string
    readonly mime: 'image/png' | 'image/jpeg'
    readonly width: number
    readonly height: number
  }>
  /** reads a file that is to be uploaded; it decides which files may be */
  readFile?(path: string): Promise<UploadFile>
}

export interface ScriptOptions {
  /** of the script that the host injects itself, where it gave `getScript` one */
  readonly seal?: string
  /** how long an action may take to come to rest, and its requests; 2,000 and 5,000 ms */
  readonly settleMs?: number
  readonly networkMs?: number
  /** how often the page is asked meanwhile; 50 ms */
  readonly pollMs?: number
  /** folders as file: URLs that may be opened */
  readonly files?: readonly string[]
  /** lets `evaluate` commands through; off */
  readonly allowEval?: boolean
}
