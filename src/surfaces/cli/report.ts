import { messageOf } from '../../contract/error-message.ts'
import { toSentence } from '../../contract/text.ts'
import { isRun, listRuns, type ReportFiles, writeIndex, writeReport } from '../../evidence/runs.ts'
import { parseOptions } from '../flags/parse-options.ts'
import { stderr, stdout } from '../terminal.ts'

export const reportHelp = `pagehand report FOLDER   Write the reports of recorded runs and verify their logs

  FOLDER   the folder given to pagehand mcp --evidence or to startRun, which contains the runs; or the folder of one run
  --json   print one JSON object

Writes meta.json and report.html of each run, also of a run that was killed, and index.html of all runs.
If a log differs from what its meta.json says, that is reported and meta.json is not changed.

Exit codes: 0 success, 1 a log was changed after it was written, or there is no run, 2 usage error.
`

/** `pagehand report` */
export async function report(words: readonly string[]): Promise<number> {
  const parsed = parseOptions(words, { json: { type: 'boolean' } })
  if (!parsed.ok) return usageError(parsed.why)
  const [folder, ...others] = parsed.positionals
  if (folder === undefined || others.length > 0) return usageError('name one folder')
  const isSingle = await isRun(folder)
  // a folder that does not exist contains no runs
  const runs = isSingle ? [folder] : await listRuns(folder).catch(() => [])
  if (runs.length === 0) return printError(`there is no run in ${folder}: name the folder that was given to --evidence`)
  const reports: ReportFiles[] = []
  const errors: string[] = []
  for (const run of runs)
    await writeReport(run).then(
      files => reports.push(files),
      error => errors.push(messageOf(error)),
    )
  if (!isSingle && reports.length > 0) await writeIndex(folder)
  const isIntact = errors.length === 0 && reports.every(({ log }) => log.damage === undefined)
  const text =
    parsed.options.json === true
      ? JSON.stringify({ ok: isIntact, runs: reports.map(toJson), others: errors })
      : reports.map(toLine).join('\n')
  if (text !== '') await new Promise<void>(done => stdout.write(`${text}\n`, done))
  for (const error of errors) printError(error)
  return isIntact ? 0 : 1
}

function toLine({ file, summary, log: { events, torn, damage } }: ReportFiles): string {
  const state = damage ? `damaged from line ${damage.line} on: ${damage.why}` : `${events.length} events, log intact`
  const end = summary.endedAt === undefined ? ', the run did not end' : ''
  return `${file}   ${state}${torn ? ', the last line is incomplete' : ''}${end}`
}

const toJson = ({ file, summary, log: { torn, damage } }: ReportFiles) => ({ report: file, torn, ...(damage && { damage }), ...summary })

function usageError(why: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help report\n`)
  return 2
}

function printError(why: string): number {
  stderr.write(`pagehand: ${toSentence(why)}\n`)
  return 1
}
