import { randomBytes } from 'node:crypto'
import { access, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { type Html, html, htmlPage, isGenerated } from './html.ts'
import { type LogContent, readLog } from './log.ts'
import { renderReport, seconds } from './report.ts'
import { type RunSummary, summaryOf } from './summary.ts'

/**
 * A report and what it was made from.
 *
 * @example
 * const { file, summary }: ReportFiles = await writeReport(record.folder)
 */
export interface ReportFiles {
  /** path of report.html */
  readonly file: string
  readonly summary: RunSummary
  readonly log: LogContent
}

/**
 * Writes meta.json and report.html of one run from its log, also of a run that was not ended. If the log differs from what an existing
 * meta.json says about it, that file is kept and the report shows the damage.
 *
 * @example
 * const { file, log } = await writeReport('evidence/20260101T120000000Z-checkout-1a2b')
 * if (log.damage) console.error(`${file}: ${log.damage.why}`)
 */
export async function writeReport(folder: string): Promise<ReportFiles> {
  const head = (await readSummary(folder))?.log
  const log = readLog(await readFile(join(folder, 'events.jsonl'), 'utf8'), head)
  if (log.events[0]?.type !== 'run.started')
    throw new Error(`${folder} is not the record of a run: its events.jsonl does not begin with run.started`)
  const summary = summaryOf(log.events, log.head)
  const file = join(folder, 'report.html')
  if (!log.damage) await replaceFile(join(folder, 'meta.json'), `${JSON.stringify(summary, null, 2)}\n`)
  await replaceFile(file, renderReport(summary, log))
  return { file, summary, log }
}

/** The folders of all runs, newest first: their names begin with the time. */
export async function listRuns(runsFolder: string): Promise<readonly string[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => join(runsFolder, name))
  const areRuns = await Promise.all(folders.map(isRun))
  return folders
    .filter((_, index) => areRuns[index])
    .sort()
    .reverse()
}

export const isRun = (folder: string): Promise<boolean> =>
  access(join(folder, 'events.jsonl')).then(
    () => true,
    () => false,
  )

/**
 * Writes index.html, a table of all runs in a folder. An index.html that pagehand did not write is not replaced.
 *
 * @example
 * await writeIndex('evidence')
 */
export async function writeIndex(runsFolder: string): Promise<void> {
  const file = join(runsFolder, 'index.html')
  const current = await readFile(file, 'utf8').catch(() => undefined)
  if (current !== undefined && !isGenerated(current)) return
  const rows = await Promise.all((await listRuns(runsFolder)).map(indexRow))
  const table = html`<table><thead><tr><th>Run</th><th>Started</th><th>Duration</th><th>Calls</th><th>Assertions</th></tr></thead><tbody>${rows}</tbody></table>`
  await replaceFile(file, htmlPage({ title: 'Runs', body: [html`<h1>Runs</h1><p class="soft">Newest first.</p>${table}`] }))
}

/** Readers see the old content or the new content, never a part of it. */
async function replaceFile(file: string, content: string): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, content, { mode: 0o600 })
  await rename(temporary, file)
}

async function indexRow(folder: string): Promise<Html> {
  const name = basename(folder)
  const summary = await readSummary(folder)
  if (!summary)
    return html`<tr><td><code>${name}</code></td><td colspan="4" class="soft">not ended: pagehand report writes its report</td></tr>`
  const {
    label,
    startedAt,
    durationMs,
    toolUses,
    toolFailures,
    assertions: { held, failed },
  } = summary
  const calls = Object.values(toolUses).reduce((sum, count) => sum + count, 0)
  const failures = toolFailures ? html` <span class="bad">(${toolFailures} failed)</span>` : undefined
  const assertions =
    held + failed === 0 ? undefined : html`<span class="${failed ? 'bad' : 'good'}">${held} of ${held + failed} held</span>`
  return html`<tr><td><a href="${encodeURIComponent(name)}/report.html">${label || html`<code>${name}</code>`}</a></td><td>${startedAt.replace('T', ' ').slice(0, 19)}</td><td>${seconds(durationMs)}</td><td>${calls}${failures}</td><td>${assertions}</td></tr>`
}

/** The content of meta.json; undefined if it is missing or invalid. */
export async function readSummary(folder: string): Promise<RunSummary | undefined> {
  try {
    const parsed = summarySchema.safeParse(JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    // a run that is still going on, or was killed, has none yet
    return undefined
  }
}

const summarySchema = z.looseObject({
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
