import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { formatRecording, parseRecording, type Recording, recordingOf } from '../agent/recording.ts'
import { describeReplay, type ReplayedStep } from '../agent/recording-replay.ts'
import { replayRun } from '../agent/replay-run.ts'
import { toSkill } from '../agent/skill.ts'
import { type ActionClass, actionClasses } from '../contract/approval.ts'
import { messageOf } from '../contract/error-message.ts'
import { toSentence } from '../contract/text.ts'
import { fileRunStore } from '../evidence/run-store.ts'
import { parseClasses, readPolicy } from '../surfaces/cli/agent/options.ts'
import { exitCodes } from '../surfaces/cli/agent/print-events.ts'
import { askAtTerminal } from '../surfaces/cli/agent/run-agent.ts'
import { reasonOf } from '../surfaces/cli/reason.ts'
import { recordHelp, recordOptions, replayHelp, replayOptions } from '../surfaces/cli/recordings.ts'
import { readStandardInput } from '../surfaces/cli/standard-input.ts'
import { parseOptions } from '../surfaces/flags/parse-options.ts'
import type { BrowserFlags } from '../surfaces/flags/session-flags.ts'
import { stderr, stdout } from '../surfaces/terminal.ts'
import { openFor } from './open-session.ts'

/** `pagehand record` and `pagehand replay`; the first word says which. */
export async function run([what, ...words]: readonly string[]): Promise<number> {
  try {
    return what === 'record' ? await record(words) : await repeat(words)
  } catch (error) {
    return printError(messageOf(error))
  }
}

async function record(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) return print(recordHelp)
  const parsed = parseOptions(words, recordOptions)
  if (!parsed.ok) return usageError(parsed.why, 'record')
  const [id, ...others] = parsed.positionals
  if (id === undefined || others.length > 0) return usageError('name one run; pagehand runs lists them', 'record')
  const { out, evidence, asSkill } = parsed.options as { out?: string; evidence?: string; asSkill?: string }
  const recording = recordingOf(await fileRunStore(evidence === undefined ? {} : { folder: evidence }).read(id))
  if (recording.steps.length === 0) return printError(`the run ${id} contains no action that can be repeated`)
  if (asSkill !== undefined) return print(await writeSkill(asSkill, recording))
  if (out === undefined) return print(formatRecording(recording))
  await writeFile(out, formatRecording(recording), { mode: 0o600 })
  return print(`${out}: ${recording.steps.length} steps\n`)
}

type ReplayFlags = BrowserFlags & {
  readonly set?: readonly string[]
  readonly json?: boolean
  readonly yes?: readonly string[]
  readonly approvals?: string
  readonly evidence?: string
}

/** Replaces `-` by a line of standard input each: arguments are visible to every user in `ps`. A message if there are too few lines. */
async function withStandardInput(set: { readonly [name: string]: string }): Promise<{ readonly [name: string]: string } | string> {
  const names = Object.keys(set).filter(name => set[name] === '-')
  if (names.length === 0) return set
  const lines = (await readStandardInput()).split(/\r?\n/)
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length
  if (last < names.length) return `standard input has ${last} of the ${names.length} lines for ${names.join(', ')}`
  return { ...set, ...Object.fromEntries(names.map((name, at) => [name, lines[at] as string])) }
}

/** A folder with SKILL.md and the recording beside it. */
async function writeSkill(folder: string, recording: Recording): Promise<string> {
  const file = 'recording.json'
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), formatRecording(recording), { mode: 0o600 })
  await writeFile(join(folder, 'SKILL.md'), toSkill(recording, { name: basename(folder), file }), { mode: 0o600 })
  return `${join(folder, 'SKILL.md')}: ${recording.steps.length} steps\n`
}

async function repeat(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) return print(replayHelp)
  const parsed = parseOptions(words, replayOptions)
  if (!parsed.ok) return usageError(parsed.why, 'replay')
  const [file, ...others] = parsed.positionals
  if (file === undefined || others.length > 0) return usageError('name one recording', 'replay')
  const { set: given = [], json, yes, approvals, evidence, ...browser } = parsed.options as ReplayFlags
  const classes = parseClasses('--yes', yes)
  if (typeof classes === 'string') return usageError(classes, 'replay')
  const policy = readPolicy(approvals, { sites: undefined, yes: classes })
  if (typeof policy === 'string') return usageError(policy, 'replay')
  const wrong = given.find(each => !/^[\w-]+=/.test(each))
  if (wrong !== undefined) return usageError(`--set takes NAME=VALUE, not ${wrong}`, 'replay')
  const set = await withStandardInput(
    Object.fromEntries(given.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)])),
  )
  if (typeof set === 'string') return usageError(set, 'replay')
  const text = await readFile(file, 'utf8').catch((error: unknown) => ({ why: reasonOf(error) }))
  if (typeof text === 'object') return printError(`cannot read ${file}: ${text.why}. pagehand record RUN --out FILE writes a recording`)
  const recording = parseRecording(text)
  const known = [...Object.keys(recording.parameters), ...recording.secrets]
  const unknown = Object.keys(set).find(each => !known.includes(each))
  if (unknown !== undefined) return usageError(`the recording has no parameter ${unknown}; it has ${known.join(', ') || 'none'}`, 'replay')
  const missing = recording.secrets.filter(each => set[each] === undefined)
  if (missing.length > 0)
    return usageError(
      `the recording needs ${missing.map(each => `--set ${each}=-`).join(' ')}: each reads one line of standard input`,
      'replay',
    )
  const opened = await openFor('replay')({ ...browser, folder: process.cwd() })
  if (!opened.ok) return printError(`${opened.error.message} ${opened.error.hint}`)
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  const onStep = ({ step, did, healed }: ReplayedStep) => {
    if (!json) stderr.write(`${step}. ${did}${healed ? ` (healed: ${healed})` : ''}\n`)
  }
  try {
    const isAttended = process.stdin.isTTY === true && stderr.isTTY === true
    const result = await replayRun(recording, opened.data.run, {
      set,
      signal: controller.signal,
      onStep,
      store: fileRunStore(evidence === undefined ? {} : { folder: evidence }),
      approvals: { ...(isAttended && { approve: askAtTerminal(evidence, { canWait: false }) }), ...(policy && { policy }) },
    })
    await print(json ? `${JSON.stringify(result)}\n` : `${describeReplay(result)}\n`)
    if (!json) stderr.write(`report: ${result.report}\n`)
    if (!json && result.asks)
      stderr.write(
        `pagehand: ${isAttended ? '' : 'run it in a terminal to be asked, or '}approve in advance: --yes ${allAsks(recording, result.asks).join(',')}\n`,
      )
    if (controller.signal.aborted) return exitCodes.aborted
    return result.ok ? 0 : result.asks ? exitCodes.needs_approval : 1
  } finally {
    process.off('SIGINT', stop)
    await opened.data.close()
  }
}

/** What this step asks about, and what later steps will. */
const allAsks = ({ asks }: Recording, now: readonly ActionClass[]): readonly ActionClass[] =>
  actionClasses.filter(each => each !== 'read' && (asks.includes(each) || now.includes(each)))

const print = (text: string): Promise<number> => new Promise(done => stdout.write(text, () => done(0)))

function usageError(why: string, about: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help ${about}\n`)
  return 2
}

function printError(why: string): number {
  stderr.write(`pagehand: ${toSentence(why)}\n`)
  return 1
}
