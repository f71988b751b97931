/** A browser with the capabilities of any WebView: it loads a URL and evaluates a string. */
export interface Engine {
  readonly name: string
  readonly version: string
  goto(url: string): Promise<void>
  /** evaluates in the main world of the page; the value must be a string */
  evaluate(expression: string): Promise<string>
  close(): Promise<void>
}
