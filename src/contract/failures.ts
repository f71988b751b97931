import { hasOwn } from './has-own.ts'
import { type Literal, type Message, textOf } from './message.ts'
import { inline } from './quote.ts'
import { cut } from './text.ts'

/**
 * Every way in which a call can fail, with the next step to take. The table is closed: there are no other codes.
 *
 * @example
 * const hint = failures.ref_not_found
 */
export const failures = {
  // refs and scopes
  ref_not_found: 'Take a new snapshot; refs live until their element or page is gone.',
  invalid_ref: 'Use a ref from the snapshot, such as e12 or f1e3.',
  scope_not_found: 'Take a snapshot without scope to see what is there.',
  invalid_selector: 'Correct the CSS selector, or use a ref from the snapshot.',
  no_root: 'Wait until the page has loaded, then take the snapshot again.',
  // input
  invalid_input: 'Correct what the message names and call again.',
  invalid_json: 'Pass on the exact string that the page expression returned.',
  invalid_key: 'Use a key name such as Enter, Tab, ArrowDown or a single character.',
  invalid_text: 'Pass the text as a string.',
  invalid_coords: 'Pass x and y as numbers inside the viewport.',
  invalid_url: 'Use an absolute http or https URL.',
  invalid_wait: 'Give one condition to wait for, and limits within their range.',
  unsupported_action: 'Use one of the listed actions; where acting is not offered, open the page in a browser.',
  unsupported_query: 'Use one of the listed query kinds.',
  unsupported_page: 'Use one of the listed page operations.',
  // the element will not take it
  element_blocked: 'Dismiss what covers it, take a new snapshot, then retry.',
  not_visible: 'Scroll to it or open what contains it, then take a new snapshot.',
  not_enabled: 'Fill in what the page asks for first, or choose another element.',
  not_editable: 'Choose a field that takes text.',
  not_a_select: 'Choose a select or listbox, or click the options instead.',
  option_not_found: 'Choose one of the options: take a snapshot with scope set to this ref.',
  not_checkable: 'Choose a checkbox, radio or switch, or click it instead.',
  not_uncheckable: 'A radio is unchecked by checking another one of its group.',
  not_committed: 'Look at the element and at what the message says, then try another value or another way.',
  click_intercepted: 'Dismiss what took the click, take a new snapshot, then retry.',
  target_moved: 'Wait until the page is still, take a new snapshot, then retry.',
  // the page or the browser
  timeout: 'Wait longer, or for something that you can see on the page.',
  navigation_failed: 'Check the address, or try again later.',
  no_history: 'There is no page in that direction; open a URL instead.',
  snapshot_failed: 'Wait a moment and take the snapshot again.',
  screenshot_failed: 'Wait a moment and try again.',
  not_injected: 'Inject the script from getScript() into this page first.',
  not_bound: 'Connect a page first.',
  not_running: 'Start the browser, or open a new session.',
  browser_not_connected: 'Only the user can connect the browser: pass the message on, then try again.',
  target_closed: 'The tab is gone; open a page again.',
  browser_not_found: 'Run npx pagehand install, or install Chrome, Chromium or Edge, or set PAGEHAND_CHROME to its path.',
  browser_crashed: 'Start the browser again; refs and pages of the old one are gone.',
  page_crashed: 'Open the page again.',
  page_unresponsive: 'Read what is there, or open the page again.',
  dialog_open: 'Answer the dialog (accept true or false), then go on.',
  action_failed: 'Nothing was done: take a new snapshot, then try again or another way.',
  outcome_unknown: 'Look at the page before acting again; the action may have happened.',
  // rules
  disabled: 'This is switched off here; do it another way.',
  url_not_allowed: 'Open an allowed address, or ask the user to allow this one.',
  secret_in_url: 'Open the URL without the secret; only the user may send a secret to another site.',
  secret_not_allowed:
    'Use the secret only on its origins, and in fields that hide what is typed; the user can change its origins, or declare it visible.',
  unknown_secret: 'Use one of the names of the session, or ask the user to add the secret.',
  budget_exhausted: 'Stop here and report what is done; only the user can raise the limit.',
  consent_denied: 'Do not try again; the user can start pagehand again and click Allow.',
  endpoint_not_loopback: 'Use an endpoint on this machine, or allow remote ones.',
  unknown_profile: 'Use one of the listed profiles.',
  login_locked: 'Set PAGEHAND_LOGIN_KEY to the key it was stored with, or log in again: pagehand login URL --profile NAME.',
  profile_in_use: 'Close the browser that uses it, or use another profile.',
  approval_required:
    'Pass this on to the user; do not decide it yourself or try another way. Make the same call again once it is approved.',
  approval_denied: 'The user said no. Do something else or stop.',
  approval_stale: 'The page changed since the question was asked; ask again.',
  run_not_found: 'List the runs, and use the name of one of them.',
  run_in_use: 'Another process works on this run: wait, or stop it.',
  run_damaged: 'The log of this run was changed, so it cannot be continued; start a new run.',
  one_call_per_step: 'Make one call, read its answer, then make the next.',
  not_logged: 'The record cannot be written, so nothing is done any more: end the task and tell the user.',
  no_progress: 'Nothing changes by repeating this; look at the page and try another way.',
  aborted: 'The user stopped this. Do not go on by yourself.',
} as const

