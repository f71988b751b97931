import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { type ApprovalDecision, type ApprovalRecord, type ApprovalRequest, actionClasses, approvalScopes } from '../contract/approval.ts'
import type { LogEntry } from '../contract/journal.ts'
import { createExclusively } from './run-owner.ts'

// Requests and decisions of a run, as files that any process can read and create. What counts is in the log of the run: a request that is
// not in it does not exist, and a decision holds only for the request whose hash is in it.

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
const folderOf = (run: string) => join(run, 'approvals')
const requestFile = (run: string, id: string) => join(folderOf(run), `${id}.json`)
const decisionFile = (run: string, id: string) => join(folderOf(run), `${id}.decision.json`)
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Writes a request; returns its hash. */
export async function writeRequest(run: string, request: ApprovalRequest): Promise<string> {
  const text = JSON.stringify(request)
  await mkdir(folderOf(run), { recursive: true, mode: 0o700 })
  if (!(await createExclusively(requestFile(run, request.id), text))) throw new Error(`there is already a request ${request.id}`)
  return hashOf(text)
}

/** Writes a decision about the request as it is on disk. The first decision wins. */
export async function writeDecision(
  run: string,
  id: string,
  decision: ApprovalDecision,
): Promise<'decided' | 'already_decided' | 'unknown'> {
  const found = await readRequest(run, id)
  if (!found) return 'unknown'
  const { approved, scope, reason, by, at } = decision
  const content = { approved, scope, ...(reason !== undefined && { reason }), by, at, request: found.hash }
  decisionSchema.parse(content)
  return (await createExclusively(decisionFile(run, id), JSON.stringify(content))) ? 'decided' : 'already_decided'
}

export async function readRequest(
  run: string,
  id: string,
): Promise<{ readonly request: ApprovalRequest; readonly hash: string } | undefined> {
  if (!idForm.test(id)) return undefined
  const text = await readFile(requestFile(run, id), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = requestSchema.safeParse(parseJson(text))
  return parsed.success && parsed.data.id === id ? { request: parsed.data as unknown as ApprovalRequest, hash: hashOf(text) } : undefined
}

/** The decision about a request whose hash is known. A file that is not a decision, or is about another request, counts as none. */
export async function readDecision(run: string, id: string, hash: string): Promise<ApprovalDecision | undefined> {
  const text = await readFile(decisionFile(run, id), 'utf8').catch(() => undefined)
  const parsed = decisionSchema.safeParse(text === undefined ? undefined : parseJson(text))
  if (!parsed.success || parsed.data.request !== hash) return undefined
  const { request: _, reason, ...decision } = parsed.data
  return { ...decision, ...(reason !== undefined && { reason }) }
}

export const requestIds = async (run: string): Promise<readonly string[]> => {
  const names = await readdir(folderOf(run)).catch(() => []) // a run without requests has no such folder
  return names.flatMap(name => /^([a-z0-9]+)\.json$/.exec(name)?.[1] ?? [])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not written by pagehand
  }
}

/** The requests in the log of a run, with what became of them. */
export async function recordsOf(folder: string, events: readonly LogEntry[]): Promise<readonly ApprovalRecord[]> {
  const records: ApprovalRecord[] = []
  for (const event of events) {
    if (event.type !== 'approval.requested') continue
    const id = String(event.approval)
    const hash = String(event.requestHash)
    const found = await readRequest(folder, id)
    const logged = events.find(each => each.type === 'approval.decided' && each.approval === id)
    const decision = logged ? decisionIn(logged) : await readDecision(folder, id, hash)
    const isUsed = events.some(each => each.type === 'command' && each.approval === id)
    const isStale = events.some(each => each.type === 'approval.stale' && each.approval === id)
    // a request file that was changed after it was asked is not shown and cannot be decided
    if (!found || found.hash !== hash) continue
    records.push({
      request: found.request,
      state: isStale ? 'stale' : isUsed ? 'used' : decision ? (decision.approved ? 'approved' : 'denied') : 'pending',
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
