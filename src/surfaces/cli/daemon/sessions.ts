import { type Failure, failure } from '../../../contract/failures.ts'
import type { SnapshotFormat } from '../../../contract/limits.ts'
import { quoted, say, term } from '../../../contract/message.ts'
import type { AbortSignalLike, Result } from '../../../contract/run.ts'
import { saveScreenshots } from '../../../evidence/screenshots.ts'
import { commandName } from '../../flags/command-name.ts'
import { formatFlags, formatPolicyFlags, isUserBrowser, type OpenSession, sessionFlags } from '../../flags/session-flags.ts'
import { failureAnswer, type SavedScreenshot } from '../../respond/answer.ts'
import type { OpenedSession } from '../../respond/lazy-session.ts'
import { createResponder, type Responder } from '../../respond/responder.ts'
import { rulesFrom } from '../../tools/session-rules.ts'
import { version } from '../../version.ts'
import { sessionDialect } from '../dialect.ts'
import { callOf } from './call.ts'
import { type CommandOptions, invalidOption, type ResponseBody, type VerbRequest } from './messages.ts'

interface RespondingSession extends OpenedSession {
  readonly respond: Responder
}
interface SessionEntry {
  readonly opening: Promise<Result<RespondingSession>>
  /** the options it was opened with; they apply until it is stopped */
  readonly options: CommandOptions
  /** the commands that have not been answered yet */
  readonly running: Set<{ readonly verb: string; readonly startedAt: number }>
}

type VerbCall = Pick<VerbRequest, 'verb' | 'args' | 'options'>

/** The sessions of the daemon by name. A session is opened by the first command that needs it. */
export class SessionRegistry {
  readonly #sessions = new Map<string, SessionEntry>()
  readonly #open: OpenSession

  constructor(open: OpenSession) {
    this.#open = open
  }

  get size(): number {
    return this.#sessions.size
  }

  async runVerb(request: VerbCall, signal?: AbortSignalLike): Promise<ResponseBody> {
    const { verb, args, options } = request
    const wrong = invalidOption(options)
    if (wrong) return { ...failureAnswer(failure('invalid_input', term(wrong))), isUsageError: true }
    const call = callOf(verb, args)
    if (!call.ok) return { ...failureAnswer(call.error), isUsageError: true }
    const { session: name, format, screenshotFile, json } = options
    const session = await this.#sessionFor(options, call.value.name)
    if (!session.ok) return failureAnswer(session.error)
    const entry = this.#sessions.get(name)
    if (call.value.name === 'evaluate' && !entry?.options.allowEval) return failureAnswer(evalNotAllowed(name))
    const running = { verb, startedAt: performance.now() }
    entry?.running.add(running)
    const answer = await session.data.respond(call.value, {
      signal,
      forProgram: json === true || format === 'json',
      ...(format !== undefined && { format: format as SnapshotFormat }),
      ...(screenshotFile !== undefined && { screenshotFile }),
    })
    entry?.running.delete(running)
    return {
      ...answer,
      ...(answer.picture && { picture: screenshotFile === undefined ? withoutBytes(answer.picture) : answer.picture }),
    }
  }

