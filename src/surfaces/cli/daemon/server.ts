import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { type ParsedCommand, verbs } from '../../../contract/commands.ts'
import { type Failure, failure } from '../../../contract/failures.ts'
import type { SnapshotFormat } from '../../../contract/limits.ts'
import type { Result } from '../../../contract/run.ts'
import { saveScreenshots } from '../../../evidence/screenshots.ts'
import type { HostRules } from '../../../policy/host-rules.ts'
import { flagWords } from '../../flags/session-flags.ts'
import type { OpenedSession } from '../../respond/lazy-session.ts'
import { type Answer, createResponder, failureAnswer, type Responder, type SavedScreenshot } from '../../respond/responder.ts'
import { rulesFrom } from '../../tools/policy.ts'
import { sessionFlags } from '../arguments.ts'
import { kebab } from '../command-spec.ts'
import { pageFlags, withFlags } from '../notes.ts'
import { callOf } from './call.ts'
import { type Options, onLines, type Request, type Response } from './messages.ts'
import { hostPlace, isOurs, version } from './socket-path.ts'

export interface Hosting {
  /** opens a browser session as the first command of its name wants it */
  open(options: Options & { readonly hosts?: HostRules }): Promise<Result<OpenedSession>>
  /** without a command for so long, everything is closed */
  readonly idleMs?: number
  readonly env?: NodeJS.ProcessEnv
}

export interface Host {
  close(): Promise<void>
  readonly closed: Promise<void>
}

interface Live extends OpenedSession {
  readonly talk: Responder
}
interface Session {
  readonly opening: Promise<Result<Live>>
  /** it was opened with them, and they stay as long as it does */
  readonly options: Options
}

const mostOfRequest = 1_000_000

/** The whole program: says `ready` once it listens, or in one line why it does not, and ends when nobody needs it. */
export async function runHost(hosting: Hosting): Promise<never> {
  const host = await serve(hosting).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  process.stdout.write('ready\n')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void host?.close())
  await host?.closed
  process.exit()
}

/** The background host of one user: keeps sessions between commands. Null where another one is there already. */
export async function serve({ open, idleMs = 15 * 60_000, env = process.env }: Hosting): Promise<Host | null> {
  const { folder, socket: path } = hostPlace(env)
  if (folder !== null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isOurs(folder))
      throw new Error(`${folder} belongs to somebody else, or others may enter it: remove it, or set PAGEHAND_RUNTIME_DIR`)
  }
  const sessions = new Map<string, Session>()
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.setEncoding('utf8')
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // a client that went away needs no answer
    onLines(socket, { most: mostOfRequest, line: line => void answer(line, socket), tooLong: () => socket.destroy() })
  })

  let finish = () => {}
  const closed = new Promise<void>(resolve => {
    finish = resolve
  })
  const close = async () => {
    clearTimeout(idle)
    server.close()
    await Promise.all([...sessions.keys()].map(end))
    for (const socket of sockets) socket.destroy()
    finish()
  }
  /** requests without an answer yet */
  let unanswered = 0
  const doze = () => setTimeout(close, idleMs)
  let idle = doze()

  if (!(await listen(server, path, { isFile: folder !== null }))) {
    clearTimeout(idle)
    return null
  }
  if (folder !== null) chmodSync(path, 0o600)

  async function answer(line: string, socket: Socket): Promise<void> {
    clearTimeout(idle)
    const request = requestIn(line)
    if (!request) {
      idle = doze()
      return void socket.destroy()
    }
    unanswered++
    const said = await respond(request)
    unanswered--
    clearTimeout(idle)
    const isLast = request.do === 'stop' ? request.session === undefined : !said.ok && sessions.size === 0 && unanswered === 0
    const text = `${JSON.stringify({ ...said, id: request.id, ...(isLast && { isLast }) })}\n`
    if (isLast) {
      // who comes from now on starts another host, which looks for a browser with the eyes of its own time
      server.close()
      socket.end(text, () => void close())
      return
    }
    if (!socket.destroyed) socket.write(text)
    idle = doze()
  }

  async function respond(request: Request): Promise<Omit<Response, 'id'>> {
    if (request.do === 'status') return status()
    if (request.do === 'stop') return stop(request.session)
    const call = callOf(request.verb, request.args)
    if (!call.ok) return { ...failureAnswer(call.error), isWrongUse: true }
    const { session: name, format, picture } = request.options
    const session = await sessionFor(request.options, call.value.name)
    if (!session.ok) return failureAnswer(session.error)
    if (call.value.name === 'evaluate' && !sessions.get(name)?.options.allowEval) return failureAnswer(noEval(name))
    const said = await session.data.talk(call.value, {
      ...(format !== undefined && { format: format as SnapshotFormat }),
      ...(picture && { saveScreenshot: false }),
    })
    return {
      ...said,
      text: flagged(said.text, call.value),
      ...(said.picture && { picture: withoutBytes(said.picture, picture) }),
    } as Answer
  }

  function sessionFor(options: Options, verb: string): Promise<Result<Live>> {
    const known = sessions.get(options.session)
    if (known && wantsOther(options, known.options))
      return Promise.resolve({ ok: false, error: otherFlags(options.session, flagWords(sessionFlags, { ...known.options })) })
    if (known) return known.opening
    if (verb !== 'open' && verb !== 'tabs' && options.attach === undefined)
      return Promise.resolve({ ok: false, error: notOpen(options.session) })
    const rules = rulesFrom(options)
    if (!rules.ok) return Promise.resolve(rules)
    const { policy, hosts } = rules.data
    const opening = open({ ...options, ...(hosts && { hosts }) }).then((opened): Result<Live> => {
      if (!opened.ok) {
        sessions.delete(options.session)
        return opened
      }
      const talking = { allowEval: options.allowEval ?? false, saveScreenshot: saveScreenshots(), spell: flagOf, ...(policy && { policy }) }
      return { ok: true, data: { ...opened.data, talk: createResponder(opened.data.run, talking) } }
    })
    sessions.set(options.session, { opening, options })
    return opening
  }

  async function end(name: string): Promise<void> {
    const session = await sessions.get(name)?.opening
    sessions.delete(name)
    if (session?.ok) await session.data.close()
  }

  async function stop(name: string | undefined): Promise<Omit<Response, 'id'>> {
    if (name === undefined) return { ok: true, text: `ok: stopped, ${sessions.size} session${sessions.size === 1 ? '' : 's'} closed` }
    if (!sessions.has(name)) return failureAnswer(notOpen(name))
    await end(name)
    return { ok: true, text: `ok: session ${name} closed` }
  }

  async function status(): Promise<Omit<Response, 'id'>> {
    const rows = await Promise.all(
      [...sessions].map(async ([name, { opening, options }]) => {
        const flags = flagWords(sessionFlags, { ...options })
        const session = await opening
        if (!session.ok) return { name, flags, text: session.error.code }
        const { text } = await session.data.talk({ name: 'status' })
        return { name, flags, text }
      }),
    )
    const lines = rows.map(({ name, flags, text }) => `session ${name}${flags && ` ${flags}`}\n${text}`)
    return { ok: true, text: [`host ${version} pid ${process.pid}, ${rows.length} sessions`, ...lines].join('\n'), sessions: rows }
  }

  return { close, closed }
}

