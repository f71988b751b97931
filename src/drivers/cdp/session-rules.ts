import { quoted, say, term } from '../../contract/message.ts'
import { toError } from '../../contract/pagehand-error.ts'
import { parseHostRules } from '../../policy/host-rules.ts'
import { PagehandError } from './errors.ts'
import { checkOptions, type SessionOptions } from './options.ts'
import { requireNarrowRoots } from './storage/allowed-paths.ts'

/** Throws if a rule of a session is invalid or so wide that it is no rule, before anything is started. */
export async function checkSessionRules(options: SessionOptions): Promise<void> {
  checkOptions(options)
  const { fileRoots = [], uploadRoots = [], hosts } = options
  requireNarrowRoots(fileRoots, 'fileRoots')
  requireNarrowRoots(uploadRoots, 'uploadRoots')
  const parsed = hosts && parseHostRules(hosts)
  if (parsed?.ok === false) throw toError(parsed.error)
  const wildcards = [...(hosts?.allow ?? []), ...(hosts?.allowResources ?? [])].filter(each => each.startsWith('*.'))
  if (wildcards.length === 0) return
  const { isPublicSuffix } = await import('./egress/site.ts')
  const wide = wildcards.find(each => isPublicSuffix(each.slice(2).replace(/:\d+$/, '')))
  if (wide !== undefined)
    throw new PagehandError(
      'invalid_input',
      say`hosts: ${quoted(wide)} allows every domain below ${term(wide.slice(2))}, where anyone can register one. Name the domains, such as ${term(`*.example.${wide.slice(2)}`)}.`,
    )
}
