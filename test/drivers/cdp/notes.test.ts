import { expect, test } from 'vitest'
import { Notes } from '../../../src/drivers/cdp/notes.ts'
import { noteLines } from '../../../src/render/text/effect.ts'

test('a flood of notes of one kind hides neither the other kinds nor a refused page (B4)', () => {
  const notes = new Notes()
  for (let n = 1; n <= 50; n++) notes.add(`Download ${n} was stopped.`, 'download')
  for (let n = 1; n <= 50; n++) notes.add(() => `Tab t${n} opened.`, 'tab')
  notes.add('The page went to a URL that is not allowed.', 'refused')
  const lines = noteLines(notes.take())
  expect(lines.slice(0, 3)).toEqual([
    'note: The page went to a URL that is not allowed.',
    'note: Tab t1 opened.',
    'note: Download 1 was stopped.',
  ])
  expect(lines.at(-1)).toMatch(/more$/)
  expect(notes.take()).toEqual([])
})
