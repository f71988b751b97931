import { minChars } from '../../contract/limits.ts'
import type { Snapshot } from '../../contract/snapshot.ts'
import { cut } from '../../contract/text.ts'
import type { RankedResult } from '../../render/rank/ranked.ts'
import { note } from '../../render/text/dialect.ts'
import { renderSnapshot } from '../../render/text/render.ts'
import type { ResponseContext } from './context.ts'

/**
 * The lines of a page, the content before the navigation; undefined if there is no room for them. Of a page that is too long, half of the
 * room is for the controls that match the task, wherever they are: that saves the model a call to find them.
 */
export async function describePage(snapshot: Snapshot, room: number, context: ResponseContext): Promise<readonly string[] | undefined> {
  if (room < minChars) return undefined
  const whole = render(snapshot, room, context)
  if (whole.error) return undefined
  const { truncated, stats } = whole
  if (truncated || stats.nodesOmitted > 0 || stats.nodesFolded > 0) {
    const matches = await findForTask(context, Math.floor(room / 2))
    const shown = render(snapshot, room - matches.reduce((sum, { line }) => sum + line.length + 1, matchesTitle.length + 1), context)
    const known = new Set(shown.refs)
    const more = matches.filter(({ ref }) => !known.has(ref))
    if (more.length > 0 && !shown.error) return [...linesOf(shown.text), matchesTitle, ...more.map(({ line }) => line)]
  }
  return linesOf(whole.text)
}

const matchesTitle = 'elsewhere on the page, for your task:'

function render(snapshot: Snapshot, room: number, { options, dialect }: ResponseContext) {
  const format = options.format === 'json' ? 'tree' : (options.format ?? 'tree')
  return renderSnapshot(snapshot, { maxCharsTotal: Math.max(minChars, room), header: false, summary: true, format }, dialect)
}

const linesOf = (text: string): readonly string[] => (text === '' ? [note('nothing to operate or read')] : text.split('\n'))

interface TaskMatch {
  readonly ref: string
  readonly line: string
}

/** The controls of the whole page that match the task of the model, the best first. */
async function findForTask({ run, options, request }: ResponseContext, maxChars: number): Promise<readonly TaskMatch[]> {
  // the parts of a URL are in many names
  const task = (options.task ?? '').replace(/\bhttps?:\/\/\S+/g, ' ')
  if (task.trim() === '' || maxChars < minChars) return []
  const result = await run({ name: 'observe', task: cut(task, 2_000), offset: 0, maxChars }, request.signal)
  if (!result.ok) return []
  const { text, refs, matching } = result.data as RankedResult
  // one line per control, below the header
  const lines = text.split('\n').filter((line, index) => index > 0 && !line.startsWith('…'))
  return refs.slice(0, matching).flatMap((ref, index) => (lines[index] === undefined ? [] : [{ ref, line: lines[index] }]))
}
