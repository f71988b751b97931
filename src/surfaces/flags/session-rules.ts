import type { Result } from '../../contract/run.ts'
import type { Policy } from '../../policy/command-policy.ts'
import { type HostRules, parseHostRules } from '../../policy/host-rules.ts'
import { parsePolicy } from '../tools/policy.ts'
import type { RuleFlags } from './session-flags.ts'

export interface SessionRules {
  readonly policy?: Policy
  readonly hosts?: HostRules
}

/** The rules that command line flags ask for. Invalid flags are an error, so that nothing starts without its rules (TRUST C2). */
export function rulesFrom({ readOnly, deny, allowHost, denyHost, privateHosts }: RuleFlags): Result<SessionRules> {
  const rules = { ...(readOnly !== undefined && { readOnly }), ...(deny && { deny }) }
  const wanted = {
    ...(allowHost && { allow: allowHost }),
    ...(denyHost && { deny: denyHost }),
    ...(privateHosts === false && { private: false }),
  }
  const made = Object.keys(rules).length > 0 ? parsePolicy(rules) : undefined
  if (made?.ok === false) return made
  const hosts = Object.keys(wanted).length > 0 ? parseHostRules(wanted) : undefined
  if (hosts?.ok === false) return hosts
  return { ok: true, data: { ...(made && { policy: made.value }), ...(hosts && { hosts: hosts.value }) } }
}
