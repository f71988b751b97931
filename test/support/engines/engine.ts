/** A browser that can do what any WebView can: load an address and evaluate a string. */
export interface Engine {
  readonly name: string
  readonly version: string
  goto(url: string): Promise<void>
  /** in the page's own world; the value must be a string */
  evaluate(expression: string): Promise<string>
  close(): Promise<void>
}
