import type { Failure } from '../../contract/failures.ts'
import { renderDefaults } from '../../contract/limits.ts'
import { type ParsedSnapshot, parseSnapshot } from '../decode/snapshot.ts'
import { isFailure, limits } from '../text/options.ts'
import { quote } from '../text/quote.ts'
import { renderFailure } from '../text/render.ts'
import { changeOf, type Told, told } from './entries.ts'

export interface DiffOptions {
  readonly maxCharsTotal?: number
}

export interface SnapshotDiff {
  readonly text: string
  /** refs that are there now and were not before, and so on; also those for which the text had no room */
  readonly appeared: readonly string[]
  readonly vanished: readonly string[]
  readonly changed: readonly string[]
  readonly truncated: boolean
  readonly error?: Failure
}

export const diffDefaults = { maxCharsTotal: 1_500 } as const

/** What is different between two snapshots (JSON or parsed), elements matched by ref and texts by what they say. Never throws. */
export function diffSnapshots(before: unknown, after: unknown, options: DiffOptions = {}): SnapshotDiff {
  const whole = limits({ ...diffDefaults, ...options })
  if (isFailure(whole)) return refused(whole, renderDefaults.maxCharsTotal)
  const [old, now] = [parseSnapshot(before), parseSnapshot(after)]
  if (!old.ok) return refused(old.error, whole.maxCharsTotal)
  if (!now.ok) return refused(now.error, whole.maxCharsTotal)
  return written(old, now, whole.maxCharsTotal)
}

function refused(error: Failure, maxChars: number): SnapshotDiff {
  return { text: renderFailure(error, maxChars), appeared: [], vanished: [], changed: [], truncated: false, error }
}

function written(old: ParsedSnapshot, now: ParsedSnapshot, maxChars: number): SnapshotDiff {
  const [past, present] = [told(old), told(now)]
  const before = new Map(past.map(each => [each.key, each]))
  const changes = present.flatMap(({ key, ref, view, place }) => {
    const was = before.get(key)
    const says = was && ref ? changeOf(was.view, view, place) : ''
    return says && ref ? [{ ref, line: `~ ${says}` }] : []
  })
  // a dialog that opens hides the page, and one that closes shows it again: nothing came or went for that
  const opened = now.meta.dialog !== undefined && now.meta.dialog !== old.meta.dialog && (now.stats.omitted?.inert ?? 0) > 0
  const closed = old.meta.dialog !== undefined && now.meta.dialog === undefined && (old.stats.omitted?.inert ?? 0) > 0
  const came = without(present, past)
  const went = without(past, present)
  const appeared = closed ? came.filter(({ view }) => view.new) : came
  const vanished = opened ? [] : went
  const groups = [
    { word: 'changed', lines: changes.map(({ line }) => line) },
    { word: 'appeared', lines: appeared.map(({ line, place }) => `+ ${line}${place}`) },
    { word: 'vanished', lines: vanished.map(({ line, place }) => `- ${line}${place}`) },
  ]
  const { text, truncated } = fitted(headerOf(old, now, maxChars), groups, {
    maxChars,
    note: opened
      ? `\n… ${went.length} behind the dialog ${now.meta.dialog} now`
      : closed
        ? `\n… ${came.length - appeared.length} in reach again`
        : doubt(old, now, vanished.length),
  })
  const refsOf = (each: readonly Told[]) => each.flatMap(({ ref }) => ref ?? [])
  return { text, appeared: refsOf(appeared), vanished: refsOf(vanished), changed: changes.map(({ ref }) => ref), truncated }
}

type Group = { readonly word: string; readonly lines: readonly string[] }

function headerOf({ meta: old }: ParsedSnapshot, { meta: now }: ParsedSnapshot, maxChars: number): string {
  const most = Math.min(200, Math.floor(maxChars / 16))
  const turned = (word: string, was: string, is: string) => (was === is ? '' : ` ${word}=${quote(was, most)} → ${quote(is, most)}`)
  const url = turned('url', old.url, now.url) || ` url=${quote(now.url, most)}`
  return `[diff]${url}${maxChars < 400 ? '' : turned('title', old.title, now.title)}`
}

// a page that was cut shows less than there is, so what is missing need not be gone
function doubt({ stats: old }: ParsedSnapshot, { stats: now }: ParsedSnapshot, vanished: number): string {
  return now.truncated && vanished > 0 && !old.truncated ? '\n… the later snapshot was cut: what vanished may still be there' : ''
}

function fitted(header: string, groups: readonly Group[], { maxChars, note }: { maxChars: number; note: string }) {
  const counts = groups.flatMap(({ word, lines }) => (lines.length > 0 ? `${word}=${lines.length}` : []))
  const head = `${header} ${counts.join(' ') || 'no change'}`
  const all = groups.flatMap(({ lines }) => lines)
  const whole = [head, ...all].join('\n') + note
  if (whole.length <= maxChars) return { text: whole, truncated: false }
  const footerRoom = 70
  const lines: string[] = []
  let used = head.length + footerRoom
  const left = groups.map(({ word, lines: given }) => {
    const fits = given.filter(line => {
      if (used + line.length + 1 > maxChars) return false
      used += line.length + 1
      lines.push(line)
      return true
    })
    return { word, many: given.length - fits.length }
  })
  const more = left.flatMap(({ word, many }) => (many > 0 ? `${many} ${word}` : [])).join(', ')
  return { text: [head, ...lines, `… more: ${more}: take a snapshot`].join('\n'), truncated: true }
}

/** those of one side that have no partner on the other, one for one */
function without(side: readonly Told[], other: readonly Told[]): readonly Told[] {
  const partners = new Map<string, number>()
  for (const { key } of other) partners.set(key, (partners.get(key) ?? 0) + 1)
  return side.filter(({ key }) => {
    const many = partners.get(key) ?? 0
    partners.set(key, many - 1)
    return many <= 0
  })
}
