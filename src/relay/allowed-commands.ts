// Which CDP commands a client may send to a shared tab. chrome.debugger allows more: some commands reach cookies, data and requests of sites
// that the user did not lend.

/** Domains that concern the page in the tab alone. */
const domains = new Set(
  (
    'Accessibility Animation Audits CSS Console DOM DOMDebugger DOMSnapshot Debugger Emulation EventBreakpoints Fetch HeapProfiler IO Input ' +
    'Inspector LayerTree Log Media Network Overlay Page Performance PerformanceTimeline Profiler Runtime Schema'
  ).split(' '),
)

/** Commands of these domains that reach further. */
const refused = new Set([
  'Network.getAllCookies',
  'Network.setCookie',
  'Network.setCookies',
  'Network.deleteCookies',
  'Network.clearBrowserCookies',
  'Network.clearBrowserCache',
  // sends any request with the cookies of the user, and returns what only the site itself may read
  'Network.loadNetworkResource',
  'Page.setDownloadBehavior',
])
/** Commands of other domains that are about the tab. */
const allowed = new Set(['Target.setAutoAttach', 'Target.getTargetInfo'])

/** Why a command is refused; undefined if it is not. `isShown` tells whether the tab has shown a page of an origin. */
export function refusalOf(method: string, params: unknown, isShown: (origin: string) => boolean): string | undefined {
  const domain = method.slice(0, method.indexOf('.'))
  if (!allowed.has(method) && (!domains.has(domain) || refused.has(method))) return `${method} is not available for a tab of the user`
  const { url, urls } = (params ?? {}) as { url?: unknown; urls?: unknown }
  if (method === 'Page.navigate' && !isOpenable(url)) return 'Only http and https pages can be opened in a tab of the user'
  if (method === 'Network.getCookies' && Array.isArray(urls) && !urls.every(each => isShown(originOf(each))))
    return 'Cookies are readable for sites that the tab has shown'
  return undefined
}

/** Whether a tab may be sent to a URL: not to chrome:// pages, extensions or local files. */
export const isOpenable = (url: unknown): boolean =>
  typeof url === 'string' && (url === '' || (URL.canParse(url) && /^(https?|about|data|blob):$/.test(new URL(url).protocol)))

export const originOf = (url: unknown): string => (typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : 'null')
