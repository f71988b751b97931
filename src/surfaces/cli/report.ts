import { parseArgs } from 'node:util'
import { messageOf } from '../../contract/error-message.ts'
import { isRun, type ReportFiles, runsIn, writeIndex, writeReport } from '../../evidence/runs.ts'

export const reportHelp = `pagehand report FOLDER   Make the report of recorded runs, and check their logs

  FOLDER    what was given to pagehand mcp --evidence or to openRecord: all runs in it; or the folder of one run
  --json    one JSON object on standard output

Writes meta.json and report.html of each run, also of one that was killed, and index.html of all runs.
Where a log differs from what its meta.json says of it, that is told, and meta.json stays.
Exit codes: 0 done, 1 a log was changed after it was written, or there is nothing to report, 2 wrong use.
`

/** `pagehand report` */
export async function report(given: readonly string[]): Promise<number> {
  const asked = read(given)
  if (typeof asked === 'string') return wrongUse(asked)
  const { folder } = asked
  const isOne = await isRun(folder)
  // a folder that is not there has no runs in it
  const runs = isOne ? [folder] : await runsIn(folder).catch(() => [])
  if (runs.length === 0) return failed(`there is no run in ${folder}: name the folder that was given to --evidence`)
  const reports: ReportFiles[] = []
  const others: string[] = []
  for (const run of runs)
    await writeReport(run).then(
      made => reports.push(made),
      error => others.push(messageOf(error)),
    )
  if (!isOne && reports.length > 0) await writeIndex(folder)
  const isWhole = others.length === 0 && reports.every(({ log }) => log.damage === undefined)
  const text = asked.json ? JSON.stringify({ ok: isWhole, runs: reports.map(json), others }) : reports.map(line).join('\n')
  if (text !== '') await new Promise(done => process.stdout.write(`${text}\n`, done))
  for (const other of others) failed(other)
  return isWhole ? 0 : 1
}

function read(given: readonly string[]): { folder: string; json: boolean } | string {
  try {
    const { positionals, values } = parseArgs({ args: [...given], allowPositionals: true, options: { json: { type: 'boolean' } } })
    const [folder, ...others] = positionals
    return folder === undefined || others.length > 0 ? 'name one folder' : { folder, json: values.json ?? false }
  } catch (error) {
    return messageOf(error)
  }
}

function line({ file, summary, log: { events, torn, damage } }: ReportFiles): string {
  const state = damage ? `damaged from line ${damage.line} on: ${damage.why}` : `${events.length} events, none changed`
  const end = summary.endedAt === undefined ? ', not ended' : ''
  return `${file}   ${state}${torn ? ', the last line was not finished' : ''}${end}`
}

const json = ({ file, summary, log: { torn, damage } }: ReportFiles) => ({ report: file, torn, ...(damage && { damage }), ...summary })

function wrongUse(why: string): number {
  process.stderr.write(`pagehand: ${why.replace(/\.$/, '')}. Run: pagehand help report\n`)
  return 2
}

function failed(why: string): number {
  process.stderr.write(`pagehand: ${why}.\n`)
  return 1
}
