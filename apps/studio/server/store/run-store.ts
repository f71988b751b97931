import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import {
  type ApprovalTexts,
  continueJournal,
  type JournalStorage,
  lineFile,
  type RunInfo,
  type RunStore,
  readLog,
  requestsIn,
  runFactsOf,
  startJournal,
  writeReport,
} from 'pagehand/evidence'
import type { Database } from './database.ts'
import { sqlGrants } from './grant-store.ts'
import * as schema from './schema.ts'

/**
 * The logs of runs with their requests, decisions and grants, in tables. Each line is committed before what it announces is done, and then
 * copied to events.jsonl beside the screenshots, so that the folder of a run can be read without the database.
 *
 * @param folder the folder of all runs
 * @param onFrame called with the screenshot that was taken after an action, as its path in the folder of the run
 */
export function sqlRunStore(db: Database, folder: string, onFrame?: (run: string, file: string) => void): RunStore {
  const taken = new Set<string>()
  const decided = new EventTarget()

  const textOf = async (run: string): Promise<string> => {
    const rows = await db
      .select({ line: schema.runEvent.line })
      .from(schema.runEvent)
      .where(eq(schema.runEvent.run, run))
      .orderBy(schema.runEvent.seq)
    return rows.map(({ line }) => `${line}\n`).join('')
  }
  const textsOf = (run: string): ApprovalTexts => sqlTexts(db, run)
  const runOf = async (approval: string): Promise<string | undefined> =>
    (await db.select({ run: schema.approval.run }).from(schema.approval).where(eq(schema.approval.id, approval)))[0]?.run

  const take = (run: string): void => {
    if (taken.has(run)) throw failure('run_in_use', 'this studio works on the run.')
    taken.add(run)
  }
  const storageOf = async (run: string, key: Uint8Array, flags: 'ax' | 'a'): Promise<JournalStorage> => {
    const at = join(folder, run)
    const copy = await lineFile(join(at, 'events.jsonl'), flags)
    return {
      folder: at,
      key,
      approvals: textsOf(run),
      lines: {
        async write(line, entry) {
          const { seq, type } = entry
          await db.insert(schema.runEvent).values({ run, seq, type, line, hash: createHash('sha256').update(line).digest('hex') })
          await copy.write(line, entry)
          const frame = type === 'evidence' && frameIn(line)
          if (frame) onFrame?.(run, frame)
        },
        close: () => copy.close(),
      },
      removeKey: async () => void (await db.update(schema.journal).set({ key: null }).where(eq(schema.journal.id, run))),
      release: async () => void taken.delete(run),
      report: async () => void (await writeReport(at)),
    }
  }

  const infoOf = async (id: string): Promise<RunInfo> => {
    const { events, damage } = readLog(await textOf(id))
    const facts = runFactsOf(events)
    const records = await requestsIn(textsOf(id)).records(events)
    return {
      id,
      ...facts,
      state: damage ? 'damaged' : facts.endedAt !== undefined ? 'ended' : taken.has(id) ? 'running' : 'parked',
      pendingApprovals: records.filter(({ state }) => state === 'pending').length,
    }
  }

  return {
    create: run =>
      startJournal(async (id, key) => {
        for (const each of ['frames', 'snapshots']) await mkdir(join(folder, id, each), { recursive: true, mode: 0o700 })
        await db.insert(schema.journal).values({ id, key: Buffer.from(key).toString('hex') })
        take(id)
        return storageOf(id, key, 'ax')
      }, run),

    async open(id, options) {
      const [row] = await db.select().from(schema.journal).where(eq(schema.journal.id, id))
      if (!row) throw failure('run_not_found', 'there is no such run.')
      take(id)
      try {
        const text = await textOf(id)
        // a process that was killed may have committed a line without copying it
        await writeFile(join(folder, id, 'events.jsonl'), text, { mode: 0o600, flush: true })
        const storage = await storageOf(id, Buffer.from(row.key ?? '', 'hex'), 'a')
        return await continueJournal({ id, storage, text }, options).catch(async (error: unknown) => {
          await storage.lines.close()
          throw error
        })
      } catch (error) {
        taken.delete(id)
        throw error
      }
    },

    async read(id) {
      const text = await textOf(id)
      if (text === '') throw failure('run_not_found', 'there is no such run.')
      return readLog(text)
    },

    async list() {
      const rows = await db.select().from(schema.journal).orderBy(desc(schema.journal.started))
      return Promise.all(rows.map(({ id }) => infoOf(id)))
    },

    async approvals({ run, pending } = {}) {
      const rows = await db
        .selectDistinct({ run: schema.approval.run })
        .from(schema.approval)
        .where(and(run === undefined ? undefined : eq(schema.approval.run, run), pending ? isNull(schema.approval.decision) : undefined))
      const records = await Promise.all(
        rows.map(async each => requestsIn(textsOf(each.run)).records(readLog(await textOf(each.run)).events)),
      )
      return records.flat().filter(({ state }) => !pending || state === 'pending')
    },

    async decide(id, decision) {
      const run = await runOf(id)
      if (run === undefined) return 'unknown'
      const outcome = await requestsIn(textsOf(run)).decide(id, decision)
      decided.dispatchEvent(new Event(id))
      return outcome
    },

    async decision(id, signal) {
      const run = await runOf(id)
      if (run === undefined) throw failure('invalid_input', 'there is no such request.')
      for (;;) {
        const next = nextEvent(decided, id, signal)
        const decision = await requestsIn(textsOf(run)).decision(id)
        if (decision) {
          next.cancel()
          return decision
        }
        await next.promise
      }
    },

    grants: sqlGrants(db),
  }
}

/** The requests and decisions of a run; the first decision wins. */
function sqlTexts(db: Database, run: string): ApprovalTexts {
  const { approval } = schema
  const isThis = (id: string) => and(eq(approval.id, id), eq(approval.run, run))
  return {
    async read(id, kind) {
      const [row] = await db.select({ text: approval[kind] }).from(approval).where(isThis(id))
      return row?.text ?? undefined
    },
    async create(id, kind, text) {
      const rows =
        kind === 'request'
          ? await db.insert(approval).values({ id, run, request: text }).onConflictDoNothing().returning({ id: approval.id })
          : await db
              .update(approval)
              .set({ decision: text, decided: sql`now()` })
              .where(and(isThis(id), isNull(approval.decision)))
              .returning({ id: approval.id })
      return rows.length > 0
    },
  }
}

/** The screenshot that a line about evidence names. */
const frameIn = (line: string): string | undefined =>
  (JSON.parse(line) as { readonly files?: readonly string[] }).files?.find(file => file.startsWith('frames/'))

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** The next event of a name; rejects if the signal is aborted first. */
function nextEvent(
  target: EventTarget,
  name: string,
  signal: Parameters<RunStore['decision']>[1],
): { readonly promise: Promise<void>; cancel(): void } {
  let cancel = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    const onEvent = () => {
      cancel()
      resolve()
    }
    const onAbort = () => {
      cancel()
      reject(failure('aborted', 'the wait for a decision was stopped; the request stays open.'))
    }
    cancel = () => {
      target.removeEventListener(name, onEvent)
      signal?.removeEventListener?.('abort', onAbort)
    }
    target.addEventListener(name, onEvent)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener?.('abort', onAbort)
  })
  // the caller may have its answer before it waits
  promise.catch(() => {})
  return { promise, cancel }
}
