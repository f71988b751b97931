import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenRunOptions, RunJournal } from '../contract/journal.ts'
import type { ScreenshotData } from '../contract/results.ts'
import type { Layer } from '../contract/run.ts'
import { type EvidenceSink, evidenceLayer } from '../layers/evidence.ts'
import { renderSnapshot } from '../render/text/render.ts'
import type { SavedScreenshot } from '../surfaces/respond/answer.ts'
import type { Toolbox } from '../surfaces/tools/tool.ts'
import { CallTracker } from './call-tracker.ts'
import { createJournal, openJournal } from './journal-files.ts'
import { toFileName } from './screenshots.ts'
import type { RunOutcome } from './summary.ts'
import { recordTools } from './tools.ts'

/**
 * How a run is recorded.
 *
 * @example
 * const options: RecordOptions = { label: 'checkout', secrets: [process.env.MODEL_KEY ?? 'none'] }
 */
export interface RecordOptions {
  /**
   * What the run is about; becomes a part of its name.
   * @default ''
   */
  readonly label?: string
  /**
   * Strings that must never be written, such as the key of a model. Each has at least four characters.
   * @default []
   */
  readonly secrets?: readonly string[]
}

/**
 * The record of one run, in its own folder.
 *
 * @example
 * await using record: EvidenceRecord = await startRun('evidence')
 * await record.assert('the cart is empty', items.length === 0)
 */
export interface EvidenceRecord {
  /** the folder with events.jsonl, frames/ and snapshots/, and at the end meta.json and report.html */
  readonly folder: string
  /** name of the run: the name of its folder, and a field of each event */
  readonly run: string
  /** the log behind the record */
  readonly journal: RunJournal
  /** `wrap(session.run, record.layer)` logs every command that can change something, and saves a screenshot and a snapshot after it */
  readonly layer: Layer
  /** `webTools(run, { saveScreenshot: record.saveScreenshot })` adds the screenshots that a model asks for to the evidence */
  readonly saveScreenshot: (screenshot: SavedScreenshot, label: string | undefined) => Promise<string>
  /** Returns the same tools, with calls and answers logged. Typed words are logged only if the layer has seen them on the page. */
  tools<Result>(box: Toolbox<Result>): Toolbox<Result>
  /** Logs a statement that had to be true, and whether it held. */
  assert(statement: string, held: boolean): Promise<void>
  /** Writes meta.json, report.html, and index.html in the folder of all runs. Returns the path of the report. */
  end(outcome?: RunOutcome): Promise<string>
  /** Ends the run without an outcome if it was not ended. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts the record of a run in a new folder inside `runsFolder`.
 *
 * @param runsFolder the folder of all runs; created if it does not exist
 * @example
 * await using session = await openSession()
 * const record = await startRun('evidence', { label: 'checkout' })
 * const tools = record.tools(webTools(wrap(session.run, record.layer), { saveScreenshot: record.saveScreenshot }))
 * await tools.execute('web_open', { url: 'https://example.org/' })
 * await record.end({ text: 'The page is open.' })
 */
export async function startRun(runsFolder: string, { label = '', secrets = [] }: RecordOptions = {}): Promise<EvidenceRecord> {
  return recordRun(await createJournal(runsFolder, { label, secrets }))
}

/**
 * Continues the record of a run that has not ended, such as one whose process was killed. Actions that were begun and have no result are
 * `outcome_unknown`: they are not repeated.
 *
 * @param run the name of the run
 * @example
 * const record = await resumeRun('evidence', '20260101T120000000Z-checkout-1a2b')
 * const run = wrap(session.run, record.layer)
 */
export async function resumeRun(runsFolder: string, run: string, options: OpenRunOptions = {}): Promise<EvidenceRecord> {
  return recordRun(await openJournal(runsFolder, run, options))
}

/**
 * The record of a run whose journal is open: the layer that makes an action happen at most once, and the evidence of what it did.
 *
 * @example
 * const journal = await fileRunStore().create({ label: 'checkout' })
 * const { layer } = recordRun(journal)
 * const run = wrap(session.run, layer)
 */
export function recordRun(journal: RunJournal): EvidenceRecord {
  const { folder, id: run } = journal
  const save = async (name: string, content: string | Uint8Array): Promise<string> => {
    // existing evidence is never overwritten
    await writeFile(join(folder, name), content, { mode: 0o600, flag: 'wx' })
    return name
  }
  const saveFrame = ({ mime, base64 }: Pick<ScreenshotData, 'mime' | 'base64'>, name: string) =>
    save(`frames/${name}.${mime === 'image/png' ? 'png' : 'jpg'}`, Buffer.from(base64, 'base64'))

  const calls = new CallTracker()
  const sink: EvidenceSink = {
    redact: words => journal.redact(words),
    slotOf: command => journal.slotOf(command),
    recorded: actionId => journal.action(actionId),
    write(event) {
      calls.onStep(event)
      return journal.append({ ...event, ...calls.field })
    },
    async saveCapture(step, capture) {
      if (!folder) return [] // a store without files keeps no captures
      const name = threeDigits(step)
      if ('screenshot' in capture) return [await saveFrame(capture.screenshot, name)]
      const { text } = renderSnapshot(capture.snapshot)
      return [
        await save(`snapshots/${name}.txt`, `${journal.scrub(text)}\n`),
        await save(`snapshots/${name}.json`, `${JSON.stringify(journal.scrub(capture.snapshot))}\n`),
      ]
    },
  }

  let screenshots = journal.events().filter(({ type }) => type === 'picture').length
  const saveScreenshot: EvidenceRecord['saveScreenshot'] = async (screenshot, shotLabel) => {
    const file = await saveFrame(
      screenshot,
      `shot-${threeDigits(++screenshots)}${shotLabel ? `-${toFileName(journal.scrub(shotLabel))}` : ''}`,
    )
    await journal.append({ type: 'picture', files: [file], ...(shotLabel && { label: shotLabel }), ...calls.field })
    return join(folder, file)
  }

  let ended: Promise<string> | undefined
  const end = (outcome: RunOutcome = {}): Promise<string> => {
    ended ??= journal.end({ ...outcome }).then(() => join(folder, 'report.html'))
    return ended
  }
  return {
    folder,
    run,
    journal,
    layer: evidenceLayer(sink),
    saveScreenshot,
    tools: recordTools({
      calls: journal.events().filter(({ type }) => type === 'tool.call').length,
      write(event) {
        calls.onToolEvent(event)
        return journal.append(event)
      },
      isShown: call => calls.isShown(call),
    }),
    assert: (statement, held) => journal.append({ type: 'assertion', says: statement, held }),
    end,
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
}

const threeDigits = (number: number): string => String(number).padStart(3, '0')
