import { minChars } from '../../contract/limits.ts'
import type { Snapshot } from '../../contract/snapshot.ts'
import { cut } from '../../contract/text.ts'
import type { RankedResult } from '../../render/rank/ranked.ts'
import { note } from '../../render/text/dialect.ts'
import { renderSnapshot } from '../../render/text/render.ts'
import type { ResponseContext } from './context.ts'

/**
 * The lines of a page, the content before the navigation; undefined if there is no room for them. Of a page that is too long, a part of the
 * room is for the controls and the texts that match the task, wherever they are: that saves the model a call to find them.
 */
export async function describePage(snapshot: Snapshot, room: number, context: ResponseContext): Promise<readonly string[] | undefined> {
  if (room < minChars) return undefined
  const whole = render(snapshot, room, context)
  if (whole.error) return undefined
  const { truncated, stats } = whole
  if (truncated || stats.nodesOmitted > 0 || stats.nodesFolded > 0) {
    const matches = await findForTask(context, Math.floor(room / 2))
    const passages = await readForTask(context, Math.floor(room / 6))
    const shown = render(snapshot, room - lengthOf([matchesTitle, ...matches.map(({ line }) => line), passagesTitle, ...passages]), context)
    const known = new Set(shown.refs)
    const more = matches.flatMap(({ ref, line }) => (known.has(ref) ? [] : [line]))
    const words = passages.filter(line => !shown.text.includes(line))
    if ((more.length > 0 || words.length > 0) && !shown.error)
      return [...linesOf(shown.text), ...titled(matchesTitle, more), ...titled(passagesTitle, words)]
  }
  return linesOf(whole.text)
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0)
const titled = (title: string, lines: readonly string[]): readonly string[] => (lines.length > 0 ? [title, ...lines] : [])
const passagesTitle = 'texts on the page, for your task:'
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

/** The task of the model, without the parts of URLs, which are in many names. */
const wordsOf = ({ options }: ResponseContext): string => cut((options.task ?? '').replace(/\bhttps?:\/\/\S+/g, ' '), 2_000).trim()

/** The controls of the whole page that match the task of the model, the best first. */
async function findForTask(context: ResponseContext, maxChars: number): Promise<readonly TaskMatch[]> {
  const task = wordsOf(context)
  if (task === '' || maxChars < minChars) return []
  const result = await context.run({ name: 'observe', task, offset: 0, maxChars }, context.request.signal)
  if (!result.ok) return []
  const { refs, matching } = result.data as RankedResult
  // one line per control, below the header
  const lines = rankedLines(result.data as RankedResult)
  return refs.slice(0, matching).flatMap((ref, index) => (lines[index] === undefined ? [] : [{ ref, line: lines[index] }]))
}

/** the most texts that are given beside the controls */
const maxPassages = 2

/** The texts of the whole page that match the task best. */
async function readForTask(context: ResponseContext, maxChars: number): Promise<readonly string[]> {
  const query = wordsOf(context)
  if (query === '' || maxChars < minChars) return []
  const result = await context.run({ name: 'extract', query, offset: 0, maxChars }, context.request.signal)
  if (!result.ok) return []
  const { matching } = result.data as RankedResult
  return rankedLines(result.data as RankedResult)
    .filter(line => line.startsWith('- '))
    .slice(0, Math.min(matching, maxPassages))
}

const rankedLines = ({ text }: RankedResult): readonly string[] =>
  text.split('\n').filter((line, index) => index > 0 && !line.startsWith('…'))