/**
 * The code of a failure.
 *
 * @example
 * const retryable: readonly FailureCode[] = ['timeout', 'target_moved']
 */
export type FailureCode = keyof typeof failures

/**
 * What the page or the browser said about a failure. These strings are the page's: print them quoted, and never as part of a sentence.
 *
 * @example
 * if (!result.ok && result.error.page?.options) console.log('choose one of', result.error.page.options)
 */
export interface PageWords {
  /** URL of the page that the words are from, or that could not be opened */
  readonly url?: string
  /** title of that page */
  readonly title?: string
  /** role and name of the element that covers the target, or that took the press */
  readonly coveredBy?: string
  /** texts of the options that a list has; the first ten */
  readonly options?: readonly string[]
  /** text of the option that cannot be chosen */
  readonly option?: string
  /** what the field holds */
  readonly value?: string
  /** message of the open dialog */
  readonly dialog?: string
  /** what a wait saw last */
  readonly saw?: string
  /** what a script threw, or what the browser or the operating system reported */
  readonly error?: string
}

/** longest text of each field, in the order in which they are printed; `url` is printed in the fence */
export const pageWordLimits = {
  url: 500,
  title: 120,
  coveredBy: 60,
  option: 60,
  options: 60,
  value: 120,
  dialog: 500,
  saw: 200,
  error: 300,
} as const satisfies { readonly [name in keyof Required<PageWords>]: number }
const maxOptions = 10

/** The known fields with text, each within its limit, or undefined. */
export function limitPageWords(given: { readonly [name: string]: unknown } | undefined): PageWords | undefined {
  const words: { [name: string]: string | readonly string[] } = {}
  for (const [name, max] of Object.entries(pageWordLimits)) {
    const value = given?.[name]
    if (typeof value === 'string') words[name] = cut(value, max)
    else if (name === 'options' && Array.isArray(value)) words[name] = value.slice(0, maxOptions).map(text => cut(`${text}`, max))
  }
  return Object.keys(words).length ? words : undefined
}

/**
 * Why a call failed. The message consists of our words, refs, codes and numbers; what the page says is in `page`.
 *
 * @example
 * if (!result.ok) console.error(`${result.error.message} ${result.error.hint}`, result.error.page ?? {})
 */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  /** the next step to take */
  readonly hint: string
  /** the argument that is wrong, as the verb table names it */
  readonly field?: string
  /** what the page or the browser said */
  readonly page?: PageWords
  /** the message with its refs apart from the text, for callers that write refs another way */
  readonly parts?: Message
}

export interface FailureDetails {
  readonly field?: string | undefined
  readonly page?: PageWords | undefined
}

export function failure<const T extends string>(
  code: FailureCode,
  message: (T & Literal<T>) | Message,
  { field, page }: FailureDetails = {},
): Failure {
  const words = limitPageWords(page as { readonly [name: string]: unknown } | undefined)
  return {
    code,
    message: inline(typeof message === 'string' ? message : textOf(message), maxMessageChars),
    ...(typeof message !== 'string' && { parts: message }),
    hint: failures[code],
    ...(field !== undefined && { field }),
    ...(words && { page: words }),
  }
}
const maxMessageChars = 2_000

export const isFailureCode = (code: unknown): code is FailureCode => typeof code === 'string' && hasOwn(failures, code)
/** Reported by one call only: code that runs an additional command must pass them on. */
export const reportedOnce: ReadonlySet<FailureCode> = new Set(['browser_crashed', 'page_crashed'])