  /** Answers at once, also while a session is being opened or runs a command. */
  async status(): Promise<ResponseBody> {
    const sessions = await Promise.all([...this.#sessions].map(([name, entry]) => sessionStatus(name, entry)))
    const lines = sessions.map(({ name, flags, text }) => `session ${name}${flags && ` ${flags}`}\n${text}`)
    return {
      ok: true,
      text: [`daemon ${version} pid ${process.pid}, ${counted(sessions.length)}`, ...lines].join('\n'),
      data: { version, pid: process.pid, sessions: sessions.map(({ text: _, ...session }) => session) },
    }
  }

  /** Closes one session. Without a name it only says what is about to be closed: the daemon closes everything when it exits. */
  async stop(name: string | undefined): Promise<ResponseBody> {
    if (name === undefined) return { ok: true, text: `ok: stopped, ${counted(this.size)} closed` }
    if (!this.#sessions.has(name)) return failureAnswer(notOpen(name))
    await this.#close(name)
    return { ok: true, text: `ok: session ${name} closed` }
  }

  async closeAll(): Promise<void> {
    // one session that cannot be closed must not keep the others open
    await Promise.allSettled([...this.#sessions.keys()].map(name => this.#close(name)))
  }

  async #close(name: string): Promise<void> {
    const session = await this.#sessions.get(name)?.opening
    this.#sessions.delete(name)
    if (session?.ok) await session.data.close()
  }

  async #sessionFor(options: CommandOptions, verb: string): Promise<Result<RespondingSession>> {
    const known = this.#sessions.get(options.session)
    if (known && conflicts(options, known.options))
      return { ok: false, error: otherFlags(options.session, formatFlags(sessionFlags, known.options)) }
    if (known) return known.opening
    // in the browser of a user, a tab may have been lent
    if (verb !== 'open' && verb !== 'tabs' && !isUserBrowser(options)) return { ok: false, error: notOpen(options.session) }
    const opening = this.#openSession(options)
    this.#sessions.set(options.session, { opening, options, running: new Set() })
    const opened = await opening
    if (!opened.ok) this.#sessions.delete(options.session)
    return opened
  }

  async #openSession(options: CommandOptions): Promise<Result<RespondingSession>> {
    const rules = rulesFrom(options, ruleHint(options))
    if (!rules.ok) return rules
    const { policy, hosts, limits } = rules.data
    const opened = await this.#open({ ...options, ...(hosts && { hosts }) })
    if (!opened.ok) return opened
    const respond = createResponder(opened.data.run, {
      allowEval: options.allowEval ?? false,
      saveScreenshot: saveScreenshots(),
      dialect: sessionDialect,
      loopGuard: false,
      ...(policy && { policy }),
      ...(limits && { limits }),
    })
    return { ok: true, data: { ...opened.data, respond } }
  }
}

interface SessionStatus {
  readonly name: string
  readonly flags: string
  readonly text: string
  readonly opening?: true
  readonly error?: Failure
  readonly running?: readonly { readonly verb: string; readonly ms: number }[]
  readonly status?: unknown
}

async function sessionStatus(name: string, { opening, options, running }: SessionEntry): Promise<SessionStatus> {
  const flags = formatFlags(sessionFlags, options)
  const session = await Promise.race([opening, Promise.resolve(undefined)])
  if (!session) return { name, flags, opening: true, text: 'opening' }
  if (!session.ok) return { name, flags, error: session.error, text: session.error.code }
  const { text, data: status } = await session.data.respond({ name: 'status' }, { forProgram: true })
  const commands = [...running].map(({ verb, startedAt }) => ({ verb, ms: Math.round(performance.now() - startedAt) }))
  const lines = commands.map(({ verb, ms }) => `running: ${commandName(verb)} for ${(ms / 1_000).toFixed(1)} s`)
  return { name, flags, running: commands, status, text: [...lines, text].join('\n') }
}

const counted = (sessions: number): string => `${sessions} session${sessions === 1 ? '' : 's'}`

const reopen = (name: string, how: string): string => `Run: pagehand stop --session ${name}; then open it ${how}.`

const notOpen = (name: string): Failure => ({
  ...failure('not_running', say`session ${quoted(name)} has no page yet.`),
  hint: `Run: pagehand open URL${name === 'default' ? '' : ` --session ${name}`}`,
})
const otherFlags = (name: string, flags: string): Failure => ({
  ...failure(
    'invalid_input',
    say`session ${quoted(name)} was opened ${flags ? say`with ${term(flags)}` : 'without flags'}, and cannot be changed.`,
  ),
  hint: reopen(name, 'with other flags'),
})
const evalNotAllowed = (name: string): Failure => ({
  ...failure('disabled', say`session ${quoted(name)} was opened without --allow-eval.`),
  hint: reopen(name, 'with --allow-eval'),
})

/** A refusal of the policy names the flags that ask for it. */
const ruleHint = (options: CommandOptions): string =>
  `The session was opened with ${formatPolicyFlags(options)}. ${reopen(options.session, 'without')}`

/** A flag that is not given does not conflict. */
const conflicts = (given: CommandOptions, opened: CommandOptions): boolean =>
  Object.entries(sessionFlags).some(
    ([field, spec]) =>
      given[field as keyof CommandOptions] !== undefined &&
      formatFlags({ [field]: spec }, given) !== formatFlags({ [field]: spec }, opened),
  )

function withoutBytes({ base64: _, ...rest }: SavedScreenshot): Omit<SavedScreenshot, 'base64'> {
  return rest
}
