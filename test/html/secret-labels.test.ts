import { expect, test } from 'vitest'
import { buildDocument, query, snapshot } from '../../src/html.ts'
import { labelledSecrets, openFields, openValues, valuedSecrets } from '../support/secret-forms.ts'

const kinds = ['TEXT', 'VALUE', 'ATTR', 'INNER_HTML', 'OUTER_HTML'] as const

/** Everything that static HTML answers about a form with this field. */
function answersOf(field: string): string {
  const document = buildDocument(`<form aria-label=Form>${field}<button>Go</button></form>`, { interactiveOnly: false })
  const { snapshotText, refs } = snapshot(document, { interactiveOnly: false })
  const said = Object.keys(refs).flatMap(ref => kinds.map(kind => query(document, ref, kind).value))
  return [snapshotText, JSON.stringify(refs), ...said].join('\n')
}

test.each(labelledSecrets)('a field of static HTML is secret by its visible label: %s (TRUST A4)', (_, html) => {
  expect(answersOf(html.replace('VALUE', 'SENTINEL'))).not.toContain('SENTINEL')
})

test.each(valuedSecrets)('a field of static HTML is secret by its value: %s (TRUST A4)', (_, value) => {
  expect(answersOf(`<label>Remarks<input value="${value}"></label>`)).not.toContain(value)
  expect(answersOf(`<label>Remarks<textarea>${value}</textarea></label>`)).not.toContain(value)
})

test.each(openFields)('a field of static HTML is printed if it only resembles a secret one: %s', (_, html) => {
  expect(answersOf(html.replace('VALUE', 'shown'))).toContain('shown')
})

test.each(openValues)('a number that only resembles a secret one is printed: %s', value => {
  expect(answersOf(`<label>Remarks<input value="${value}"></label>`)).toContain(value)
})
