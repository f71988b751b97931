import { userInfo } from 'node:os'
import { explain } from '../../approval/explain.ts'
import { findGrant, parseGrantRule } from '../../approval/grant-rules.ts'
import { approvalHeadline } from '../../approval/question-words.ts'
import {
  type ApprovalRecord,
  type ApprovalRequest,
  type ApprovalScope,
  approvalScopes,
  type Grant,
  type StaleReason,
} from '../../contract/approval.ts'
import { messageOf } from '../../contract/error-message.ts'
import type { RunStore } from '../../contract/journal.ts'
import { type AnyCommand, type AnyRun, fail, ok } from '../../contract/run.ts'
import { toSentence } from '../../contract/text.ts'
import { savePicture } from '../../evidence/approval-picture.ts'
import { fileRunStore } from '../../evidence/run-store.ts'
import type { OptionSpecs } from '../flags/option-spec.ts'
import { type OptionValues, parseOptions } from '../flags/parse-options.ts'
import { printable } from '../printable.ts'
import { describeAction, describeApproval, grantLine } from '../respond/describe-approval.ts'
import { stderr, stdout } from '../terminal.ts'
import { openTerminal, type Terminal } from './controlling-terminal.ts'
import { connectToDaemon } from './daemon/client.ts'

const folder = { type: 'string', value: 'FOLDER', description: 'folder of the runs' } as const
const json = { type: 'boolean' } as const
const specs: { readonly [command: string]: OptionSpecs } = {
  approvals: { folder, json, all: { type: 'boolean' } },
  approve: { folder, json, deny: { type: 'string' }, scope: { type: 'string' }, by: { type: 'string' } },
  grants: { folder, json, site: { type: 'array' } },
  explain: { folder, json, site: { type: 'array' }, session: { type: 'string' } },
}

type Words = readonly string[]
interface CommandContext {
  readonly store: RunStore
  readonly words: Words
  readonly options: OptionValues
  readonly openTerminal: () => Terminal | undefined
}
type Answer = { readonly code: number; readonly text: string; readonly data: unknown }

/**
 * `pagehand approvals`, `approve`, `grants` and `explain`. No tool of a model reaches them; a model that has a shell can run them, so `approve`
 * asks at the terminal itself.
 */
export async function approvalCommand(
  name: keyof typeof commands,
  given: Words,
  { openTerminal: open = openTerminal }: { readonly openTerminal?: () => Terminal | undefined } = {},
): Promise<number> {
  const parsed = parseOptions(given, specs[name] ?? {})
  if (!parsed.ok) return usageError(parsed.why, name)
  const at = parsed.options.folder
  const store = fileRunStore(typeof at === 'string' ? { folder: at } : {})
  const context: CommandContext = { store, words: parsed.positionals, options: parsed.options, openTerminal: open }
  const answer = await commands[name](context).catch(
    (error: Error): Answer => ({ code: 1, text: `pagehand: ${messageOf(error)}`, data: { ok: false, error: messageOf(error) } }),
  )
  if (typeof answer === 'string') return usageError(answer, name)
  const isJson = parsed.options.json === true
  const to = answer.code === 0 || isJson ? stdout : stderr
  const text = isJson ? JSON.stringify(answer.data) : answer.text
  return new Promise(done => to.write(`${text}\n`, () => done(answer.code)))
}

const commands = { approvals, approve, grants, explain: explainCommand }

async function approvals({ store, options }: CommandContext): Promise<Answer> {
  const records = await store.approvals(options.all === true ? {} : { pending: true })
  const folder = typeof options.folder === 'string' ? options.folder : undefined
  const described = await Promise.all(records.map(async each => describeRecord(each, await savePicture(each.request, folder))))
  // a program that reads this is not told how a person decides
  const hint = stdout.isTTY && records.some(({ state }) => state === 'pending') ? ['Decide one: pagehand approve ID'] : []
  const text = described.length === 0 ? `nothing waits for a decision. ${studioHint}` : [...described, ...hint].join('\n\n')
  return { code: 0, text, data: { ok: true, approvals: records.map(withoutPicture) } }
}

/** the runs of the studio are in its own folder or database */
const studioHint = 'What a run of the studio asks is decided in the studio.'

