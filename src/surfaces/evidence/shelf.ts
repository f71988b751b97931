import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { document, escaped } from './html.ts'
import { type ReadLog, readLog } from './log.ts'
import { report, seconds } from './report.ts'
import { type Summary, summaryOf } from './summary.ts'

/** What a report was made of, and where it is. */
export interface Reported {
  readonly file: string
  readonly summary: Summary
  readonly log: ReadLog
}

/** Makes meta.json and report.html of one run from its log, also of a run that nobody ended, and the index of all runs beside it. */
export async function writeReport(folder: string): Promise<Reported> {
  const log = readLog(await readFile(join(folder, 'events.jsonl'), 'utf8'))
  const summary = summaryOf(log.events, log.head)
  const file = join(folder, 'report.html')
  await writeFile(join(folder, 'meta.json'), `${JSON.stringify(summary, null, 2)}\n`, { mode: 0o600 })
  await writeFile(file, report(summary, log), { mode: 0o600 })
  await writeIndex(dirname(resolve(folder)))
  return { file, summary, log }
}

/** The folders of runs in a shelf, the newest first: their names begin with the time. */
export async function runsIn(shelf: string): Promise<readonly string[]> {
  const entries = await readdir(shelf, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => join(shelf, name))
  const isRun = await Promise.all(folders.map(async folder => (await readdir(folder)).includes('events.jsonl')))
  return folders
    .filter((_, index) => isRun[index])
    .sort()
    .reverse()
}

async function writeIndex(shelf: string): Promise<void> {
  const rows = await Promise.all((await runsIn(shelf)).map(row))
  const table = `<table><thead><tr><th>Run</th><th>Began</th><th>Took</th><th>Calls</th><th>Assertions</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  const body = `<h1>Runs</h1><p class="soft">The newest first.</p>${table}`
  await writeFile(join(shelf, 'index.html'), document({ title: 'Runs', body }), { mode: 0o600 })
}

async function row(folder: string): Promise<string> {
  const name = escaped(basename(folder))
  const summary = await summaryIn(folder)
  if (!summary) return `<tr><td><code>${name}</code></td><td colspan="4" class="soft">not ended: pagehand report makes one</td></tr>`
  const {
    label,
    startedAt,
    durationMs,
    toolUses,
    toolFailures,
    assertions: { held, failed },
  } = summary
  const calls = Object.values(toolUses).reduce((sum, many) => sum + many, 0)
  return [
    `<tr><td><a href="${encodeURIComponent(basename(folder))}/report.html">${escaped(label) || `<code>${name}</code>`}</a></td>`,
    `<td>${escaped(startedAt.replace('T', ' ').slice(0, 19))}</td><td>${escaped(seconds(durationMs))}</td>`,
    `<td>${calls}${toolFailures ? ` <span class="bad">(${toolFailures} failed)</span>` : ''}</td>`,
    `<td>${held + failed === 0 ? '' : `<span class="${failed ? 'bad' : 'good'}">${held} of ${held + failed} held</span>`}</td></tr>`,
  ].join('')
}

async function summaryIn(folder: string): Promise<Summary | undefined> {
  try {
    const summary = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as Partial<Summary> | null
    return summary?.run === basename(folder) && summary.toolUses && summary.assertions ? (summary as Summary) : undefined
  } catch {
    // a run that goes on, or was killed, has none yet
    return undefined
  }
}
