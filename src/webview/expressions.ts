import { failure } from '../contract/failures.ts'
import { term } from '../contract/message.ts'
import type { ActionKind, ActionPayloads, PageOperation, PageOperations, QueryKind } from '../contract/page-api.ts'
import type { PageSnapshotOptions } from '../contract/snapshot.ts'
import { embed } from './embed.ts'
import { script } from './script.js'
import { createSeal, isSeal } from './seal.ts'

/**
 * The seal of a script and its expressions.
 *
 * @example
 * const options: SealOptions = { seal: createSeal() }
 */
export interface SealOptions {
  /**
   * 8 to 64 letters, digits, - or _. Use a new one (`createSeal()`) for each document if a page may be hostile and the script is injected late.
   * @default one seal per process; before the first `getScript()`, that of the files `agent-browser.js`, `agent-eyes.js` and `agent-text.js`
   */
  readonly seal?: string
}

/** in the published files */
const placeholder = '__PAGEHAND_SEAL__'
/** The seal of this process. Made when a script first needs it: until then the host injects one of the files, and some hosts, such as
 * Cloudflare Workers, have no random numbers while a module loads. */
let ownSeal: string | undefined
const expectedSeal = (): string => ownSeal ?? placeholder

/**
 * The script to inject into a document, preferably before the scripts of the page (`addDocumentStartJavaScript`,
 * `WKUserScript.atDocumentStart`, `Page.addScriptToEvaluateOnNewDocument`). Injecting it again keeps all refs.
 *
 * @example
 * await evaluate(getScript())
 */
export const getScript = (options: SealOptions = {}): string => sealedScript(script, options)

/** Another build of the script with the seal that the expressions below check. */
export function sealedScript(text: string, { seal }: SealOptions = {}): string {
  if (seal === undefined) ownSeal ??= createSeal()
  return text.split(placeholder).join(validSeal(seal ?? expectedSeal()))
}

/**
 * An expression that takes a snapshot and returns it as JSON.
 *
 * @example
 * const { text } = renderSnapshot(await evaluate(snapshotJs()))
 */
export const snapshotJs = (given: PageSnapshotOptions = {}, options: SealOptions = {}): string => expression('snapshot', [given], options)

/**
 * An expression that performs an action on an element and returns the response as JSON.
 *
 * @example
 * const result = parseActionResult(await evaluate(actionJs('e3', 'fill', { value: 'tea' })))
 */
export const actionJs = <K extends ActionKind>(
  ref: string,
  kind: K,
  payload: ActionPayloads[K] | null = null,
  options: SealOptions = {},
): string => expression('action', [ref, kind, payload], options)

/**
 * An expression that reads one element, at most `limitChars` characters (default: 4,000), and returns the response as JSON.
 *
 * @example
 * const result = parseQueryResult(await evaluate(queryJs('e3', 'value')))
 */
export const queryJs = (
  ref: string,
  kind: QueryKind,
  payload: { readonly limitChars?: number } | null = null,
  options: SealOptions = {},
): string => expression('query', [ref, kind, payload], options)

/**
 * An expression for the page as a whole: info, keys, scrolling, history and whether it has settled. Returns the response as JSON.
 *
 * @example
 * const result = parsePageResult<'info'>(await evaluate(pageJs('info')))
 */
export const pageJs = <K extends PageOperation>(
  kind: K,
  payload: PageOperations[K]['payload'] | null = null,
  options: SealOptions = {},
): string => expression('page', [kind, payload], options)

type Method = 'snapshot' | 'action' | 'query' | 'page'

function expression(method: Method, given: readonly unknown[], { seal = expectedSeal() }: SealOptions): string {
  const refusal = (message: string, hint?: string) =>
    embed(JSON.stringify({ ok: false, type: method, error: { ...failure('not_injected', term(message)), ...(hint && { hint }) } }))
  const missing = refusal('The script is not in this page.')
  const foreign = refusal(
    'This page has a script with another seal, or its own object in place of the script.',
    'Pass the seal of that script to this expression; or reload the page and inject the script from getScript().',
  )
  return `(function(a){return a?a.seal===${embed(validSeal(seal))}?a.call(${embed(method)},${embed(given)}):${foreign}:${missing}})(window.__agentBrowser)`
}

function validSeal(seal: string): string {
  if (!isSeal(seal)) throw new TypeError('a seal is 8 to 64 letters, digits, - or _')
  return seal
}
