import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Picture } from '../../contract/results.ts'
import type { Layer } from '../../contract/run.ts'
import { evidence, type StepEvent, type Witness } from '../../layers/evidence.ts'
import { renderSnapshot } from '../../render/render.ts'
import type { Kept } from '../talk.ts'
import type { Toolbox } from '../tool.ts'
import { openLog } from './log.ts'
import { plain } from './pictures.ts'
import { scrubbing } from './scrub.ts'
import { writeReport } from './shelf.ts'
import type { Ended } from './summary.ts'
import { recorded } from './tools.ts'

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
  /** `webTools(run, { keep: record.keep })`: screenshots that a model asks for become a part of the evidence */
  readonly keep: (picture: Kept, label: string | undefined) => Promise<string>
  /** the same tools; calls and answers are written down */
  tools<Result>(box: Toolbox<Result>): Toolbox<Result>
  /** something that had to be true, and whether it was */
  assert(says: string, held: boolean): Promise<void>
  /** writes meta.json and report.html, and the run into index.html beside the folder. Answers the path of the report */
  end(ended?: Ended): Promise<string>
}

/** Begins the record of a run in a new folder inside of `shelf`, which holds all runs and an index of them. */
export async function openRecord(shelf: string, { label = '', secrets = [] }: RecordOptions = {}): Promise<EvidenceRecord> {
  const scrub = scrubbing(secrets)
  const run = nameOf(scrub.text(label))
  const folder = join(shelf, run)
  for (const each of [folder, join(folder, 'frames'), join(folder, 'snapshots')]) await mkdir(each, { recursive: true, mode: 0o700 })
  const log = await openLog(join(folder, 'events.jsonl'), { run, write: scrub.json })
  await log.append({ type: 'run.started', ...(label && { label }) })

  const save = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), content, { mode: 0o600 })
    return name
  }
  const frame = ({ mime, base64 }: Pick<Picture, 'mime' | 'base64'>, name: string) =>
    save(`frames/${name}.${mime === 'image/png' ? 'png' : 'jpg'}`, Buffer.from(base64, 'base64'))

  // commands of the call that is going on, whose words the page has not shown
  let unseen = 0
  const witness: Witness = {
    hide: scrub.hide,
    note(event: StepEvent) {
      if (event.type === 'command' && Object.values(event.arguments).includes('[typed]')) unseen++
      if (event.type === 'result' && event.arguments) unseen--
      return log.append(event)
    },
    async keep(step, seen) {
      const name = numbered(step)
      if ('picture' in seen) return [await frame(seen.picture, name)]
      const { text } = renderSnapshot(seen.snapshot)
      return [
        await save(`snapshots/${name}.txt`, `${scrub.text(text)}\n`),
        await save(`snapshots/${name}.json`, `${scrub.json(seen.snapshot)}\n`),
      ]
    },
  }

  let pictures = 0
  let report: Promise<string> | undefined
  return {
    folder,
    run,
    layer: evidence(witness),
    async keep(picture, asked) {
      const file = await frame(picture, `shot-${numbered(++pictures)}${asked ? `-${plain(scrub.text(asked))}` : ''}`)
      await log.append({ type: 'picture', files: [file], ...(asked && { label: asked }) })
      return join(folder, file)
    },
    tools: box =>
      recorded(box, {
        note: log.append,
        isOpen: () => {
          const isOpen = unseen === 0
          unseen = 0
          return isOpen
        },
      }),
    assert: (says, held) => log.append({ type: 'assertion', says, held }),
    end(ended = {}) {
      report ??= (async () => {
        await log.append({ type: 'run.ended', ...ended }).catch(() => {
          // what was written before the disk was full is still worth a report
        })
        await log.close()
        return (await writeReport(folder)).file
      })()
      return report
    },
  }
}

const numbered = (number: number): string => String(number).padStart(3, '0')

/** sorts by time, reads as what it is, and is not there yet */
function nameOf(label: string): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  return [time, ...(label ? [plain(label)] : []), randomBytes(2).toString('hex')].join('-')
}
