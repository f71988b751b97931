// The commands `console` and `requests`: what events have reported about the document that the selected page shows.
import { type ConsoleEntry, isFailedRequest, type RequestEntry } from '../../contract/page-log.ts'
import type { CommandData } from '../../contract/results.ts'
import { withoutSecretParameters } from '../../secrets/url-parameters.ts'
import type { Page } from './page/page.ts'

const levels: readonly ConsoleEntry['level'][] = ['error', 'warning', 'info', 'debug']

/** The messages of the document, errors first, and the newest first among those of a level. */
export function readConsole(
  page: Page,
  { errorsOnly = false }: { readonly errorsOnly?: boolean | undefined },
): Omit<CommandData['console'], 'notes'> {
  const all = page.console.documentEntries()
  const counts = Object.fromEntries(
    levels.map(level => [level, all.filter(each => each.level === level).length]),
  ) as CommandData['console']['counts']
  const shown = levels.slice(0, errorsOnly ? 1 : levels.length).flatMap(level => all.filter(each => each.level === level).reverse())
  const entries = shown.map(({ text, url, ...entry }) => ({
    ...entry,
    text: withoutSecretParameters(text),
    ...(url !== undefined && { url: withoutSecretParameters(url) }),
  }))
  return { counts, entries }
}

/** The requests of the document, failed ones first, and the newest first among them. */
export function readRequests(
  page: Page,
  { failedOnly = false }: { readonly failedOnly?: boolean | undefined },
): Omit<CommandData['requests'], 'notes'> {
  const all = page.network.documentEntries(page.document.state().loaderId)
  const failed = all.filter(isFailedRequest)
  const others = failedOnly ? [] : all.filter(request => !isFailedRequest(request))
  const requests = [...failed.reverse(), ...others.reverse()].map(
    (request): RequestEntry => ({ ...request, url: withoutSecretParameters(request.url) }),
  )
  return { counts: { failed: failed.length, all: all.length }, requests }
}
