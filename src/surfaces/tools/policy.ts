import type { VerbName } from '../../contract/commands.ts'
import type { Result } from '../../contract/run.ts'
import * as layer from '../../policy/command-policy.ts'
import { type HostRules, parseHostRules } from '../../policy/host-rules.ts'
import { commandSpecs } from '../cli/commands.generated.ts'
import type { RuleFlags } from '../flags/session-flags.ts'
import { agentToolList } from './agent-tools.ts'
import { webToolList } from './web-tools.ts'

/** who denies a tool, or a command of the command line, denies the verb behind it, and with it all its other names (E2) */
const aliases: layer.VerbAliases = Object.fromEntries([
  ...[...webToolList({ allowEval: true }), ...agentToolList].flatMap(({ name, verb }) => (verb ? [[name, verb] as const] : [])),
  ...Object.entries(commandSpecs).map(([command, { verb }]) => [command, verb as VerbName] as const),
])

/**
 * A policy, in the names of verbs, classes of verbs, and tools: `webTools(run, { policy: policy({ readOnly: true }) })` refuses, and offers
 * nothing that it would refuse. It is a Layer too, for a Run without tools. Throws where the rules are wrong.
 */
export const createPolicy = (rules: layer.PolicyRules): layer.Policy => layer.createPolicy(rules, aliases)

/** The same for rules that come from a file or a user. */
export const parsePolicy = (given: unknown): ReturnType<typeof layer.parsePolicy> => layer.parsePolicy(given, aliases)

export interface SessionRules {
  readonly policy?: layer.Policy
  readonly hosts?: HostRules
}

/** What the flags of a command line ask for; nothing begins with flags that are wrong (C2). */
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
