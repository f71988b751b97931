import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { checkUrl } from '../../contract/urls.ts'
import { Failed } from './failed.ts'
import { isBelow, rootUrl } from './jail.ts'
import { quote } from './said.ts'

interface Rule {
  readonly fileRoots: readonly string[]
  /** the address by which the browser itself is controlled, where it has one */
  endpoint(): unknown
}

/** The rule on addresses with what only a machine can tell: where links lead, and which port is the browser's own. Throws, or gives the URL. */
export function addressRule({ fileRoots, endpoint }: Rule): (url: string) => Promise<string> {
  const rules = { files: fileRoots.map(rootUrl) }
  return async url => {
    const verdict = checkUrl(url, rules)
    if (!verdict.ok) throw new Failed(verdict.error.code, verdict.error.message)
    if (verdict.kind === 'file') {
      const path = fileURLToPath(verdict.url)
      const real = await realpath(path).catch(() => path) // what is not there is told by the browser
      if (!(await isBelow(real, fileRoots)))
        throw new Failed('url_not_allowed', `${quote(url)} is a link to a file outside of the allowed folders.`)
    }
    const control = endpoint()
    if (verdict.kind === 'web' && typeof control === 'string' && new URL(control).host === new URL(verdict.url).host)
      throw new Failed('url_not_allowed', `${quote(url)} is the port that controls the browser itself.`)
    return verdict.url
  }
}
