import { randomBytes } from 'node:crypto'
import { access, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { document, escaped, isOurs } from './html.ts'
import { type ReadLog, readLog } from './log.ts'
import { report, seconds } from './report.ts'
import { type RunSummary, summaryOf } from './summary.ts'

/** What a report was made of, and where it is. */
export interface ReportFiles {
  readonly file: string
  readonly summary: RunSummary
  readonly log: ReadLog
}

/**
 * Makes meta.json and report.html of one run from its log, also of a run that nobody ended. A meta.json that is there knows how the log
 * ended: where that has changed it stays, and the report says so.
 */
export async function writeReport(folder: string): Promise<ReportFiles> {
  const known = (await summaryIn(folder))?.log
  const log = readLog(await readFile(join(folder, 'events.jsonl'), 'utf8'), known)
  if (log.events[0]?.type !== 'run.started') throw new Error(`${folder} is no record of a run: events.jsonl does not begin as one`)
  const summary = summaryOf(log.events, log.head)
  const file = join(folder, 'report.html')
  if (!log.damage) await replace(join(folder, 'meta.json'), `${JSON.stringify(summary, null, 2)}\n`)
  await replace(file, report(summary, log))
  return { file, summary, log }
}

/** The folders of runs in a shelf, the newest first: their names begin with the time. */
export async function listRuns(shelf: string): Promise<readonly string[]> {
  const entries = await readdir(shelf, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => join(shelf, name))
  const are = await Promise.all(folders.map(isRun))
  return folders
    .filter((_, index) => are[index])
    .sort()
    .reverse()
}

export const isRun = (folder: string): Promise<boolean> =>
  access(join(folder, 'events.jsonl')).then(
    () => true,
    () => false,
  )

/** index.html of a shelf. One that somebody else has made stays as it is. */
export async function writeIndex(shelf: string): Promise<void> {
  const file = join(shelf, 'index.html')
  const is = await readFile(file, 'utf8').catch(() => undefined)
  if (is !== undefined && !isOurs(is)) return
  const rows = await Promise.all((await listRuns(shelf)).map(row))
  const table = `<table><thead><tr><th>Run</th><th>Began</th><th>Took</th><th>Calls</th><th>Assertions</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  await replace(file, document({ title: 'Runs', body: `<h1>Runs</h1><p class="soft">The newest first.</p>${table}` }))
}

/** who reads it meanwhile sees the old one or the new one, and never half of it */
async function replace(file: string, content: string): Promise<void> {
  const beside = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(beside, content, { mode: 0o600 })
  await rename(beside, file)
}

async function row(folder: string): Promise<string> {
  const name = escaped(basename(folder))
  const found = await summaryIn(folder)
  if (!found) return `<tr><td><code>${name}</code></td><td colspan="4" class="soft">not ended: pagehand report makes one</td></tr>`
  const {
    label,
    startedAt,
    durationMs,
    toolUses,
    toolFailures,
    assertions: { held, failed },
  } = found
  const calls = Object.values(toolUses).reduce((sum, many) => sum + many, 0)
  return [
    `<tr><td><a href="${encodeURIComponent(basename(folder))}/report.html">${escaped(label) || `<code>${name}</code>`}</a></td>`,
    `<td>${escaped(startedAt.replace('T', ' ').slice(0, 19))}</td><td>${escaped(seconds(durationMs))}</td>`,
    `<td>${calls}${toolFailures ? ` <span class="bad">(${toolFailures} failed)</span>` : ''}</td>`,
    `<td>${held + failed === 0 ? '' : `<span class="${failed ? 'bad' : 'good'}">${held} of ${held + failed} held</span>`}</td></tr>`,
  ].join('')
}

/** what meta.json says, where it is one of ours */
async function summaryIn(folder: string): Promise<RunSummary | undefined> {
  try {
    const read = summary.safeParse(JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')))
    return read.success ? read.data : undefined
  } catch {
    // a run that goes on, or was killed, has none yet
    return undefined
  }
}

const summary = z.looseObject({
  run: z.string(),
  label: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  toolUses: z.record(z.string(), z.number()),
  toolFailures: z.number(),
  commands: z.number(),
  assertions: z.object({ held: z.number(), failed: z.number() }),
  log: z.object({ events: z.number(), head: z.string() }),
})
