import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { say, term } from '../../../contract/message.ts'
import { toError } from '../../../contract/pagehand-error.ts'
import { type HostRules, isPrivateHost, parseHostRules } from '../../../policy/host-rules.ts'
import { checkUrl } from '../../../policy/url-rules.ts'
import { destinationOf, EgressRefusal, type EgressRules } from '../egress/egress-rules.ts'
import { PagehandError } from '../errors.ts'
import { describeRefusal, refusalOf, rootUrl } from '../storage/allowed-paths.ts'

interface UrlPolicyOptions {
  readonly fileRoots: readonly string[]
  readonly hosts: HostRules | undefined
  /** the rules for all requests, where they are enforced */
  egress?(): EgressRules | undefined
  /** the endpoint that controls the browser, if it has one */
  endpoint(): unknown
}

export interface UrlPolicy {
  /** returns the normalized URL, or fails */
  check(url: string): Promise<string>
  /** whether `check` will fail, as far as the URL alone tells: known at once, before the page can run a script */
  refuses(url: string): boolean
}

/** The URL rules, plus what only this machine can tell: the targets of file links, and the port that controls the browser. */
export function createUrlPolicy({ fileRoots, hosts, egress, endpoint }: UrlPolicyOptions): UrlPolicy {
  const hostRules = hosts === undefined ? undefined : parseHostRules(hosts)
  if (hostRules?.ok === false) throw toError(hostRules.error)
  const rules = { files: fileRoots.map(rootUrl), hosts: hostRules?.value }

  const checkRules = (url: string) => {
    const verdict = checkUrl(url, rules)
    if (!verdict.ok) return toError(verdict.error)
    const control = endpoint()
    return verdict.kind === 'web' && typeof control === 'string' && isSamePort(new URL(control), new URL(verdict.url))
      ? new PagehandError('url_not_allowed', say`The URL is the port that controls the browser itself.`, { page: { url } })
      : verdict
  }
  return {
    async check(url) {
      const verdict = checkRules(url)
      if (verdict instanceof PagehandError) throw verdict
      if (verdict.kind === 'file') {
        const path = fileURLToPath(verdict.url)
        const real = await realpath(path).catch(() => path) // a missing file is reported by the browser
        const refusal = await refusalOf(real, fileRoots)
        if (refusal) {
          const message = describeRefusal(say`The file`, refusal, { roots: fileRoots, option: 'fileRoots' })
          throw new PagehandError('url_not_allowed', message, { page: { url } })
        }
      }
      if (verdict.kind === 'web') await checkAddress(verdict.url, egress?.())
      return verdict.url
    },
    refuses: url => checkRules(url) instanceof PagehandError,
  }
}

/** The proxy would refuse the request too, and the browser would show an error page without the reason. */
async function checkAddress(url: string, rules: EgressRules | undefined): Promise<void> {
  await rules?.check(destinationOf(url)).catch((error: Error) => {
    // a host that is not found is reported by the browser
    if (error instanceof EgressRefusal)
      throw new PagehandError('url_not_allowed', say`The URL is not allowed: ${term(error.message)}.`, { page: { url } })
  })
}

/** A machine has many names, and each of them leads to its ports. */
function isSamePort(control: URL, url: URL): boolean {
  const portOf = ({ port, protocol }: URL) => port || (/^(https|wss):$/.test(protocol) ? '443' : '80')
  if (portOf(control) !== portOf(url)) return false
  return control.hostname === url.hostname || (isPrivateHost(control.hostname) && isPrivateHost(url.hostname))
}
