import { say, term } from '../../contract/message.ts'
import { fail, ok, type Result } from '../../contract/run.ts'
import type { RunLimits } from '../../layers/limits.ts'
import type { Policy } from '../../policy/command-policy.ts'
import { type HostRules, parseHostRules } from '../../policy/host-rules.ts'
import type { RuleFlags } from '../flags/session-flags.ts'
import { parsePolicyWithHint } from './policy.ts'

export interface SessionRules {
  readonly policy?: Policy
  readonly hosts?: HostRules
  readonly limits?: RunLimits
}

/** The rules that command line flags ask for. Invalid flags are an error, so that nothing starts without its rules (TRUST C2). `hint` ends refusals. */
export function rulesFrom(
  { readOnly, deny, allowHost, allowResources, denyHost, privateHosts, ...limitFlags }: RuleFlags,
  hint?: string,
): Result<SessionRules> {
  if (privateHosts !== undefined && typeof privateHosts !== 'boolean') return fail('invalid_input', 'privateHosts must be true or false.')
  const rules = { ...(readOnly !== undefined && { readOnly }), ...(deny && { deny }) }
  const hostRules = {
    ...(allowHost && { allow: allowHost }),
    ...(allowResources && { allowResources }),
    ...(denyHost && { deny: denyHost }),
    ...(privateHosts === false && { private: false }),
  }
  const policy = Object.keys(rules).length > 0 ? parsePolicyWithHint(rules, hint) : undefined
  if (policy?.ok === false) return policy
  const hosts = Object.keys(hostRules).length > 0 ? parseHostRules(hostRules) : undefined
  if (hosts?.ok === false) return hosts
  const limits = limitsFrom(limitFlags)
  if (!limits.ok) return limits
  return { ok: true, data: { ...(policy && { policy: policy.value }), ...(hosts && { hosts: hosts.value }), ...limits.data } }
}

function limitsFrom({ maxSteps, maxTime, totalChars }: RuleFlags): Result<Pick<SessionRules, 'limits'>> {
  for (const [flag, value] of Object.entries({ 'max-steps': maxSteps, 'max-time': maxTime, 'total-chars': totalChars }))
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      return fail('invalid_input', say`--${term(flag)} must be a whole number from 1 up.`)
  const limits = {
    ...(maxSteps !== undefined && { steps: maxSteps }),
    ...(maxTime !== undefined && { timeMs: maxTime * 1_000 }),
    ...(totalChars !== undefined && { characters: totalChars }),
  }
  return ok(Object.keys(limits).length > 0 ? { limits } : {})
}
