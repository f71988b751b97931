import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ApprovalPolicy, requirePolicy, requireSites } from '../../../approval/approval-policy.ts'
import { type ActionClass, actionClasses } from '../../../contract/approval.ts'
import { messageOf } from '../../../contract/error-message.ts'
import { columns, optionRows } from '../../flags/option-help.ts'
import type { OptionSpec, OptionSpecs } from '../../flags/option-spec.ts'
import { type OptionValues, parseOptions } from '../../flags/parse-options.ts'
import { type BrowserFlags, browserFlags, invalidBrowserFlag, pickBrowserFlags, ruleFlags } from '../../flags/session-flags.ts'
import { rulesFrom, type SessionRules } from '../../tools/session-rules.ts'
import { toUrl } from '../url.ts'

const { maxSteps: _, maxTime: __, totalChars: ___, ...hostAndVerbFlags } = ruleFlags

/** Options that `agent` and `run resume` have in common. */
export const agentOptions: OptionSpecs = {
  model: {
    type: 'string',
    value: 'NAME',
    description:
      'provider/model, or rules for the built-in rules without AI (default: OpenAI if OPENAI_API_KEY or OPENAI_BASE_URL is set, otherwise rules)',
  },
  maxSteps: { type: 'integer', description: 'end the run after so many turns of the model', default: 15 },
  maxCost: { type: 'string', value: 'AMOUNT', description: 'end the run when it has cost so much; needs --price' },
  price: { type: 'string', value: 'IN/OUT', description: 'price of a million input and output tokens, such as 0.25/2' },
  maxTokens: { type: 'integer', description: 'end the run after so many tokens' },
  maxTime: { type: 'integer', value: 'SECONDS', description: 'end the run after this time, without the time in which it waits for you' },
  totalChars: { type: 'integer', description: 'end the run after so many characters of answers' },
  yes: {
    type: 'array',
    value: 'CLASS,…',
    description: `approve these classes of actions without asking: ${actionClasses.slice(2).join(', ')}`,
  },
  plan: {
    type: 'array',
    value: 'CLASS,…',
    description: 'ask once, before the run begins, for these classes of actions on its sites',
  },
  approvals: { type: 'string', value: 'FILE', isPath: true, description: 'policy that says what is allowed, asked and denied' },
  site: { type: 'array', value: 'HOST', description: 'a site that the run is for; can be repeated (default: those of --url and the goal)' },
  redact: {
    type: 'array',
    value: 'WORD',
    description:
      'keep WORD, such as a password in the goal, out of everything that is written, also the goal; can be repeated. Give it again to run resume, with --goal',
  },
  record: { type: 'string', value: 'FILE', isPath: true, description: 'write the actions of the run to this file, for pagehand replay' },
  evidence: { type: 'string', value: 'DIR', isPath: true, description: 'record runs in this folder (default: the folder of the user)' },
  json: { type: 'boolean', description: 'print every event as a line of JSON' },
  ...browserFlags,
  ...hostAndVerbFlags,
}

const goalOptions: OptionSpecs = {
  url: { type: 'string', value: 'URL', description: 'page to begin with' } satisfies OptionSpec,
  ...agentOptions,
}

const resumeOptions: OptionSpecs = {
  goal: { type: 'string', value: 'GOAL', description: 'the goal again, if a part of it was redacted' } satisfies OptionSpec,
  ...agentOptions,
}

const exitCodeHelp = `Exit codes: 0 closed (the run said that it is done), 1 error, 2 usage error, 3 max_steps, 4 max_cost, 5 max_time, 6 loop,
7 denied, 8 needs_approval (pagehand run resume goes on), 130 stopped.
`

export const agentHelp = `pagehand agent GOAL   Let a model reach a goal in a browser

${columns(optionRows(goalOptions)).join('\n')}

The log of a run begins with the goal as you give it. What the run types into a field that hides it, such as a password, is redacted in
everything that is written from then on, and in the report, the lists of runs and recordings. --redact keeps a word out of the log as well;
--secrets lets the model type a password by its name.

Steps are printed to standard error, the outcome to standard output. Ctrl-C stops the run cleanly, a second Ctrl-C at once.
Needs the packages ai and, for OpenAI, @ai-sdk/openai: npm install ai@7 @ai-sdk/openai@4

${exitCodeHelp}`

export const runHelp = `pagehand run show ID     Show the steps of a run
pagehand run resume ID   Go on with a run that waits for a person, or whose process or model failed

show takes --evidence DIR and --json. resume takes the options of pagehand agent, except --url, and
--goal GOAL, if --redact kept a part of the goal out of the log.
pagehand runs lists the runs.

${exitCodeHelp}`

/** What the command line asks for. */
export interface AgentCommand extends SessionRules {
  readonly goal: string
  readonly url?: string
  readonly model?: string
  readonly agentLimits: {
    readonly steps?: number
    readonly cost?: number
    readonly tokens?: number
    readonly timeMs?: number
    readonly characters?: number
  }
  readonly price?: { readonly input: number; readonly output: number }
  readonly yes: readonly ActionClass[]
  readonly plan: readonly ActionClass[]
  /** the policy of --approvals, with the classes of --yes */
  readonly approvals?: ApprovalPolicy
  readonly sites?: readonly string[]
  /** words that are not written */
  readonly redact: readonly string[]
  readonly record?: string
  readonly evidence?: string
  readonly json: boolean
  readonly browser: BrowserFlags
}

/** Parses the words after `pagehand agent`. Returns a sentence about the first mistake. */
export function parseAgentCommand(words: readonly string[]): AgentCommand | string {
  const parsed = parseOptions(words, goalOptions)
  if (!parsed.ok) return parsed.why
  const [goal, ...others] = parsed.positionals
  if (goal === undefined || goal.trim() === '') return 'name the goal in quotes'
  if (others.length > 0) return `unexpected argument ${others[0]}: put the goal in quotes`
  return commandFrom(goal, parsed.options)
}

