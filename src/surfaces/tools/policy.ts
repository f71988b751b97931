import { type VerbName, verbs } from '../../contract/commands.ts'
import * as layer from '../../policy/command-policy.ts'
import { commandName } from '../flags/command-name.ts'
import { agentToolList } from './agent-tool-list.ts'
import { webToolList } from './web-tools.ts'

/** Denying a tool or a CLI command denies the verb behind it under all of its names (TRUST E2). */
const aliases: layer.VerbAliases = Object.fromEntries([
  ...[...webToolList({ allowEval: true }), ...agentToolList].flatMap(({ name, verb }) => (verb ? [[name, verb] as const] : [])),
  ...(Object.keys(verbs) as VerbName[]).map(verb => [commandName(verb), verb] as const),
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

/** Like `parsePolicy`; refusals end with the hint. */
export const parsePolicyWithHint = (given: unknown, hint: string | undefined): ReturnType<typeof layer.parsePolicy> =>
  layer.parsePolicy(given, aliases, hint)
