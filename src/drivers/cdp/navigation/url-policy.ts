import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type HostRules, isPrivateHost, parseHostRules } from '../../../policy/host-rules.ts'
import { checkUrl } from '../../../policy/url-rules.ts'
import { quote } from '../cut.ts'
import { PagehandError } from '../errors.ts'
import { isBelow, rootUrl } from '../storage/allowed-paths.ts'

interface Given {
  readonly fileRoots: readonly string[]
  readonly hosts: HostRules | undefined
  /** the address by which the browser itself is controlled, where it has one */
  endpoint(): unknown
}

export interface UrlPolicy {
  /** throws, or gives the URL */
  check(url: string): Promise<string>
  /** what the address alone tells, at once: a page that is refused by that has no time to say a word */
  refuses(url: string): boolean
}

/** The rule on addresses with what only a machine can tell: where links lead, and which port is the browser's own. */
export function createUrlPolicy({ fileRoots, hosts, endpoint }: Given): UrlPolicy {
  const known = hosts === undefined ? undefined : parseHostRules(hosts)
  if (known?.ok === false) throw new PagehandError(known.error.code, known.error.message)
  const rules = { files: fileRoots.map(rootUrl), hosts: known?.value }

  const judge = (url: string) => {
    const verdict = checkUrl(url, rules)
    if (!verdict.ok) return new PagehandError(verdict.error.code, verdict.error.message)
    const control = endpoint()
    return verdict.kind === 'web' && typeof control === 'string' && isSamePort(new URL(control), new URL(verdict.url))
      ? new PagehandError('url_not_allowed', `${quote(url)} is the port that controls the browser itself.`)
      : verdict
  }
  return {
    async check(url) {
      const verdict = judge(url)
      if (verdict instanceof PagehandError) throw verdict
      if (verdict.kind === 'file') {
        const path = fileURLToPath(verdict.url)
        const real = await realpath(path).catch(() => path) // what is not there is told by the browser
        if (!(await isBelow(real, fileRoots)))
          throw new PagehandError('url_not_allowed', `${quote(url)} is a link to a file outside of the allowed folders.`)
      }
      return verdict.url
    },
    refuses: url => judge(url) instanceof PagehandError,
  }
}

/** this machine has many names, and each of them leads to its ports */
function isSamePort(control: URL, url: URL): boolean {
  const portOf = ({ port, protocol }: URL) => port || (/^(https|wss):$/.test(protocol) ? '443' : '80')
  if (portOf(control) !== portOf(url)) return false
  return control.hostname === url.hostname || (isPrivateHost(control.hostname) && isPrivateHost(url.hostname))
}
