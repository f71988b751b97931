import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { approvalScopes, type Grant, type GrantStore } from '../contract/approval.ts'
import type { LogContent, RunInfo, RunStore } from '../contract/journal.ts'
import { quoted, say } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import type { AbortSignalLike } from '../contract/run.ts'
import { createPrivateFolder, homeFolder } from '../home/private-folder.ts'
import { approvalFiles, readRequest, recordsOf, requestsIn, writeDecision } from './approval-texts.ts'
import { createJournal, openJournal, readText, runFolder } from './journal-files.ts'
import { readLog } from './log.ts'
import { createExclusively, isOwned } from './run-owner.ts'
import { listRuns, readSummary } from './runs.ts'
import { runFactsOf } from './summary.ts'

/**
 * Options of `fileRunStore`.
 *
 * @example
 * const options: RunStoreOptions = { folder: 'runs' }
 */
export interface RunStoreOptions {
  /** The folder of all runs. @default `runs` in the folder of the user: `PAGEHAND_HOME`, or that of the platform */
  readonly folder?: string
  /** The folder of all grants. @default `grants` beside the folder of runs */
  readonly grants?: string
}

/** The folder of all runs; by default that of the user. */
export const runsFolder = (folder?: string): string => folder ?? createPrivateFolder(join(createPrivateFolder(homeFolder()), 'runs'))

/**
 * Stores runs as folders, with their logs, screenshots, requests and decisions.
 *
 * @example
 * const store = fileRunStore()
 * const [newest] = await store.list()
 * for (const { request } of await store.approvals({ pending: true })) console.log(request.id, request.classes, request.url)
 */
export function fileRunStore({ folder, grants }: RunStoreOptions = {}): RunStore {
  const runs = () => runsFolder(folder)
  const grantsFolder = () => grants ?? (folder === undefined ? createPrivateFolder(join(homeFolder(), 'grants')) : join(folder, 'grants'))
  const allRuns = () => listRuns(runs()).catch(() => [])

  const findRequest = async (id: string) => {
    for (const run of await allRuns()) if (await readRequest(approvalFiles(run), id)) return approvalFiles(run)
    return undefined
  }
  const contentOf = async (id: string): Promise<LogContent> => {
    const at = runFolder(runs(), id)
    return readLog(await readText(at, id), (await readSummary(at))?.log)
  }

  return {
    create: run => createJournal(runs(), run),
    open: (id, options) => openJournal(runs(), id, options),
    read: contentOf,
    list: async () => Promise.all((await allRuns()).map(at => infoOf(at))),
    async approvals({ run, pending } = {}) {
      const folders = run === undefined ? await allRuns() : [runFolder(runs(), run)]
      const records = await Promise.all(
        folders.map(async at => recordsOf(approvalFiles(at), readLog(await readText(at, basename(at)).catch(() => '')).events)),
      )
      return records.flat().filter(({ state }) => !pending || state === 'pending')
    },
    async decide(id, decision) {
      const texts = await findRequest(id)
      return texts ? writeDecision(texts, id, decision) : 'unknown'
    },
    async decision(id, signal) {
      const texts = await findRequest(id)
      if (!texts) throw new PagehandError('invalid_input', say`There is no request ${quoted(id)}.`)
      for (;;) {
        const decision = await requestsIn(texts).decision(id)
        if (decision) return decision
        await pause(pollMs, signal)
      }
    },
    grants: fileGrants(grantsFolder),
  }
}

const pollMs = 200

function pause(ms: number, signal: AbortSignalLike | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new PagehandError('aborted', say`The wait for a decision was stopped; the request stays open.`))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener?.('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener?.('abort', abort)
  })
}

async function infoOf(folder: string): Promise<RunInfo> {
  const id = basename(folder)
  const { events, damage } = readLog(await readText(folder, id).catch(() => ''), (await readSummary(folder))?.log)
  const facts = runFactsOf(events)
  const records = await recordsOf(approvalFiles(folder), events)
  return {
    id,
    ...facts,
    state: damage ? 'damaged' : facts.endedAt !== undefined ? 'ended' : (await isOwned(folder)) ? 'running' : 'parked',
    pendingApprovals: records.filter(({ state }) => state === 'pending').length,
  }
}

const grantSchema = z.strictObject({
  id: z.string(),
  rule: z.string().min(1),
  scope: z.enum(approvalScopes).exclude(['once']),
  run: z.string().optional(),
  createdAt: z.string(),
  by: z.string(),
})

/** One file per grant, so that two processes can add and revoke at the same time. */
function fileGrants(folder: () => string): GrantStore {
  const fileOf = (id: string) => join(folder(), `${id}.json`)
  return {
    async list() {
      const names = (await readdir(folder()).catch(() => [])).filter(name => /^g[a-f0-9]+\.json$/.test(name))
      const grants = await Promise.all(names.map(name => readGrant(join(folder(), name))))
      return grants.flatMap(each => each ?? []).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    },
    async add(given) {
      const grant = grantSchema.parse({ ...given, id: `g${randomBytes(4).toString('hex')}`, createdAt: new Date().toISOString() }) as Grant
      await mkdir(folder(), { recursive: true, mode: 0o700 })
      await createExclusively(fileOf(grant.id), JSON.stringify(grant))
      return grant
    },
    async revoke(id) {
      if (!/^g[a-f0-9]+$/.test(id)) return false
      return rm(fileOf(id)).then(
        () => true,
        () => false,
      )
    },
  }
}

/** A file that is not a grant allows nothing. */
async function readGrant(file: string): Promise<Grant | undefined> {
  try {
    const parsed = grantSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return parsed.success ? (parsed.data as Grant) : undefined
  } catch {
    return undefined
  }
}