const describeRecord = ({ request, state, turn = request.step, decision }: ApprovalRecord, picture: string | undefined): string =>
  [
    `${request.id}  ${state}${decision ? ` by ${decision.by}` : ''}  run ${request.run}, ${request.kind === 'plan' ? 'before its first step' : `step ${turn}`}, ${request.askedAt}`,
    `  ${approvalHeadline(request)}`,
    ...describeApproval(request, picture).map(line => `  ${line}`),
  ].join('\n')

const withoutPicture = ({ request: { picture: _, ...request }, ...record }: ApprovalRecord) => ({ ...record, request })

async function approve(context: CommandContext): Promise<Answer | string> {
  const {
    store,
    words: [id, ...others],
    options,
  } = context
  if (id === undefined || others.length > 0) return 'name one request: pagehand approve ID'
  const { deny, scope = 'once', by } = options
  if (!approvalScopes.some(each => each === scope)) return `--scope is one of ${approvalScopes.join(', ')}, not ${scope}`
  if (deny !== undefined && options.scope !== undefined) return '--scope is for an approval; a denial is for this request'
  const record = (await store.approvals()).find(({ request }) => request.id === id)
  if (record?.state === 'stale')
    return {
      code: 1,
      text: `pagehand: ${id} is over: ${staleWords[record.staleBecause ?? 'page']}`,
      data: { ok: false, id, outcome: 'over' },
    }
  if (record && !record.decision) {
    const refusal = await confirm(record.request, context)
    if (refusal) return refusal
  }
  const who = typeof by === 'string' ? by : userInfo().username
  const outcome = record
    ? await store.decide(id, {
        approved: deny === undefined,
        scope: deny === undefined ? (scope as ApprovalScope) : 'once',
        ...(typeof deny === 'string' && deny !== '' && { reason: deny }),
        by: who,
        at: new Date().toISOString(),
      })
    : 'unknown'
  const data = { ok: outcome === 'decided', id, outcome }
  if (outcome === 'unknown') return { code: 1, text: `pagehand: there is no request ${id}. Run: pagehand approvals. ${studioHint}`, data }
  if (outcome === 'already_decided') {
    const decided = (await store.approvals()).find(({ request }) => request.id === id)?.decision
    return {
      code: 1,
      text: `pagehand: ${id} was decided before${decided ? `: ${decided.approved ? 'approved' : 'denied'} by ${decided.by}` : ''}; the first decision counts`,
      data,
    }
  }
  const lines = record ? [approvalHeadline(record.request)] : []
  const granted = record && deny === undefined ? [`allowed ${grantLine(record.request, scope as ApprovalScope)}`] : []
  return {
    code: 0,
    text: [`${deny === undefined ? `approved (${scope})` : 'denied'}: ${id}`, ...lines.map(line => `  ${line}`), ...granted].join('\n'),
    data,
  }
}

/** Shows the question at the terminal and waits for a `yes`. Returns the answer of the command if there is none. */
async function confirm(request: ApprovalRequest, { options, openTerminal }: CommandContext): Promise<Answer | undefined> {
  const refuse = (outcome: string, text: string): Answer => ({
    code: 1,
    text: `pagehand: ${text}`,
    data: { ok: false, id: request.id, outcome },
  })
  const terminal = openTerminal()
  if (!terminal)
    return refuse(
      'no_terminal',
      'approve needs a terminal, because a person decides: open one and run the command there. Nothing was decided.',
    )
  try {
    const picture = await savePicture(request, typeof options.folder === 'string' ? options.folder : undefined)
    const what = options.deny === undefined ? `Approve it, ${grantLine(request, (options.scope ?? 'once') as ApprovalScope)}?` : 'Deny it?'
    const lines = [`${approvalHeadline(request)}?`, ...describeAction(request, picture).map(line => `  ${line}`), `${what} Type yes: `]
    const answer = await terminal.ask(printable(lines.join('\n')))
    return answer?.trim().toLowerCase() === 'yes' ? undefined : refuse('not_confirmed', 'nothing was decided; the request stays open')
  } finally {
    terminal.close()
  }
}

const staleWords: { readonly [because in StaleReason]: string } = {
  page: 'the page is not the one it was asked for',
  act: 'the run did something else on the page since it was asked; it asks again if it still wants to do this',
  browser: 'its browser is gone, and what was typed into the page with it; the run asks again',
  run: 'its run has ended',
}

