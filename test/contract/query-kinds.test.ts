import { expect, test } from 'vitest'
import { queryKinds, spellQueryKind } from '../../src/contract/page-api.ts'

test('query kinds are accepted in any case and with their alternative spellings (C11)', () => {
  for (const kind of queryKinds) expect(spellQueryKind(kind.toUpperCase())).toBe(kind)
  expect(['attr', 'ATTRIBUTES', 'outer_html', 'OuterHtml', 'computedStyles'].map(spellQueryKind)).toEqual([
    'attrs',
    'attrs',
    'outerHTML',
    'outerHTML',
    'computed_styles',
  ])
  expect(spellQueryKind('soul')).toBe('soul')
})
