import { fail, type Result } from '../../contract/run.ts'
import type { Policy } from '../../policy/command-policy.ts'
import { type HostRules, parseHostRules } from '../../policy/host-rules.ts'
import type { RuleFlags } from '../flags/session-flags.ts'
import { parsePolicy } from './policy.ts'

export interface SessionRules {
  readonly policy?: Policy
  readonly hosts?: HostRules
}

/** The rules that command line flags ask for. Invalid flags are an error, so that nothing starts without its rules (TRUST C2). */
export function rulesFrom({ readOnly, deny, allowHost, allowResources, denyHost, privateHosts }: RuleFlags): Result<SessionRules> {
  if (privateHosts !== undefined && typeof privateHosts !== 'boolean') return fail('invalid_input', 'privateHosts must be true or false.')
  const rules = { ...(readOnly !== undefined && { readOnly }), ...(deny && { deny }) }
  const hostRules = {
    ...(allowHost && { allow: allowHost }),
    ...(allowResources && { allowResources }),
    ...(denyHost && { deny: denyHost }),
    ...(privateHosts === false && { private: false }),
  }
  const policy = Object.keys(rules).length > 0 ? parsePolicy(rules) : undefined
  if (policy?.ok === false) return policy
  const hosts = Object.keys(hostRules).length > 0 ? parseHostRules(hostRules) : undefined
  if (hosts?.ok === false) return hosts
  return { ok: true, data: { ...(policy && { policy: policy.value }), ...(hosts && { hosts: hosts.value }) } }
}
