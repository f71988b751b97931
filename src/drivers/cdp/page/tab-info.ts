import type { TabInfo } from '../../../contract/results.ts'
import { cut } from '../../../render/text/quote.ts'
import type { BrowserConnection } from '../browser/acquire.ts'
import type { Page } from './page.ts'
import type { TargetInfo } from './target-discovery.ts'

export async function describeTab(browser: BrowserConnection, page: Page): Promise<Omit<TabInfo, 'selected'>> {
  const title = await titleOf(browser, page)
  return { tab: page.id, url: cut(page.url(), 500), title: cut(title, 200) }
}

/** The browser is asked, not the page, so that stuck pages have a title too. */
async function titleOf({ kind, connection }: BrowserConnection, page: Page): Promise<string> {
  const isAllowed = await page.guard.settled().then(
    () => true,
    () => false,
  )
  if (!isAllowed || kind === 'page') return ''
  const { targetId } = page.target
  const answer = await connection.send('Target.getTargetInfo', { targetId }).catch(() => undefined)
  const targetInfo: TargetInfo | undefined = answer?.targetInfo
  // the browser may still report the previous page, which may be one that must not be shown; a relay may report nothing
  return targetInfo && isSamePage(targetInfo.url, page.url()) ? targetInfo.title : ''
}

const isSamePage = (one: string, other: string) => one.split('#')[0] === other.split('#')[0]