/** who does not speak our language is no client of ours */
function requestIn(line: string): Request | undefined {
  try {
    const request = JSON.parse(line) as Request | null
    if (request?.do === 'status' || request?.do === 'stop') return request
    return request?.do === 'verb' && typeof request.options?.session === 'string' ? request : undefined
  } catch {
    return undefined
  }
}

const notOpen = (name: string): Failure => failure('not_running', `session ${name} has no page yet: pagehand open URL.`)
const otherFlags = (name: string, flags: string): Failure =>
  failure(
    'invalid_input',
    `session ${name} is open ${flags ? `with ${flags}` : 'without flags'}, and keeps to that: pagehand stop --session ${name}, then open it with others.`,
  )
const noEval = (name: string): Failure =>
  failure(
    'disabled',
    `session ${name} is open without --allow-eval, and keeps to that: pagehand stop --session ${name}, then open it with --allow-eval.`,
  )
/** a flag that is not given stays as it is */
const wantsOther = (asked: Options, known: Options): boolean =>
  Object.entries(sessionFlags).some(
    ([field, taken]) =>
      asked[field as keyof Options] !== undefined &&
      flagWords({ [field]: taken }, { ...asked }) !== flagWords({ [field]: taken }, { ...known }),
  )
/** a flag may be longer than the word it stands for; the budget comes first */
function flagged(text: string, call: ParsedCommand): string {
  const said = withFlags(text, pageFlags)
  return said.length > Math.max(text.length, 'maxChars' in call ? call.maxChars : verbs[call.name].chars) ? text : said
}
const flagOf = (field: string): string => `--${kebab(field)}`
const withoutBytes = ({ base64, ...rest }: SavedScreenshot, wanted: boolean | undefined) => (wanted ? { ...rest, base64 } : rest)

/** Listens, also where a host that was killed has left its socket behind; a pipe of Windows goes with its host. */
async function listen(server: ReturnType<typeof createServer>, path: string, { isFile }: { isFile: boolean }): Promise<boolean> {
  const tried = await new Promise<NodeJS.ErrnoException | null>(resolve => {
    server.once('error', resolve)
    server.listen(path, () => resolve(null))
  })
  if (tried === null) return true
  if (tried.code !== 'EADDRINUSE') throw tried
  if (!isFile || (await answers(path))) return false
  rmSync(path, { force: true })
  return listen(server, path, { isFile })
}

const answers = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
