// made by `npm run gen` from commands.ts, so that the types of a command are readable in an editor and need no zod

type NoFields = { [field in never]: never }

/**
 * What a caller writes for each verb of a driver; fields with a default may be left out.
 *
 * @example
 * const input: CommandInputs['click'] = { ref: 'e12' }
 */
export interface CommandInputs {
  /** Open a URL and wait until it has loaded. */
  open: {
    /** http, https or file URL */
    url: string
  }
  /** Go back one page. */
  back: NoFields
  /** Go forward one page. */
  forward: NoFields
  /** Load the page again. */
  reload: NoFields
  /** Leave the page: go to about:blank. */
  close: NoFields
  /** See the page: its controls with refs, within a budget. */
  snapshot: {
    /** false adds headings, text and images @default true */
    interactiveOnly?: boolean | undefined
    /** also elements that only show a hand cursor */
    cursorInteractive?: boolean | undefined
    /** ref or CSS selector: only this part */
    scope?: string | undefined
    /** ref: go on after it */
    after?: string | undefined
    /** visible: only what is on screen @default "all" */
    viewport?: 'all' | 'visible' | undefined
    /** characters of the answer @default 12000 */
    maxChars?: number | undefined
  }
  /** Read one element. */
  query: {
    /** such as e12 */
    ref: string
    kind: 'text' | 'html' | 'outerHTML' | 'value' | 'attrs' | 'computed_styles' | 'isvisible' | 'isenabled' | 'ischecked' | 'box'
    /** @default 4000 */
    limitChars?: number | undefined
  }
  /** Click an element. */
  click: {
    /** such as e12 */
    ref: string
    /** of the mouse; left unless given */
    button?: 'left' | 'middle' | 'right' | undefined
    /** keys held meanwhile */
    modifiers?: ('Alt' | 'Control' | 'Meta' | 'Shift')[] | undefined
  }
  /** Double-click an element. */
  dblclick: {
    /** such as e12 */
    ref: string
    /** of the mouse; left unless given */
    button?: 'left' | 'middle' | 'right' | undefined
    /** keys held meanwhile */
    modifiers?: ('Alt' | 'Control' | 'Meta' | 'Shift')[] | undefined
  }
  /** Press an element and hold it. */
  longpress: {
    /** such as e12 */
    ref: string
    /** @default 600 */
    ms?: number | undefined
  }
  /** Move the pointer over an element. */
  hover: {
    /** such as e12 */
    ref: string
  }
  /** Put the focus on an element. */
  focus: {
    /** such as e12 */
    ref: string
  }
  /** Take the focus from an element. */
  blur: {
    /** such as e12 */
    ref: string
  }
  /** Replace what a field holds; an empty value clears it. */
  fill: {
    /** such as e12 */
    ref: string
    value: string
    commit?: boolean | undefined
  }
  /** Type text at the caret of a field, key by key. */
  type: {
    /** such as e12 */
    ref: string
    text: string
  }
  /** Choose options by value or text. */
  select: {
    /** such as e12 */
    ref: string
    values: string[]
  }
  /** Check a checkbox, radio or switch. */
  check: {
    /** such as e12 */
    ref: string
  }
  /** Uncheck a checkbox or switch. */
  uncheck: {
    /** such as e12 */
    ref: string
  }
  /** Press a key, such as Enter, Tab or Control+a, on the focused element. */
  press: {
    key: string
    /** such as e12 */
    ref?: string | undefined
  }
  /** Scroll until an element is in view. */
  scrollIntoView: {
    /** such as e12 */
    ref: string
  }
  /** Scroll the page, or a scrollable element. */
  scroll: {
    direction: 'up' | 'down' | 'left' | 'right'
    /** CSS pixels @default 300 */
    amount?: number | undefined
    /** such as e12 */
    ref?: string | undefined
  }
  /** Drag an element onto another. */
  drag: {
    /** such as e12 */
    ref: string
    /** such as e12 */
    to: string
  }
  /** Choose files for a file field. */
  upload: {
    /** such as e12 */
    ref: string
    /** paths */
    files: string[]
  }
  /** Wait for one condition. */
  wait: {
    /** just wait */
    ms?: number | undefined
    /** a CSS selector that matches */
    selector?: string | undefined
    /** text that appears */
    text?: string | undefined
    /** text that disappears */
    textGone?: string | undefined
    /** part of the address */
    url?: string | undefined
    load?: 'domcontentloaded' | 'load' | undefined
    networkIdle?: true | undefined
    domStable?: true | undefined
    /** such as e12 */
    ref?: string | undefined
    state?: 'visible' | 'hidden' | 'enabled' | 'disabled' | 'checked' | 'unchecked' | 'attached' | 'detached' | undefined
    /** @default 5000 */
    timeoutMs?: number | undefined
    /** @default 100 */
    pollMs?: number | undefined
  }
  /** Take a picture of the page as evidence. */
  screenshot: {
    label?: string | undefined
    fullPage?: boolean | undefined
    /** such as e12 */
    ref?: string | undefined
    /** draw the refs on it */
    annotate?: boolean | undefined
  }
  /** Run JavaScript in the page, for debugging. */
  evaluate: {
    js: string
    /** @default 2000 */
    limitChars?: number | undefined
  }
  /** List, open, select or close tabs. */
  tabs: {
    /** @default "list" */
    operation?: 'list' | 'new' | 'select' | 'close' | undefined
    /** tab id, such as t2 */
    tab?: string | undefined
    url?: string | undefined
  }
  /** Answer an alert, confirm or prompt dialog. */
  dialog: {
    accept: boolean
    text?: string | undefined
  }
  /** Say what is running and where it is. */
  status: NoFields
}

/**
 * The verbs of a driver.
 *
 * @example
 * const name: DriverVerb = 'click'
 */
export type DriverVerb = keyof CommandInputs
