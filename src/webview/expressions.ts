import { failure } from '../contract/failures.ts'
import type { ActionKind, ActionPayloads, PageOperation, PageOperations, QueryKind } from '../contract/page-api.ts'
import type { PageSnapshotOptions } from '../contract/snapshot.ts'
import { embed } from './embed.ts'
import { script } from './script.js'
import { createSeal, isSeal } from './seal.ts'

export interface Sealed {
  /** 8 to 64 letters, digits, - or _; take a new one (`createSeal()`) per document where a page may be hostile and the script comes late */
  readonly seal?: string
}

const ownSeal = createSeal()
const placeholder = '__PAGEHAND_SEAL__'

/**
 * The whole script, for one-time injection into a document: best before the page's own scripts (`addDocumentStartJavaScript`,
 * `WKUserScript.atDocumentStart`, `Page.addScriptToEvaluateOnNewDocument`). Injecting it again keeps all refs.
 */
export const getScript = (sealed: Sealed = {}): string => sealedScript(script, sealed)

/** Another script of ours, sealed so that the expressions below find it. */
export const sealedScript = (text: string, { seal = ownSeal }: Sealed = {}): string => text.split(placeholder).join(checked(seal))

/** An expression whose value is the snapshot as a JSON string. */
export const snapshotJs = (options: PageSnapshotOptions = {}, sealed: Sealed = {}): string => expression('snapshot', [options], sealed)

/** An expression that operates an element and whose value is the answer, as a JSON string. */
export const actionJs = <K extends ActionKind>(
  ref: string,
  kind: K,
  payload: ActionPayloads[K] | null = null,
  sealed: Sealed = {},
): string => expression('action', [ref, kind, payload], sealed)

/** An expression that reads one element: at most `limitChars` characters, 4,000 unless given. */
export const queryJs = (
  ref: string,
  kind: QueryKind,
  payload: { readonly limitChars?: number } | null = null,
  sealed: Sealed = {},
): string => expression('query', [ref, kind, payload], sealed)

/** An expression about the page as a whole: where it is, keys, scrolling, history, whether it has come to rest. */
export const pageJs = <K extends PageOperation>(
  kind: K,
  payload: PageOperations[K]['payload'] | null = null,
  sealed: Sealed = {},
): string => expression('page', [kind, payload], sealed)

type Method = 'snapshot' | 'action' | 'query' | 'page'

function expression(method: Method, given: readonly unknown[], { seal = ownSeal }: Sealed): string {
  const missing = embed(
    JSON.stringify({
      ok: false,
      type: method,
      error: failure(
        'not_injected',
        'The script is not in this page, or another host put it there under its own seal; that one stays until the page is loaded anew.',
      ),
    }),
  )
  return `(function(a){return a&&a.seal===${embed(checked(seal))}?a.call(${embed(method)},${embed(given)}):${missing}})(window.__agentBrowser)`
}

function checked(seal: string): string {
  if (!isSeal(seal)) throw new TypeError('a seal is 8 to 64 letters, digits, - or _')
  return seal
}
