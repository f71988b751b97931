import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewRun, OpenRunOptions, RunJournal } from '../contract/journal.ts'
import { quoted, say } from '../contract/message.ts'
import { PagehandError } from '../contract/pagehand-error.ts'
import { approvalFiles } from './approval-texts.ts'
import { continueJournal, type JournalStorage, startJournal } from './journal.ts'
import { dropTornLine, lineFile, readLog } from './log.ts'
import { claimRun } from './run-owner.ts'
import { readSummary, writeIndex, writeReport } from './runs.ts'

const logFile = (folder: string) => join(folder, 'events.jsonl')
const keyFile = (folder: string) => join(folder, 'run.key')

/** Starts a run in a new folder inside `runsFolder`. */
export function createJournal(runsFolder: string, run: NewRun = {}): Promise<RunJournal> {
  return startJournal(async (id, key) => {
    const folder = join(runsFolder, id)
    for (const each of [folder, join(folder, 'frames'), join(folder, 'snapshots')]) await mkdir(each, { recursive: true, mode: 0o700 })
    const release = await claimRun(folder)
    await writeFile(keyFile(folder), key, { mode: 0o600, flag: 'wx', flush: true })
    return { ...filesOf(runsFolder, folder), key, lines: await lineFile(logFile(folder), 'ax'), release }
  }, run)
}

/** Opens a run that has not ended: verifies its chain, drops a torn last line and takes it for this process. */
export async function openJournal(runsFolder: string, id: string, options: OpenRunOptions = {}): Promise<RunJournal> {
  const folder = runFolder(runsFolder, id)
  await readText(folder, id)
  const release = await claimRun(folder)
  try {
    // read after the run was taken: the last owner may have written until then
    const text = await readText(folder, id)
    const known = (await readSummary(folder))?.log
    const key = await readFile(keyFile(folder)).catch(() => Buffer.alloc(0)) // a run that has ended has none
    // a damaged log stays as it is
    if (!readLog(text, known).damage) await dropTornLine(logFile(folder), text)
    const lines = await lineFile(logFile(folder), 'a')
    const storage = { ...filesOf(runsFolder, folder), key, lines, release }
    return await continueJournal({ id, storage, text, ...(known && { known }) }, options).catch(async (error: unknown) => {
      await lines.close()
      throw error
    })
  } catch (error) {
    await release()
    throw error
  }
}

const filesOf = (runsFolder: string, folder: string): Pick<JournalStorage, 'folder' | 'approvals' | 'removeKey' | 'report'> => ({
  folder,
  approvals: approvalFiles(folder),
  removeKey: () => rm(keyFile(folder), { force: true }),
  async report() {
    await writeReport(folder)
    await writeIndex(runsFolder).catch(() => {
      // the report does not depend on the other runs
    })
  },
})

/** The folder of a run; fails with `run_not_found` if the name could not be that of one. */
export function runFolder(runsFolder: string, id: string): string {
  if (!/^[\p{L}\p{N}_-]{1,120}$/u.test(id)) throw notFound(id)
  return join(runsFolder, id)
}

const notFound = (id: string) => new PagehandError('run_not_found', say`There is no run ${quoted(id)}.`)

export const readText = (folder: string, id: string): Promise<string> =>
  readFile(logFile(folder), 'utf8').catch(() => {
    throw notFound(id)
  })
