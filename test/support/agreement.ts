import type { Line } from './outline.ts'
import type { Facts } from './outline-entry.ts'

/** A: hidden by CSS. B: clipped or off the page. C: generated, transformed or spaced by CSS. D: frames. E: unexplained. */
export type Class = 'A' | 'B' | 'C' | 'D' | 'E'

/** The differing lines of one element; one side may be missing. */
export interface Unlike {
  readonly at: number
  readonly live?: Line
  readonly parsed?: Line
}

export interface Difference extends Unlike {
  readonly why: Class
  /** the reason why a user does not see it, in a word; '' if that is not the reason */
  readonly unseen: string
}

/** Pairs lines by element, and several texts of one element in order. */
export function differences(live: readonly Line[], parsed: readonly Line[]): { common: number; unlike: Unlike[] } {
  const rest = new Map<string, Line[]>()
  for (const line of parsed) rest.set(keyOf(line), [...(rest.get(keyOf(line)) ?? []), line])
  const unlike: Unlike[] = []
  const unpaired: Line[] = []
  let common = 0
  for (const line of live) {
    const others = rest.get(keyOf(line)) ?? []
    const same = others.findIndex(other => isSame(line, other))
    if (same >= 0) {
      others.splice(same, 1)
      common++
    } else unpaired.push(line)
  }
  for (const line of unpaired) {
    const other = rest.get(keyOf(line))?.shift()
    unlike.push({ at: line.at, live: line, ...(other && { parsed: other }) })
  }
  for (const others of rest.values()) for (const line of others) unlike.push({ at: line.at, parsed: line })
  return { common, unlike }
}

const keyOf = ({ at, kind }: Line) => `${at} ${kind === 'text'}`
const isSame = (a: Line, b: Line) => a.tag === b.tag && a.role === b.role && fieldsUnlike(a, b).length === 0
const fieldsUnlike = (a: Line, b: Line) =>
  [...new Set([...Object.keys(a.says), ...Object.keys(b.says)])].filter(name => a.says[name] !== b.says[name])

interface Known {
  readonly factsAt: ReadonlyMap<number, Facts | null>
  /** the number of the last element below each */
  readonly last: readonly number[]
}

/** Explains each difference; a wrapper is explained if its content is. */
export function classify(unlike: readonly Unlike[], { factsAt, last }: Known): Difference[] {
  const direct = unlike.map(each => ({
    ...each,
    why: directly(each, factsAt.get(each.at) ?? null),
    unseen: factsAt.get(each.at)?.unseen ?? '',
  }))
  const explained = direct.filter(({ why }) => why !== 'E')
  return direct.map(each => {
    if (each.why !== 'E') return each
    const line = each.live ?? each.parsed
    const below = explained.find(({ at }) => at >= each.at && at <= (last[each.at] ?? each.at))
    // whether a list, an item or a heading has a line depends on the number of its children
    if (below && line?.kind === 'other' && !(each.live && each.parsed)) return { ...each, why: below.why }
    // a text that starts later because its first words are hidden
    const whole = line?.kind === 'text' && explained.find(({ parsed }) => parsed?.kind === 'text' && holds(parsed, line))
    return whole ? { ...each, why: whole.why } : each
  })
}

function directly({ live, parsed }: Unlike, facts: Facts | null): Class {
  if (live?.kind === 'frame' || parsed?.kind === 'frame') return 'D'
  if (!facts) return 'E'
  if (live && parsed) return ofWords(live, parsed, facts)
  if (!parsed) return 'E'
  return facts.hidden ? 'A' : facts.unseen ? 'B' : 'E'
}

function ofWords(live: Line, parsed: Line, facts: Facts): Class {
  const fields = fieldsUnlike(live, parsed)
  if (live.tag !== parsed.tag || live.role !== parsed.role || fields.some(name => !/^(name|text|hint)$/.test(name))) return 'E'
  const alike = fields.every(name => bare(live.says[name]) === bare(parsed.says[name]))
  if (alike) return 'C'
  // hiding can only shorten a text
  const fewer = fields.every(name => isPart(bare(live.says[name]), bare(parsed.says[name])))
  return facts.hiddenBelow && fewer ? 'A' : facts.generatedBelow ? 'C' : 'E'
}

const bare = (text = '') => text.replace(/\s+/g, '').toLowerCase()
/** whether the part is a subsequence of the whole */
function isPart(part: string, whole: string): boolean {
  let at = 0
  for (let i = 0; i < whole.length; i++) if (whole[i] === part[at]) at++
  return at >= part.length
}
const holds = (whole: Line, part: Line) => bare(whole.says.text).includes(bare(part.says.text))
