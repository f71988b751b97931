import { describe, expect, test } from 'vitest'
import {
  advise,
  adviseLarger,
  adviseOption,
  commandDialect,
  createDialect,
  numberedRefs,
  plainRefs,
  rendererDialect,
} from '../../../src/render/text/dialect.ts'
import { renderSnapshot } from '../../../src/render/text/render.ts'
import { htmlDialect, sessionDialect } from '../../../src/surfaces/cli/dialect.ts'
import { page, type Sketch } from '../page.ts'

const upperCase = createDialect({
  spell: name => (name === 'scope' ? undefined : name.toUpperCase()),
  instead: (name, value) => `no ${name} ${value}`,
})

describe('a dialect', () => {
  test('spells an option with and without its value', () => {
    expect(upperCase.option('after', 'e5')).toBe('AFTER=e5')
    expect(upperCase.option('maxNodes')).toBe('MAXNODES')
    expect(sessionDialect.option('after', 'e5')).toBe('--after e5')
    expect(htmlDialect.option('maxNodes')).toBe('--max-nodes')
  })

  test('advises something else if the caller lacks one of the options', () => {
    expect(adviseOption(upperCase, 'scope', 'e9')).toBe('no scope e9')
    expect(advise(upperCase, [['after', 'e1'], ['scope']], (after, scope) => `${after} or ${scope}`)).toBe('no scope undefined')
    expect(adviseLarger(sessionDialect, 'maxNodes')).toBe('--scope')
  })

  test('names only flags that the command line has', () => {
    expect(sessionDialect.option('interactiveOnly', 'false')).toBe('--no-interactive-only')
    expect(htmlDialect.option('interactiveOnly', 'false')).toBe('--all')
    for (const option of ['maxVisits', 'maxTimeMs', 'compact'] as const) {
      expect(sessionDialect.option(option)).toBeUndefined()
      expect(htmlDialect.option(option)).toBeUndefined()
    }
  })

  test('of a command calls the budget maxChars, of the renderer maxCharsTotal', () => {
    expect(adviseLarger(commandDialect, 'maxChars')).toBe('a larger maxChars')
    expect(adviseLarger(rendererDialect, 'maxChars')).toBe('a larger maxCharsTotal')
  })

  test('writes refs as they are, or as the numbers of the flat format', () => {
    expect([plainRefs.ref('e15'), plainRefs.element('button "Save"', 'e15')]).toEqual(['e15', 'button "Save" [ref=e15]'])
    expect([numberedRefs.ref('e15'), numberedRefs.ref('f1e3')]).toEqual(['[15]', '[f1e3]'])
    expect(numberedRefs.element('button "Save"', 'e15')).toBe('[15] button "Save"')
  })
})

describe('the notes of a snapshot', () => {
  const buttons = Array.from({ length: 300 }, (_, n): Sketch => ({ tag: 'button', role: 'button', name: `Button ${n}`, ref: `e${n + 1}` }))
  const long = createDialect({ spell: name => `the-option-that-is-called-${name}` })

  test('are written in the dialect of the caller, within the budget', () => {
    for (const maxCharsTotal of [200, 260, 400, 1_000, 5_000]) {
      const { text } = renderSnapshot(page(buttons), { maxCharsTotal }, long)
      expect(text.length).toBeLessThanOrEqual(maxCharsTotal)
      if (maxCharsTotal >= 400) expect(text).toMatch(/: the-option-that-is-called-after=e\d+$/)
    }
  })

  test('name a dialog as the caller names refs', () => {
    const snapshot = page([{ tag: 'div', role: 'dialog', name: 'Cookies', ref: 'e7' }], {
      meta: { dialog: 'e7' },
      stats: { omitted: { inert: 3 } },
    })
    expect(renderSnapshot(snapshot).text).toContain('… 3 behind the dialog e7')
    expect(renderSnapshot(snapshot, {}, { ...commandDialect, refs: numberedRefs }).text).toContain('… 3 behind the dialog [7]')
  })

  test('in JSON have the names of the renderer for every caller', () => {
    const options = { format: 'json', maxCharsTotal: 1_000 } as const
    expect(renderSnapshot(page(buttons), options, long).text).toBe(renderSnapshot(page(buttons), options).text)
  })
})