async function grants({ store, words: [what = 'list', given, ...others], options }: CommandContext): Promise<Answer | string> {
  if (others.length > 0) return `unexpected argument ${others[0]}`
  const list = await store.grants.list()
  if (what === 'list') {
    const text =
      list.length === 0
        ? 'there are no grants'
        : list.map(({ id, rule, scope, by, createdAt }) => `${id}  ${rule}  (${scope}, by ${by}, ${createdAt.slice(0, 10)})`).join('\n')
    return { code: 0, text, data: { ok: true, grants: list } }
  }
  if (what === 'revoke') {
    if (given === undefined) return 'name a grant: pagehand grants revoke ID'
    const isRevoked = await store.grants.revoke(given)
    return {
      code: isRevoked ? 0 : 1,
      text: isRevoked ? `revoked: ${given}` : `pagehand: there is no grant ${given}. Run: pagehand grants`,
      data: { ok: isRevoked, id: given },
    }
  }
  if (what === 'test') return testGrants(given, { list, sites: sitesOf(options) })
  return `grants takes list, revoke or test, not ${what}`
}

/** Which grants would hold for a command, without a page: by the classes that the command has on any element. */
async function testGrants(
  given: string | undefined,
  { list, sites }: { list: readonly Grant[]; sites: readonly string[] },
): Promise<Answer | string> {
  const parsed = parseTest(given)
  if (typeof parsed === 'string') return parsed
  const { command, target } = parsed
  const run: AnyRun = async ({ name }) =>
    name === 'inspect' && target ? ok({ ...blankTarget, ...target }) : fail('unsupported_action', 'there is no page.')
  const { classes, rule, why, grant } = await explain(run, command, { sites, grants: list })
  const origin = String((target as { readonly origin?: unknown } | undefined)?.origin ?? '')
  const matching = list.filter(
    each => parseGrantRule(each.rule) && classes.some(actionClass => findGrant([each], { actionClass, origin, run: each.run ?? '' })),
  )
  const text = [
    `${rule}: ${why}`,
    `classes: ${classes.join(', ')}`,
    `would need: ${grant}`,
    ...matching.map(each => `matches: ${each.id} ${each.rule}`),
  ].join('\n')
  return { code: 0, text, data: { ok: true, rule, why, classes, grant, matching } }
}

const blankTarget = { url: '', origin: '', role: 'generic', name: '', path: '', tag: 'div' }

/** A command as JSON; its key `target` has the facts about the element, as `pagehand inspect` prints them. */
function parseTest(given: string | undefined): { readonly command: AnyCommand; readonly target?: object } | string {
  const value = parseJson(given)
  if (!value) return 'give a command as JSON, such as {"name":"click","ref":"e3","target":{"name":"Pay","origin":"https://shop.example"}}'
  const { target, ...command } = value as AnyCommand & { readonly target?: object }
  return typeof target === 'object' ? { command, target } : { command }
}

function parseJson(given: string | undefined): AnyCommand | undefined {
  try {
    const value = JSON.parse(given ?? '') as AnyCommand | null
    return typeof value === 'object' && typeof value?.name === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const sitesOf = ({ site }: OptionValues): readonly string[] => (Array.isArray(site) ? site : [])

/** Explains a command on the page of an open session. */
async function explainCommand({ store, words: [given, ...others], options }: CommandContext): Promise<Answer | string> {
  const command = parseJson(given)
  if (!command || others.length > 0) return 'give one command as JSON, such as {"name":"click","ref":"e3"}'
  const client = await connectToDaemon()
  if (!client)
    return { code: 1, text: 'pagehand: no session is open. Run: pagehand open URL', data: { ok: false, error: 'no session is open' } }
  const session = typeof options.session === 'string' ? options.session : 'default'
  const run: AnyRun = async ({ name: verb, ...args }) => {
    const response = await client.request({
      do: 'verb',
      verb,
      args: args as OptionValues,
      options: { session, folder: process.cwd(), json: true },
    })
    return response.ok
      ? ok(response.data)
      : fail((response.error?.code ?? 'outcome_unknown') as 'timeout', [response.error?.message ?? response.text])
  }
  try {
    const sites = sitesOf(options)
    const explained = await explain(run, command, { ...(sites.length > 0 && { sites }), grants: await store.grants.list() })
    const { classes, rule, why, reasons, grant } = explained
    return {
      code: 0,
      text: [`${rule}: ${why}`, `classes: ${classes.join(', ')}`, ...reasons.map(each => `- ${each}`), `grant: ${grant}`].join('\n'),
      data: { ok: true, ...explained },
    }
  } finally {
    client.end()
  }
}

function usageError(why: string, about: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help ${about}\n`)
  return 2
}
