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
    /** false: without elements that only show a pointer cursor @default true */
    cursorInteractive?: boolean | undefined
    /** only this part: ref or CSS selector */
    scope?: string | undefined
    /** continue after this ref */
    after?: string | undefined
    /** visible: only what is in the viewport @default "all" */
    viewport?: 'all' | 'visible' | undefined
    /** document: from the start of the page */
    order?: 'importance' | 'document' | undefined
    /** true: only what changed since the last look */
    changes?: boolean | undefined
    /** maximum characters @default 12000 */
    maxChars?: number | undefined
  }
  /** Read one element. */
  query: {
    ref: string
    kind: 'text' | 'html' | 'outerHTML' | 'value' | 'attrs' | 'computed_styles' | 'isvisible' | 'isenabled' | 'ischecked' | 'box'
    /** @default 4000 */
    limitChars?: number | undefined
  }
  /** Report what an element is, and what a click or Enter on it would do. */
  inspect: {
    /** element ref (default: the focused element) */
    ref?: string | undefined
    /** options that would be chosen in it */
    values?: string[] | undefined
    /** refs of fields that are left out of the data that would be sent */
    except?: string[] | undefined
    /** the next press on it fails if it would reach another control */
    guard?: true | undefined
    /** the next action, which guard has prepared, may send a form */
    sends?: true | undefined
  }
  /** Click an element. */
  click: {
    ref: string
    /** mouse button (default: left) */
    button?: 'left' | 'middle' | 'right' | undefined
    /** keys to hold down */
    modifiers?: ('Alt' | 'Control' | 'Meta' | 'Shift')[] | undefined
  }
  /** Double-click an element. */
  dblclick: {
    ref: string
    /** mouse button (default: left) */
    button?: 'left' | 'middle' | 'right' | undefined
    /** keys to hold down */
    modifiers?: ('Alt' | 'Control' | 'Meta' | 'Shift')[] | undefined
  }
  /** Press an element and hold it. */
  longpress: {
    ref: string
    /** @default 600 */
    ms?: number | undefined
  }
  /** Move the pointer over an element. */
  hover: {
    ref: string
  }
  /** Focus an element. */
  focus: {
    ref: string
  }
  /** Remove the focus from an element. */
  blur: {
    ref: string
  }
  /** Replace the value of a field; an empty value clears it. */
  fill: {
    ref: string
    value: string
    commit?: boolean | undefined
  }
  /** Type text at the caret of a field, key by key. */
  type: {
    ref: string
    text: string
  }
  /** Choose options by value or text. */
  select: {
    ref: string
    values: string[]
  }
  /** Check a checkbox, radio or switch. */
  check: {
    ref: string
  }
  /** Uncheck a checkbox or switch. */
  uncheck: {
    ref: string
  }
  /** Press a key, such as Enter, Tab or Control+a, on the focused element. */
  press: {
    key: string
    ref?: string | undefined
  }
  /** Scroll until an element is in view. */
  scrollIntoView: {
    ref: string
  }
  /** Scroll the page, or a scrollable element. */
  scroll: {
    direction: 'up' | 'down' | 'left' | 'right'
    /** CSS pixels @default 300 */
    amount?: number | undefined
    ref?: string | undefined
  }
  /** Drag an element onto another. */
  drag: {
    ref: string
    to: string
  }
  /** Choose files for a file field. */
  upload: {
    ref: string
    /** file paths */
    files: string[]
  }
  /** Wait for one condition. */
  wait: {
    /** fixed time in milliseconds */
    ms?: number | undefined
    /** CSS selector that matches */
    selector?: string | undefined
    /** text that appears */
    text?: string | undefined
    /** text that disappears */
    textGone?: string | undefined
    /** part of the URL */
    url?: string | undefined
    load?: 'domcontentloaded' | 'load' | undefined
    networkIdle?: true | undefined
    domStable?: true | undefined
    ref?: string | undefined
    state?: 'visible' | 'hidden' | 'enabled' | 'disabled' | 'checked' | 'unchecked' | 'attached' | 'detached' | undefined
    /** @default 5000 */
    timeoutMs?: number | undefined
    /** @default 100 */
    pollMs?: number | undefined
  }
  /** Take a screenshot. */
  screenshot: {
    label?: string | undefined
    fullPage?: boolean | undefined
    ref?: string | undefined
    /** label elements with their refs */
    annotate?: boolean | undefined
    /** outline this element, and show the part of the page around it */
    mark?: string | undefined
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
  /** List the console messages and uncaught exceptions of the page, errors first. */
  console: {
    /** true: only errors */
    errorsOnly?: boolean | undefined
    /** maximum characters @default 3000 */
    maxChars?: number | undefined
  }
  /** List the requests of the page, failed ones first. */
  requests: {
    /** true: only failed requests */
    failedOnly?: boolean | undefined
    /** maximum characters @default 3000 */
    maxChars?: number | undefined
  }
  /** Report what is running and which page is open. */
  status: NoFields
}

/**
 * The verbs of a driver.
 *
 * @example
 * const name: DriverVerb = 'click'
 */
export type DriverVerb = keyof CommandInputs
