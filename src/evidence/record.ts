import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScreenshotData } from '../contract/results.ts'
import type { Layer } from '../contract/run.ts'
import { type EvidenceSink, evidence, type StepEvent, typedMark } from '../layers/evidence.ts'
import { renderSnapshot } from '../render/text/render.ts'
import type { SavedScreenshot } from '../surfaces/respond/responder.ts'
import type { Toolbox } from '../surfaces/tools/tool.ts'
import { openLog } from './log.ts'
import { writeIndex, writeReport } from './runs.ts'
import { plain } from './screenshots.ts'
import { scrubbing } from './scrub.ts'
import type { RunOutcome } from './summary.ts'
import { recordTools } from './tools.ts'

export interface RecordOptions {
  /** what the run is about; a part of its name */
  readonly label?: string
  /** strings that must never be written, such as the key of a model */
  readonly secrets?: readonly string[]
}

/** A run and the evidence of it, in a folder of its own. */
export interface EvidenceRecord {
  /** where everything is: events.jsonl, frames/, snapshots/, and at the end meta.json and report.html */
  readonly folder: string
  /** the name of the run: of its folder, and in each event */
  readonly run: string
  /** `wrap(session.run, record.layer)`: what can change something is written down, with a picture and a snapshot of what came of it */
  readonly layer: Layer
  /** `webTools(run, { saveScreenshot: record.saveScreenshot })`: screenshots that a model asks for become a part of the evidence */
  readonly saveScreenshot: (picture: SavedScreenshot, label: string | undefined) => Promise<string>
  /** the same tools; calls and answers are written down. What a call types is shown only where the layer has seen it on the page */
  tools<Result>(box: Toolbox<Result>): Toolbox<Result>
  /** something that had to be true, and whether it was */
  assert(says: string, held: boolean): Promise<void>
  /** writes meta.json and report.html, and the run into index.html beside the folder. Answers the path of the report */
  end(ended?: RunOutcome): Promise<string>
  /** ends it without any last words, where nobody has ended it */
  [Symbol.asyncDispose](): Promise<void>
}

/** Begins the record of a run in a new folder inside of `shelf`, which holds all runs and an index of them. */
export async function startRun(shelf: string, { label = '', secrets = [] }: RecordOptions = {}): Promise<EvidenceRecord> {
  const scrub = scrubbing(secrets)
  const run = nameOf(scrub.text(label))
  const folder = join(shelf, run)
  for (const each of [folder, join(folder, 'frames'), join(folder, 'snapshots')]) await mkdir(each, { recursive: true, mode: 0o700 })
  const log = await openLog(join(folder, 'events.jsonl'), { run, clean: scrub.value })
  await log.append({ type: 'run.started', ...(label && { label }) })

  const save = async (name: string, content: string | Uint8Array): Promise<string> => {
    // evidence that is there is never written over
    await writeFile(join(folder, name), content, { mode: 0o600, flag: 'wx' })
    return name
  }
  const frame = ({ mime, base64 }: Pick<ScreenshotData, 'mime' | 'base64'>, name: string) =>
    save(`frames/${name}.${mime === 'image/png' ? 'png' : 'jpg'}`, Buffer.from(base64, 'base64'))

  // the call that is going on, and what became of the words that it typed
  let current = { call: 0, typed: 0, shown: 0 }
  const witness: EvidenceSink = {
    hide: scrub.hide,
    note(event: StepEvent) {
      if (event.type === 'command' && Object.values(event.arguments).includes(typedMark)) current.typed++
      if (event.type === 'result' && event.arguments) current.shown++
      return log.append({ ...event, ...(current.call > 0 && { call: current.call }) })
    },
    async keep(step, seen) {
      const name = numbered(step)
      if ('picture' in seen) return [await frame(seen.picture, name)]
      const { text } = renderSnapshot(seen.snapshot)
      return [
        await save(`snapshots/${name}.txt`, `${scrub.text(text)}\n`),
        await save(`snapshots/${name}.json`, `${JSON.stringify(scrub.value(seen.snapshot))}\n`),
      ]
    },
  }

  const tools = recordTools({
    note(event) {
      const { type, call } = event
      if (type === 'tool.call') current = { call, typed: 0, shown: 0 }
      const noted = log.append(event)
      if (type === 'tool.result') current = { call: 0, typed: 0, shown: 0 }
      return noted
    },
    isShown: call => current.call === call && current.typed > 0 && current.shown === current.typed,
  })

  let pictures = 0
  let report: Promise<string> | undefined
  const end = (ended: RunOutcome = {}): Promise<string> => {
    report ??= (async () => {
      await log.append({ type: 'run.ended', ...ended }).catch(() => {
        // what was written before the disk was full is still worth a report
      })
      await log.close()
      const { file } = await writeReport(folder)
      await writeIndex(shelf).catch(() => {
        // the report does not depend on what else lies on the shelf
      })
      return file
    })()
    return report
  }
  return {
    folder,
    run,
    layer: evidence(witness),
    async saveScreenshot(picture, asked) {
      const file = await frame(picture, `shot-${numbered(++pictures)}${asked ? `-${plain(scrub.text(asked))}` : ''}`)
      await log.append({ type: 'picture', files: [file], ...(asked && { label: asked }), ...(current.call > 0 && { call: current.call }) })
      return join(folder, file)
    },
    tools,
    assert: (says, held) => log.append({ type: 'assertion', says, held }),
    end,
    async [Symbol.asyncDispose]() {
      await end()
    },
  }
}

const numbered = (number: number): string => String(number).padStart(3, '0')

/** sorts by time, reads as what it is, and is not there yet */
function nameOf(label: string): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  return [time, ...(label ? [plain(label)] : []), randomBytes(2).toString('hex')].join('-')
}
