import { expect, test } from 'vitest'
import { openScriptPage, type ScriptPage } from '../../support/script-page.ts'
import { labelledSecrets, openFields, openValues, valuedSecrets } from '../../support/secret-forms.ts'

/** Everything that the script answers about a form with this field. */
async function answersOf(page: ScriptPage): Promise<string> {
  const answers: unknown[] = []
  for (const options of [{}, { interactiveOnly: false }, { includeHidden: true, includeAttrs: ['value'] }].slice(0, 2))
    answers.push(await page.rawSnapshot(options))
  for (const ref of Object.keys((await page.snapshot({ interactiveOnly: false })).refs))
    for (const kind of ['text', 'value', 'attrs', 'html', 'outerHTML'] as const) answers.push(await page.query(ref, kind))
  return JSON.stringify(answers)
}

const sentinel = (index: number) => `sentinel${index}x`
const formOf = (fields: readonly (readonly [string, string])[]) =>
  fields.map(([, html], index) => `<section>${html.replace('VALUE', sentinel(index))}</section>`).join('\n')

test('fields are secret by their visible label, in every answer of a live page (TRUST A4)', async ({ task }) => {
  task.meta.tries = labelledSecrets.length
  await using page = await openScriptPage(formOf(labelledSecrets))
  const said = await answersOf(page)
  expect(labelledSecrets.filter((_, index) => said.includes(sentinel(index))).map(([title]) => title)).toEqual([])
  expect(said.match(/"value":"\[redacted\]"/g)?.length).toBeGreaterThan(labelledSecrets.length)
})

test('a field is secret by its value, and the effect of entering it does not show it (TRUST A4)', async ({ task }) => {
  task.meta.tries = valuedSecrets.length
  await using page = await openScriptPage(valuedSecrets.map((_, index) => `<label>Remarks ${index}<input></label>`).join(''))
  const refs = Object.keys((await page.snapshot()).refs)
  const answers: unknown[] = []
  for (const [index, [, value]] of valuedSecrets.entries()) answers.push(await page.act(refs[index] as string, 'fill', { value }))
  answers.push(await page.call('settled'), await answersOf(page))
  const said = JSON.stringify(answers)
  expect(valuedSecrets.filter(([, value]) => said.includes(value))).toEqual([])
  expect(said).toContain('[redacted]')
})

test('fields and numbers that only resemble secret ones are printed', async () => {
  const numbers = openValues.map(value => ['', `<label>Remarks<input value="${value}"></label>`] as const)
  await using page = await openScriptPage(formOf([...openFields, ...numbers]))
  const said = await answersOf(page)
  expect(openFields.filter((_, index) => !said.includes(sentinel(index))).map(([title]) => title)).toEqual([])
  expect(openValues.filter(value => !said.includes(value))).toEqual([])
})
