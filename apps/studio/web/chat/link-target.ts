/** Where a link leads, as it is shown beside its words. */
export interface LinkTarget {
  /** host, or the scheme of a URL without one; undefined if the words show it already */
  readonly host: string | undefined
  /** whether the words look like the address of another site */
  readonly isMisleading: boolean
}

/** names of files look like hosts */
const fileName = /^[^/]+\.(pdf|html?|js|ts|json|csv|txt|md|zip|png|jpe?g|gif|docx?|xlsx?|pptx?)$/i

/** The words may be those of a page, which can write anything into them. */
export function linkTarget(words: string, href: string): LinkTarget {
  const target = parse(href)
  const host = target && (target.host || target.protocol)
  if (!target || !host) return { host: undefined, isMisleading: false }
  const named = hostsIn(words)
  const isMisleading = named.some(each => target.hostname !== each && !target.hostname.endsWith(`.${each}`))
  return { host: named.length > 0 && !isMisleading ? undefined : host, isMisleading }
}

/** The hosts that words seem to name, with or without a scheme. */
const hostsIn = (words: string): readonly string[] =>
  words.split(/[\s"'“”‘’()<>[\]{}，。、；]+/u).flatMap(word => {
    const hasScheme = /^[a-z][\w+.-]*:\/\//i.test(word)
    if (!hasScheme && (!/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?=[/:?#]|[.,;:!?]*$)/u.test(word) || fileName.test(word))) return []
    const { hostname } = parse(hasScheme ? word : `https://${word.replace(/[.,;:!?]+$/, '')}`) ?? {}
    return hostname ? [hostname.replace(/^www\./, '')] : []
  })

const parse = (url: string): URL | undefined => {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}
