import type { TabInfo } from '../../../contract/results.ts'
import type { Pages } from '../page/pages.ts'

/**
 * A tab as a browser shows it in its tab strip.
 *
 * @example
 * const label = ({ title, url, loading }: LiveTabInfo) => (loading ? '… ' : '') + (title || url)
 */
export interface LiveTabInfo extends TabInfo {
  readonly loading: boolean
}

/** often enough for a spinner; it asks the browser for titles, never a page */
const pollMs = 250

export async function listTabs(pages: Pages): Promise<readonly LiveTabInfo[]> {
  const infos = await pages.list()
  return infos.map(info => ({
    ...info,
    loading:
      pages
        .all()
        .find(({ id }) => id === info.tab)
        ?.document.isLoading() ?? false,
  }))
}

/** Calls the listener whenever `tabs` returns something else than before. Returns the function that ends it. */
export function watchTabs(tabs: () => Promise<unknown>, listener: () => void): () => void {
  let last: string | undefined
  let isReading = false
  const read = async () => {
    if (isReading) return
    isReading = true
    const now = await tabs().then(JSON.stringify, String)
    isReading = false
    if (last !== undefined && now !== last) listener()
    last = now
  }
  const timer = setInterval(read, pollMs)
  timer.unref()
  void read()
  return () => clearInterval(timer)
}
