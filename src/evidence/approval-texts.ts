import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import {
  type ApprovalDecision,
  type ApprovalRecord,
  type ApprovalRequest,
  actionClasses,
  approvalScopes,
  staleReasons,
} from '../contract/approval.ts'
import type { LogEntry } from '../contract/journal.ts'
import { createExclusively } from './run-owner.ts'

/**
 * The requests of a run, as any process sees and decides them.
 *
 * @example
 * const outcome = await requestsIn(texts).decide(id, { approved: true, scope: 'once', by: 'ann', at: new Date().toISOString() })
 */
export interface RunRequests {
  /** The requests in the log of the run, with what became of them. */
  records(events: readonly LogEntry[]): Promise<readonly ApprovalRecord[]>
  /** The first decision wins. */
  decide(id: string, decision: ApprovalDecision): Promise<'decided' | 'already_decided' | 'unknown'>
  /** The decision about a request, or undefined before there is one. */
  decision(id: string): Promise<ApprovalDecision | undefined>
}

/**
 * The requests whose texts are kept somewhere, such as in a table.
 *
 * @example
 * const records = await requestsIn(texts).records(events)
 */
export const requestsIn = (texts: ApprovalTexts): RunRequests => ({
  records: events => recordsOf(texts, events),
  decide: (id, decision) => writeDecision(texts, id, decision),
  async decision(id) {
    const found = await readRequest(texts, id)
    return found && readDecision(texts, id, found.hash)
  },
})

/**
 * Where the requests and decisions of a run are kept, so that any process can read and create them. The log of the run is authoritative: a
 * request that is not in it does not exist, and a decision holds only for the request whose hash is in it.
 *
 * @example
 * const isDecided = async (texts: ApprovalTexts, id: string) => (await texts.read(id, 'decision')) !== undefined
 */
export interface ApprovalTexts {
  /** undefined for an unknown id */
  read(id: string, kind: 'request' | 'decision'): Promise<string | undefined>
  /** Resolves when the text is durable; false if there is one already. */
  create(id: string, kind: 'request' | 'decision', text: string): Promise<boolean>
}

/** In the folder of a run. */
export function approvalFiles(run: string): ApprovalTexts {
  const folder = join(run, 'approvals')
  const fileOf = (id: string, kind: 'request' | 'decision') => join(folder, kind === 'request' ? `${id}.json` : `${id}.decision.json`)
  return {
    read: (id, kind) => readFile(fileOf(id, kind), 'utf8').catch(() => undefined),
    async create(id, kind, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return createExclusively(fileOf(id, kind), text)
    },
  }
}

const decisionSchema = z.strictObject({
  approved: z.boolean(),
  scope: z.enum(approvalScopes),
  reason: z.string().max(1_000).optional(),
  by: z.string().min(1).max(200),
  at: z.string().min(1).max(40),
  /** hash of the request that the person saw */
  request: z.string(),
})

const requestSchema = z.looseObject({
  id: z.string(),
  run: z.string(),
  actionId: z.string(),
  commandHash: z.string(),
  command: z.looseObject({ name: z.string() }),
  classes: z.array(z.enum(actionClasses)),
  origin: z.string(),
})

const idForm = /^[a-z0-9]{4,40}$/
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Writes a request; returns its hash. */
export async function writeRequest(texts: ApprovalTexts, request: ApprovalRequest): Promise<string> {
  const text = JSON.stringify(request)
  if (!(await texts.create(request.id, 'request', text))) throw new Error(`there is already a request ${request.id}`)
  return hashOf(text)
}

/** Writes a decision about the request as it is stored. The first decision wins. */
export async function writeDecision(
  texts: ApprovalTexts,
  id: string,
  decision: ApprovalDecision,
): Promise<'decided' | 'already_decided' | 'unknown'> {
  const found = await readRequest(texts, id)
  if (!found) return 'unknown'
  const { approved, scope, reason, by, at } = decision
  const content = { approved, scope, ...(reason !== undefined && { reason }), by, at, request: found.hash }
  decisionSchema.parse(content)
  return (await texts.create(id, 'decision', JSON.stringify(content))) ? 'decided' : 'already_decided'
}

export async function readRequest(
  texts: ApprovalTexts,
  id: string,
): Promise<{ readonly request: ApprovalRequest; readonly hash: string } | undefined> {
  if (!idForm.test(id)) return undefined
  const text = await texts.read(id, 'request')
  if (text === undefined) return undefined
  const parsed = requestSchema.safeParse(parseJson(text))
  return parsed.success && parsed.data.id === id ? { request: parsed.data as unknown as ApprovalRequest, hash: hashOf(text) } : undefined
}

/** The decision about a request whose hash is known. A text that is not a decision, or is about another request, counts as none. */
export async function readDecision(texts: ApprovalTexts, id: string, hash: string): Promise<ApprovalDecision | undefined> {
  const text = await texts.read(id, 'decision')
  const parsed = decisionSchema.safeParse(text === undefined ? undefined : parseJson(text))
  if (!parsed.success || parsed.data.request !== hash) return undefined
  const { request: _, reason, ...decision } = parsed.data
  return { ...decision, ...(reason !== undefined && { reason }) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not written by pagehand
  }
}

/** The requests in the log of a run, with what became of them. */
export async function recordsOf(texts: ApprovalTexts, events: readonly LogEntry[]): Promise<readonly ApprovalRecord[]> {
  const records: ApprovalRecord[] = []
  // nobody can use an answer any more
  const isOver = events.some(({ type }) => type === 'run.ended')
  let turn: unknown
  for (const event of events) {
    if (event.type === 'agent.turn') turn = event.step
    if (event.type !== 'approval.requested') continue
    const id = String(event.approval)
    const hash = String(event.requestHash)
    const found = await readRequest(texts, id)
    const logged = events.find(each => each.type === 'approval.decided' && each.approval === id)
    const decision = logged ? decisionIn(logged) : await readDecision(texts, id, hash)
    // logs of earlier versions have the use in the intent of the action only
    const isUsed = events.some(each => (each.type === 'approval.used' || each.type === 'command') && each.approval === id)
    const ended = events.find(each => each.type === 'approval.stale' && each.approval === id)
    const isStale = ended !== undefined && !isUsed
    // a request that was changed after it was asked is not shown and cannot be decided
    if (!found || found.hash !== hash) continue
    const state = isStale
      ? 'stale'
      : isUsed
        ? 'used'
        : decision
          ? decision.approved
            ? 'approved'
            : 'denied'
          : isOver
            ? 'stale'
            : 'pending'
    records.push({
      request: found.request,
      state,
      ...(state === 'stale' && { staleBecause: staleReasons.find(each => each === ended?.because) ?? (ended ? 'page' : 'run') }),
      ...(typeof turn === 'number' && { turn }),
      ...(decision && { decision }),
    })
  }
  return records
}

const decisionIn = ({ approved, scope, reason, by, decidedAt }: LogEntry): ApprovalDecision => ({
  approved: approved === true,
  scope: approvalScopes.find(each => each === scope) ?? 'once',
  ...(typeof reason === 'string' && { reason }),
  by: String(by),
  at: String(decidedAt),
})
