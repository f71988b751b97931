import { isVerbName, type Risk, type VerbName, verbs } from '../contract/commands.ts'
import { type Failure, failure } from '../contract/failures.ts'
import { isDownloadsCommand } from '../contract/held-downloads.ts'
import { say, term } from '../contract/message.ts'
import type { ParseResult } from '../contract/parse-command.ts'
import type { AnyCommand, Layer } from '../contract/run.ts'

/**
 * Which verbs are refused.
 *
 * @example
 * const rules: PolicyRules = { readOnly: true, deny: ['tabs'] }
 */
export interface PolicyRules {
  /** verbs such as `upload`, classes of verbs (look, move, act, leave, power), or tools */
  readonly deny?: readonly string[]
  /** allows reading, moving and opening pages; refuses verbs that act on a page, run code or touch files. @default false */
  readonly readOnly?: boolean
}

/**
 * A layer that refuses verbs. Tool sets read `denied` so that they do not offer what would be refused.
 *
 * @example
 * const policy: Policy = createPolicy({ readOnly: true })
 * const tools = webTools(session.run, { policy })
 */
export type Policy = Layer & {
  readonly denied: ReadonlySet<VerbName>
  /** what a refused caller can do. @default that of the failure code */
  readonly hint?: string
}

/** Other names of verbs, such as those of tools. */
export type VerbAliases = { readonly [name: string]: VerbName }

/** For rules written in code: throws a TypeError if they are invalid. */
export function createPolicy(rules: PolicyRules, aliases: VerbAliases = {}): Policy {
  const made = parsePolicy(rules, aliases)
  if (!made.ok) throw new TypeError(made.error.message)
  return made.value
}

/** For rules from a file or a user. A rule that is not understood is an error, since it was meant to forbid something (TRUST C2). */
export function parsePolicy(given: unknown, aliases: VerbAliases = {}, hint?: string): ParseResult<Policy> {
  const wrong = wrongIn(given, aliases)
  if (wrong) return { ok: false, error: failure('invalid_input', term(wrong)) }
  const { deny = [], readOnly = false } = given as PolicyRules
  const denied = new Set([...deny, ...(readOnly ? ['act', 'power'] : [])].flatMap(name => verbsOf(name, aliases)))
  const policy = { denied, ...(hint !== undefined && { hint }) }
  return { ok: true, value: Object.assign(refusing(policy), policy) }
}

/** The failure for a denied call, in the caller's own words. */
export const denialOf = (what: string, allowed: readonly string[], { hint }: Pick<Policy, 'hint'> = {}): Failure => ({
  ...failure('disabled', say`${term(what)} is denied by the policy; allowed are ${term(allowed.join(', ') || 'none')}.`),
  ...(hint !== undefined && { hint }),
})

/** The verb for which a command is refused. */
export const findDenied = (command: AnyCommand, denied: ReadonlySet<VerbName>): VerbName | undefined =>
  needs(command).find(verb => denied.has(verb))

const names = Object.keys(verbs) as VerbName[]
const classes: { readonly [name in Risk]: true } = { look: true, move: true, act: true, leave: true, power: true }

const refusing =
  ({ denied, hint }: Pick<Policy, 'denied' | 'hint'>): Layer =>
  next =>
  async (command, signal) => {
    // a verb that is not in the table cannot have been allowed
    // approvals decide about downloads
    if (isDownloadsCommand(command)) return next(command, signal)
    const refused = isVerbName(command.name) ? findDenied(command, denied) : command.name.slice(0, 40)
    const allowed = () => names.filter(name => !denied.has(name))
    return refused === undefined
      ? next(command, signal)
      : { ok: false, error: denialOf(refused, allowed(), hint === undefined ? {} : { hint }) }
  }

/** Opening a tab at a URL also opens that URL, and filling a form may fill, check, select and click. */
function needs({ name, url, submit }: AnyCommand): readonly VerbName[] {
  if (name === 'tabs' && typeof url === 'string') return ['tabs', 'open']
  if (name === 'fillForm') return ['fillForm', 'fill', 'check', 'uncheck', 'select', ...(submit ? (['click', 'press'] as const) : [])]
  return [name as VerbName]
}

function verbsOf(name: string, aliases: VerbAliases): readonly VerbName[] {
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (isVerbName(name)) return [name]
  if (alias) return [alias]
  return Object.hasOwn(classes, name) ? names.filter(verb => verbs[verb].risk === name) : []
}

function wrongIn(given: unknown, aliases: VerbAliases): string {
  if (typeof given !== 'object' || given === null) return 'a policy must be an object.'
  const entries = Object.entries(given)
  if (entries.length === 0) return 'the policy is empty: it takes deny, readOnly.'
  for (const [key, value] of entries) {
    if (key === 'readOnly' && typeof value === 'boolean') continue
    if (key === 'readOnly') return 'readOnly must be true or false.'
    if (key !== 'deny') return `a policy has no ${JSON.stringify(key.slice(0, 40))}: it takes deny, readOnly.`
    if (!Array.isArray(value) || value.length === 0) return 'deny must be a non-empty list of names.'
    const unknown = value.findIndex(name => typeof name !== 'string' || verbsOf(name, aliases).length === 0)
    if (unknown >= 0)
      return `there is no ${JSON.stringify(String(value[unknown]).slice(0, 40))} to deny; the names are ${[...names, ...Object.keys(classes)].join(', ')}${Object.keys(aliases).length ? ', and the names of tools' : ''}.`
  }
  return ''
}
