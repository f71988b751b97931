import { cut, tidy } from '../../engine/text.ts'
import * as native from '../runtime/natives.ts'

export const maxUrlLength = 2_000
const maxTitleLength = 500

/** URL, title, viewport and scroll position of the top document of this engine */
export function pageInfo() {
  // a document whose loading was stopped early has no element
  const root = native.scrollingElement(document) ?? native.documentElement(document)
  const measure = (read: typeof native.clientWidth) => (root ? Math.round(read(root) ?? 0) : 0)
  return {
    url: cut(native.documentURL(document) ?? '', maxUrlLength),
    title: cut(tidy(native.titleOf(document) ?? ''), maxTitleLength),
    viewport: { width: measure(native.clientWidth), height: measure(native.clientHeight) },
    scroll: { x: measure(native.scrollLeft), y: measure(native.scrollTop), height: measure(native.scrollHeight) },
    readyState: native.readyState(document) ?? '',
  }
}
