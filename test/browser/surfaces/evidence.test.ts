import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { wrap } from '../../../src/contract/run.ts'
import { readLog, startRun } from '../../../src/evidence.ts'
import { webTools } from '../../../src/tools.ts'
import { openTestSession, type SitePages } from '../../support/test-session.ts'

const shelf = mkdtempSync(join(tmpdir(), 'pagehand-evidence-'))
afterAll(() => rmSync(shelf, { recursive: true, force: true }))

/** a page, its tools, and the recording of their calls */
async function recorded(pages: SitePages) {
  const page = await openTestSession(pages)
  const record = await startRun(shelf)
  const tools = record.tools(webTools(wrap(page.session.run, record.layer), { saveScreenshot: record.saveScreenshot }))
  const call = async (name: string, args: object = {}) => (await tools.execute(name, args)).text
  const files = () => (readdirSync(record.folder, { recursive: true }) as string[]).map(name => join(record.folder, name))
  return {
    page,
    record,
    call,
    texts: () =>
      files()
        .filter(file => statSync(file).isFile() && !/\.png$/.test(file))
        .map(file => readFileSync(file, 'utf8')),
    events: () => readLog(readFileSync(join(record.folder, 'events.jsonl'), 'utf8')).events,
    async [Symbol.asyncDispose]() {
      await record.end()
      await page[Symbol.asyncDispose]()
    },
  }
}

test('eight kinds of secrets appear in no event, snapshot or report (A4 S2-61)', async () => {
  const fields = [
    '<input type=password aria-label=F0>',
    '<input autocomplete=current-password aria-label=F1>',
    '<input autocomplete="section-a new-password" aria-label=F2>',
    '<input autocomplete=one-time-code aria-label=F3>',
    '<input autocomplete=cc-number aria-label=F4>',
    '<input autocomplete=cc-csc aria-label=F5>',
    '<input name=api_secret aria-label=F6>',
    '<textarea autocomplete=new-password aria-label=F7></textarea>',
  ]
  await using run = await recorded({
    html: `<!doctype html><title>Secrets</title><form action="done.html">${fields.join('')}<button type=button onclick="document.querySelector('input').type='text'">Show</button><button>Send</button></form>`,
    files: { 'done.html': '<!doctype html><title>Done</title>Thanks' },
  })
  const { call, page } = run
  const secrets = fields.map((_, index) => `sentinel ${index} 47110815`)
  const refs: string[] = []
  for (const [index, secret] of secrets.entries()) {
    const ref = await page.ref(`F${index}`)
    refs.push(ref)
    await call(index % 2 ? 'web_type' : 'web_fill', index % 2 ? { ref, text: secret } : { ref, value: secret })
  }
  await call('web_click', { ref: await page.ref('Show') })
  await call('web_snapshot', { interactive_only: false })
  for (const ref of refs) for (const kind of ['value', 'attrs', 'outerHTML']) await call('web_query', { ref, kind })
  // a model that gives the secrets away
  await call('web_wait', { text: secrets[0], timeout_ms: 0 })
  await call('web_fill', { ref: 'e999999', value: secrets[1] })
  await call('web_open', { url: `${page.url}done.html?leak=${encodeURIComponent(secrets[2] ?? '')}` })
  await run.record.assert(`the code was ${secrets[3]}`, true)
  await run.record.end({ text: secrets.join(', ') })
  const texts = run.texts()
  expect(texts.length).toBeGreaterThan(20)
  for (const text of texts) expect(text.match(/sentinel(%20| |\+)\d/g)).toBeNull()
})

test('a dialog opened by a click does not block the evidence and is reported (B2)', async () => {
  await using run = await recorded({ html: '<!doctype html><title>Ask</title><button onclick="confirm(\'Sure?\')">Ask</button>' })
  const ref = await run.page.ref('Ask')
  expect(await run.call('web_click', { ref })).toContain('Sure?')
  expect(await run.call('web_dialog', { accept: true })).toMatch(/^ok: dialog/)
  const evidence = run.events().filter(({ type }) => type === 'evidence')
  expect(evidence).toHaveLength(2)
  expect(evidence[1]).toMatchObject({ files: ['frames/002.png', 'snapshots/002.txt', 'snapshots/002.json'] })
})

test('a tab opened by a click is reported in the answer', async () => {
  await using run = await recorded({
    html: '<!doctype html><title>Home</title><button onclick="window.open(\'other.html\')">Out</button>',
    files: { 'other.html': '<!doctype html><title>Other</title><h1>Other</h1>' },
  })
  expect(await run.call('web_click', { ref: await run.page.ref('Out') })).toMatch(/note.*t2|t2.*opened|opened.*t2/s)
})
