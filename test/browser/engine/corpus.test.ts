import { expect, test } from 'vitest'
import { AgentBrowser } from '../../../src/index.ts'
import { isCorpusMissing, readJson, readPage } from '../../support/corpus.ts'
import { openScriptPage } from '../../support/script-page.ts'
import { usableInView } from '../../support/usable-in-view.ts'

const absent = isCorpusMissing('real pages and forms')
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

interface Truth {
  readonly id: string
  readonly chromium: { readonly exposed: boolean }
}

test.skipIf(absent)(
  'real pages fit their budgets, and the default text has a ref for every usable control in view (S0-90 S0-91 S0-95)',
  async () => {
    const { pages } = readJson<{ pages: { file: string }[] }>('pages/manifest.json')
    const recalls: number[] = []
    for (const { file } of pages) {
      await using page = await openScriptPage(readPage(`pages/${file}`), { late: true, scripts: false })
      const json = await page.evaluate<string>(AgentBrowser.snapshotJs())
      const { text, refs, error } = AgentBrowser.renderSnapshot(json)
      expect(error, file).toBeUndefined()
      expect(Buffer.byteLength(json), file).toBeLessThanOrEqual(100_000)
      expect(text.length, file).toBeLessThanOrEqual(12_000)
      const usable = await page.evaluate<string[]>(usableInView)
      const shown = usable.filter(ref => refs.includes(ref))
      if (usable.length > 0) recalls.push(shown.length / usable.length)
      console.log(`${file}: ${shown.length} of ${usable.length} usable in view, ${refs.length} refs in ${text.length} characters`)
    }
    console.log(
      `recall in view, mean of ${recalls.length} pages: ${percent(mean(recalls), 1)} (npm run bench measures Playwright on the same pages)`,
    )
    expect(mean(recalls)).toBeGreaterThanOrEqual(0.95)
  },
  180_000,
)

test.skipIf(absent)(
  'the default text has a ref for the labelled fields of real forms (S0-95)',
  async () => {
    const { forms } = readJson<{ forms: { file: string; truth: Truth[] }[] }>('forms/manifest.json')
    let exposed = 0
    let shown = 0
    for (const { file, truth } of forms) {
      await using page = await openScriptPage(readPage(`forms/${file}`), { late: true, scripts: false })
      const { refs } = AgentBrowser.renderSnapshot(await page.evaluate<string>(AgentBrowser.snapshotJs()))
      const wanted = truth.filter(({ chromium }) => chromium.exposed).map(({ id }) => id)
      const marks = await page.evaluate<string[]>(
        `${JSON.stringify(wanted)}.map(id => document.querySelector('[data-truth=' + id + ']')?.getAttribute('data-agent-ref') ?? '')`,
      )
      const missing = wanted.filter((_, i) => !refs.includes(marks[i] ?? ''))
      exposed += wanted.length
      shown += wanted.length - missing.length
      if (missing.length > 0) console.log(`${file}: no ref in the text for ${missing.join(' ')}`)
    }
    console.log(`labelled fields of ${forms.length} forms with a ref in the text: ${shown} of ${exposed}, ${percent(shown, exposed)}`)
    expect(shown / exposed).toBeGreaterThanOrEqual(0.95)
  },
  180_000,
)
