import { parseUrl } from '../../../policy/parse-url.ts'
import type { Page } from '../page/page.ts'
import type { DownloadStart } from './downloads.ts'

/** The page and the origin of the document that starts a download; undefined if the frame belongs to none of the pages. */
export function downloadStart(pages: readonly Page[], frameId: string, url: string): DownloadStart | undefined {
  const page = pages.find(({ worlds, target }) => target.targetId === frameId || worlds.parentOf(frameId) !== undefined)
  if (!page) return undefined
  // a sandboxed frame has no origin of its own: the page answers for it
  const origins = [page.worlds.get(frameId)?.origin, page.url(), url.replace(/^blob:/, '')]
  return { origin: origins.map(webOriginOf).find(origin => origin !== '') ?? '', page: page.url() }
}

/** '' for a document that is not from the web, or has no origin of its own. */
function webOriginOf(url = ''): string {
  const parsed = parseUrl(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? `${parsed.protocol}//${parsed.hostname}${parsed.port ? `:${parsed.port}` : ''}` : ''
}