/** Parses the words after `pagehand run resume`; the goal is that of the run. */
export function parseResumeCommand(words: readonly string[]): { readonly id: string; readonly command: AgentCommand } | string {
  const parsed = parseOptions(words, resumeOptions)
  if (!parsed.ok) return parsed.why
  const [id, ...others] = parsed.positionals
  if (id === undefined || others.length > 0) return 'name one run; pagehand runs lists them'
  const { goal = '', ...options } = parsed.options
  const command = commandFrom(String(goal), options)
  return typeof command === 'string' ? command : { id, command }
}

function commandFrom(goal: string, values: OptionValues): AgentCommand | string {
  const {
    url,
    model,
    maxSteps,
    maxTokens,
    maxTime,
    totalChars,
    maxCost,
    price,
    yes,
    plan,
    approvals,
    site,
    redact,
    record,
    evidence,
    json,
    ...given
  } = values
  for (const [flag, value] of Object.entries({
    'max-steps': maxSteps,
    'max-tokens': maxTokens,
    'max-time': maxTime,
    'total-chars': totalChars,
  }))
    if (value !== undefined && !(typeof value === 'number' && value > 0)) return `--${flag} must be a whole number from 1 up`
  const cost = maxCost === undefined ? undefined : Number(maxCost)
  if (cost !== undefined && !(Number.isFinite(cost) && cost > 0)) return `--max-cost must be a number above 0, not ${maxCost}`
  const prices = price === undefined ? undefined : parsePrice(String(price))
  if (prices === null) return `--price is two numbers such as 0.25/2, not ${price}`
  if (cost !== undefined && !prices) return '--max-cost needs --price: the price of a million input and output tokens'
  const classes = parseClasses('--yes', yes)
  if (typeof classes === 'string') return classes
  const planned = parseClasses('--plan', plan)
  if (typeof planned === 'string') return planned
  const sites = Array.isArray(site) ? site : undefined
  const words = Array.isArray(redact) ? redact.map(String) : []
  if (words.some(word => word.length < 4)) return '--redact takes a word of at least four characters: shorter ones occur in other words'
  if (planned.length > 0 && !sites && url === undefined) return '--plan needs --url or --site: it is for the sites of the run'
  const policy = readPolicy(approvals, { sites, yes: classes })
  if (typeof policy === 'string') return policy
  const browser = pickBrowserFlags(given)
  const wrong = invalidBrowserFlag(browser)
  if (wrong) return wrong
  const rules = rulesFrom(given, 'Only the user can change that.')
  if (!rules.ok) return rules.error.message
  const start = typeof url === 'string' ? toUrl(url) : undefined
  if (start?.ok === false) return start.why
  return {
    ...rules.data,
    goal,
    ...(start?.ok && { url: start.url }),
    ...(typeof model === 'string' && { model }),
    agentLimits: {
      ...(typeof maxSteps === 'number' && { steps: maxSteps }),
      ...(cost !== undefined && { cost }),
      ...(typeof maxTokens === 'number' && { tokens: maxTokens }),
      ...(typeof maxTime === 'number' && { timeMs: maxTime * 1_000 }),
      ...(typeof totalChars === 'number' && { characters: totalChars }),
    },
    ...(prices && { price: prices }),
    yes: classes,
    plan: planned,
    ...(policy && { approvals: policy }),
    ...(sites && { sites }),
    redact: words,
    ...(typeof record === 'string' && { record: resolve(record) }),
    ...(typeof evidence === 'string' && { evidence: resolve(evidence) }),
    json: json === true,
    browser,
  }
}

function parsePrice(text: string): { readonly input: number; readonly output: number } | null {
  const [input = Number.NaN, output = Number.NaN, ...rest] = text.split('/').map(Number)
  return rest.length === 0 && input >= 0 && output >= 0 ? { input, output } : null
}

/** `--yes submit,download`: reading and moving never ask. */
export function parseClasses(flag: string, given: unknown): readonly ActionClass[] | string {
  const words = (Array.isArray(given) ? given.map(String) : []).flatMap(each => each.split(',')).filter(Boolean)
  const unknown = words.find(word => !(actionClasses as readonly string[]).includes(word))
  return unknown === undefined ? (words as ActionClass[]) : `${flag} knows ${actionClasses.slice(2).join(', ')}, not ${unknown}`
}

/** The policy of a file. What it denies stays denied; what it asks about is approved by `--yes`. */
export function readPolicy(
  file: unknown,
  { sites = [], yes }: { readonly sites: readonly string[] | undefined; readonly yes: readonly ActionClass[] },
): ApprovalPolicy | string | undefined {
  try {
    requireSites(sites)
    const { classes = {}, origins = [] } = typeof file === 'string' ? requirePolicy(JSON.parse(readFileSync(file, 'utf8'))) : {}
    if (file === undefined && yes.length === 0) return undefined
    const allowed = (rules: ApprovalPolicy['classes'] = {}, all = false) => ({
      ...rules,
      ...Object.fromEntries(yes.flatMap(each => ((all || rules[each]) && rules[each] !== 'deny' ? [[each, 'allow' as const]] : []))),
    })
    return {
      classes: { read: 'allow', ...allowed(classes, true) },
      ...(origins.length > 0 && { origins: origins.map(each => ({ ...each, classes: allowed(each.classes) })) }),
    }
  } catch (error) {
    return `${typeof file === 'string' ? `--approvals ${file}: ` : ''}${messageOf(error)}`
  }
}
