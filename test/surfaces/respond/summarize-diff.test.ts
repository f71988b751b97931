import { expect, test } from 'vitest'
import type { FittedDiff } from '../../../src/render/diff/diff.ts'
import type { DiffEntry } from '../../../src/render/diff/entries.ts'
import { numberedRefs, plainRefs } from '../../../src/render/text/dialect.ts'
import { summarizeDiff, summaryLines } from '../../../src/surfaces/respond/summarize-diff.ts'

const entry = (kind: DiffEntry['kind'], number: number, more: Partial<DiffEntry> = {}): DiffEntry => ({
  kind,
  ref: `e${number}`,
  label: `button "${number}"`,
  detail: '',
  ...more,
})
const vanished = (count: number) => Array.from({ length: count }, (_, index) => entry('vanished', index + 1))
const diffOf = (entries: readonly DiffEntry[], omitted: Partial<FittedDiff['omitted']> = {}): FittedDiff => ({
  entries,
  omitted: { changed: 0, appeared: 0, vanished: 0, ...omitted },
  truncated: Object.keys(omitted).length > 0,
})
const linesOf = (diff: FittedDiff, ref?: string) => summaryLines(summarizeDiff(diff, ref), plainRefs)

test('four vanished elements are listed, of five the last two are counted', () => {
  expect(linesOf(diffOf(vanished(4)))).toHaveLength(4)
  expect(linesOf(diffOf(vanished(5))).slice(3)).toEqual(['… 2 more vanished'])
})

test('vanished elements without room are counted with those that are not listed', () => {
  expect(linesOf(diffOf(vanished(5), { vanished: 50 })).slice(3)).toEqual(['… 52 more vanished'])
  expect(linesOf(diffOf(vanished(5), { appeared: 7, vanished: 50 })).slice(3)).toEqual([
    '… more: 7 appeared: take a snapshot',
    '… 52 more vanished',
  ])
  expect(linesOf(diffOf(vanished(1), { vanished: 50 })).slice(1)).toEqual(['… more: 50 vanished: take a snapshot'])
})

test('a focus that was lost, or that is on the element of the action, is not reported', () => {
  const diff = diffOf([
    entry('changed', 1, { detail: ' no longer [focused]', focus: 'lost' }),
    entry('changed', 2, { detail: ' now [focused]', focus: 'gained' }),
  ])
  expect(linesOf(diff, 'e2')).toEqual([])
  expect(linesOf(diff)).toEqual(['~ button "2" [ref=e2] now [focused]'])
})

test('a value that changed is reported even if the field lost the focus', () => {
  const diff = diffOf([entry('changed', 1, { detail: ' value: "" → "a", no longer [focused]' })])
  expect(linesOf(diff)).toEqual(['~ button "1" [ref=e1] value: "" → "a", no longer [focused]'])
})

test('the lines have the refs of the caller, and a remark stays before the counts', () => {
  const summary = summarizeDiff({ ...diffOf(vanished(5)), remark: { kind: 'behindDialog', count: 3, dialog: 'e9' } }, undefined)
  expect(summaryLines(summary, numberedRefs)).toEqual([
    'gone: [1] button "1"',
    'gone: [2] button "2"',
    'gone: [3] button "3"',
    '… 3 behind the dialog [9] now',
    '… 2 more vanished',
  ])
})
