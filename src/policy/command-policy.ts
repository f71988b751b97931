import { isVerbName, type Risk, type VerbName, verbs } from '../contract/commands.ts'
import { type Failure, failure } from '../contract/failures.ts'
import type { AnyCommand, Layer } from '../contract/run.ts'

/** What is refused, whoever asks for it. */
export interface PolicyRules {
  /** verbs such as `upload`, or classes of them by what they can change: look, move, act, leave, power */
  readonly deny?: readonly string[]
  /** true: only looking, moving about and opening pages; nothing that acts on a page, runs code or touches files */
  readonly readOnly?: boolean
}

/** A layer that refuses; `denied` is for those who offer verbs, so that they offer none of these. */
export type Policy = Layer & { readonly denied: ReadonlySet<VerbName> }

/** other names of verbs: those of tools that stand for one */
export type VerbAliases = { readonly [name: string]: VerbName }

type Checked = { readonly ok: true; readonly value: Policy } | { readonly ok: false; readonly error: Failure }

/** For rules that are written in code: throws where they are wrong. */
export function createPolicy(rules: PolicyRules, aliases: VerbAliases = {}): Policy {
  const made = parsePolicy(rules, aliases)
  if (!made.ok) throw new TypeError(made.error.message)
  return made.value
}

/** For rules that somebody wrote down: what is not understood is refused, since it was meant to forbid something (C2). */
export function parsePolicy(given: unknown, aliases: VerbAliases = {}): Checked {
  const wrong = wrongIn(given, aliases)
  if (wrong) return { ok: false, error: failure('invalid_input', wrong) }
  const { deny = [], readOnly = false } = given as PolicyRules
  const denied = new Set([...deny, ...(readOnly ? ['act', 'power'] : [])].flatMap(name => verbsOf(name, aliases)))
  return { ok: true, value: Object.assign(refusing(denied), { denied }) }
}

/** Why something is not carried out, and what there is instead, in the words of who asks. */
export const denialOf = (what: string, allowed: readonly string[]): Failure =>
  failure('disabled', `${what} is denied by the policy; allowed are ${allowed.join(', ') || 'none'}.`)

/** the verb for which a command is refused */
export const findDenied = (command: AnyCommand, denied: ReadonlySet<VerbName>): VerbName | undefined =>
  needs(command).find(verb => denied.has(verb))

const names = Object.keys(verbs) as VerbName[]
const classes: { readonly [name in Risk]: true } = { look: true, move: true, act: true, leave: true, power: true }

const refusing =
  (denied: ReadonlySet<VerbName>): Layer =>
  next =>
  async (command, signal) => {
    // what no table knows nobody has judged
    const refused = isVerbName(command.name) ? findDenied(command, denied) : command.name.slice(0, 40)
    const allowed = () => names.filter(name => !denied.has(name))
    return refused === undefined ? next(command, signal) : { ok: false, error: denialOf(refused, allowed()) }
  }

/** a tab that opens at an address opens that address */
const needs = ({ name, url }: AnyCommand): readonly VerbName[] =>
  name === 'tabs' && url !== undefined ? ['tabs', 'open'] : [name as VerbName]

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
    if (!Array.isArray(value) || value.length === 0) return 'deny must be a list of names, and not an empty one.'
    const unknown = value.findIndex(name => typeof name !== 'string' || verbsOf(name, aliases).length === 0)
    if (unknown >= 0)
      return `there is no ${JSON.stringify(String(value[unknown]).slice(0, 40))} to deny; there are ${[...names, ...Object.keys(classes)].join(', ')}${Object.keys(aliases).length ? ', and tools that stand for one of them' : ''}.`
  }
  return ''
}
