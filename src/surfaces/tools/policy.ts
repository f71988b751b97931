import type { VerbName } from '../../contract/commands.ts'
import type { Result } from '../../contract/run.ts'
import * as layer from '../../policy/command-policy.ts'
import { type HostRules, parseHostRules } from '../../policy/host-rules.ts'
import { commandSpecs } from '../cli/commands.generated.ts'
import type { RuleFlags } from '../flags/session-flags.ts'
import { agentToolList } from './agent-tools.ts'
import { webToolList } from './web-tools.ts'

/** Denying a tool or a CLI command denies the verb behind it under all of its names (TRUST E2). */
const aliases: layer.VerbAliases = Object.fromEntries([
  ...[...webToolList({ allowEval: true }), ...agentToolList].flatMap(({ name, verb }) => (verb ? [[name, verb] as const] : [])),
  ...Object.entries(commandSpecs).map(([command, { verb }]) => [command, verb as VerbName] as const),
])

/**
 * Makes a policy from names of verbs, classes of verbs, and tools. Tools that get it neither offer nor execute what it denies; it is also a
 * layer, for a run without tools. Throws a TypeError if a rule is invalid.
 *
 * @example
 * const tools = webTools(session.run, { policy: createPolicy({ readOnly: true, deny: ['web_tabs'] }) })
 */
export const createPolicy = (rules: layer.PolicyRules): layer.Policy => layer.createPolicy(rules, aliases)

/**
 * Like `createPolicy`, for rules that come from a file or a user: returns the error instead of throwing it.
 *
 * @example
 * const parsed = parsePolicy(JSON.parse(text))
 * if (!parsed.ok) console.error(parsed.error.message)
 */
export const parsePolicy = (given: unknown): ReturnType<typeof layer.parsePolicy> => layer.parsePolicy(given, aliases)

export interface SessionRules {
  readonly policy?: layer.Policy
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
