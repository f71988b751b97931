import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AgentBrowser } from '../../../src/index.ts'
import { createDialect } from '../../../src/render/text/dialect.ts'
import { openPage } from '../../support/open-page.ts'

const script = readFileSync(new URL('../../../dist/agent-text.js', import.meta.url), 'utf8')
const items = Array.from({ length: 60 }, (_, at) => `<li><a href="/p/${at}">Tea “${at}” für 4 €</a> <button>Add ${at}</button></li>`).join(
  '',
)
const html = `<!doctype html><title>Shop</title><nav><a href="/">Home</a></nav><main><h1>Teas</h1><p>All of them.</p><ul>${items}</ul>
  <form><label>Code <input name=code value=X1></label><select aria-label=Size><option>S<option selected>L</select></form></main>`

interface Answer {
  readonly ok: boolean
  readonly text: string
  readonly refs: readonly string[]
  readonly error?: { readonly code: string; readonly message: string }
}

async function textPage(atDocumentStart = script) {
  const page = await openPage({ html, atDocumentStart })
  const snapshot = async (options: object): Promise<Answer> =>
    JSON.parse(await page.evaluate<string>(`JSON.stringify(window.__agentBrowser.snapshot(${JSON.stringify(options)}))`))
  return Object.assign(page, { snapshot })
}

test('agent-text.js gives the text that the host library gives, within its budget', async () => {
  await using page = await textPage()
  const dialect = createDialect({ spell: name => (name === 'limitChars' || name === 'offset' ? undefined : name), instead: () => 'scope' })
  for (const options of [{}, { interactiveOnly: false }, { scope: 'form' }])
    for (const maxChars of [300, 1_000, 4_000, 50_000])
      for (const format of ['tree', 'lines', 'flat', 'json'] as const) {
        const tree = await page.snapshot(options)
        const { text, refs } = await page.snapshot({ ...options, as: 'text', maxChars, format })
        const host = AgentBrowser.renderSnapshot(tree, { maxCharsTotal: maxChars, format }, dialect)
        // the second snapshot knows every element of the first
        const stable = (each: string) => each.replace(/"?\belapsedMs\b.*?[,}]/g, '')
        expect(stable(text), `${format} ${maxChars}`).toBe(stable(host.text))
        expect(refs).toEqual(host.refs)
        expect(text.length).toBeLessThanOrEqual(maxChars)
      }
})

test('the notes of the text name options of the script, and its refs work in actions', async () => {
  await using page = await textPage()
  const { text, refs } = await page.snapshot({ as: 'text', maxChars: 600 })
  const [, after] = /after=(e\d+)/.exec(text) ?? []
  expect((await page.snapshot({ as: 'text', maxChars: 600, after })).text).toContain(`after=${after}`)
  const clicked = await page.evaluate<string>(`JSON.stringify(window.__agentBrowser.action('${refs[0]}', 'focus'))`)
  expect(JSON.parse(clicked)).toMatchObject({ ok: true })
})

test('invalid options are refused by name, and pages that tamper with built-ins do not change the text', async () => {
  await using page = await textPage()
  expect(await page.snapshot({ as: 'html' })).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: 'as must be json or text' },
  })
  expect(await page.snapshot({ as: 'text', maxChars: 3 })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(await page.snapshot({ as: 'text', maxChar: 300 })).toMatchObject({ ok: false, error: { message: 'unknown option "maxChar"' } })
  const { text } = await page.snapshot({ as: 'text' })
  await page.evaluate(
    `Array.prototype.join = () => 'forged'; String.prototype.replace = () => 'forged'; Array.prototype.map = () => []; JSON.stringify.call; 1`,
  )
  expect((await page.snapshot({ as: 'text' })).text).toBe(text)
})

test('a failure of agent-text.js names the option as the host wrote it, and the next step', async () => {
  await using page = await textPage()
  expect((await page.snapshot({ as: 'text', maxChars: 3 })).error).toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/^maxChars must be a whole number/),
    hint: expect.any(String),
  })
  const clicked = await page.evaluate<string>(`JSON.stringify(window.__agentBrowser.action('e999', 'click'))`)
  expect(JSON.parse(clicked).error).toMatchObject({ code: 'ref_not_found', hint: expect.stringContaining('Take a new snapshot') })
})
