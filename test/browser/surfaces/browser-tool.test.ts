import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { agentTools, browserTool } from '../../../src/tools.ts'
import { sharedBrowser } from '../../support/open-page.ts'

/** the browser tool on a page of a local server, as a model calls it */
async function tool(
  html: string,
  { files = {}, allowEval = false }: { files?: Readonly<Record<string, string>>; allowEval?: boolean } = {},
) {
  const { chromium, site } = await sharedBrowser()
  const folder = site.add({ '': html, ...files })
  const { execute, close } = browserTool(
    {
      start: async () => {
        const { run, close: end } = await openSession({ browser: chromium, allowEval })
        return { ok: true, data: { run, close: end, description: 'a test' } }
      },
    },
    { allowEval },
  )
  const call = async (args: object) => (await execute('browser', args)).text
  await call({ action: 'navigate', target_url: folder.url })
  return {
    call,
    async [Symbol.asyncDispose]() {
      folder.remove()
      await close()
    },
  }
}
const idOf = (text: string, line: string) => new RegExp(`\\[(\\d+)\\] ${line}`).exec(text)?.[1]

test('a document of 40,000 nodes becomes a numbered list of at most 8,000 characters (S4-02 S4-11 S4-18 S4-20 S4-43)', async () => {
  const row = (n: number) => `<div class=row><span><b>Row ${n}</b></span><div><div><a href="/${n}">Open ${n}</a></div></div><i></i></div>`
  const html = `<!doctype html><title>Big</title><button>Save</button>${Array.from({ length: 5_000 }, (_, n) => row(n)).join('')}`
  await using app = await tool(html)
  const text = await app.call({ action: 'snapshot' })
  expect(text.length).toBeLessThanOrEqual(8_000)
  expect(text).toMatch(/\[\d+\] button "Save"/)
  expect(text).toMatch(/\[\d+\] link "Open 3"/)
  expect(text).not.toContain('Open 4000')
  expect(text).toMatch(/below/)
  expect(text).not.toMatch(/[{}]|"children"/)
})

test('lists controls by tag, onclick or pointer cursor with key texts, without hidden elements (S4-14 S4-16 S4-17 S4-34)', async () => {
  await using app = await tool(`<!doctype html><title>Mixed</title><h1>Invoice 81</h1><p>Due on 4 May.</p>
    <button>Pay</button> <a href="/terms">Terms</a> <input aria-label=Note> <div onclick="1">Fold</div> <div style="cursor:pointer">Star</div> <div id=l>Bare</div>
    <button style="display:none">Gone</button> <button style="visibility:hidden">Ghost</button> <button style="transform:scale(0)">Void</button>
    <div><div><div>wrapping nothing</div></div></div><script>for (const each of [l, document]) each.addEventListener('click', () => {})</script>`)
  const text = await app.call({ action: 'snapshot' })
  for (const line of ['button "Pay"', 'link "Terms"', 'textbox "Note"', '\\w+ "Fold"', '\\w+ "Star"', '\\w+ "Bare"'])
    expect(idOf(text, line), line).toMatch(/^\d+$/)
  expect(text).toContain('Invoice 81')
  expect(text).toContain('Due on 4 May.')
  expect(text).not.toMatch(/Gone|Ghost|Void/)
})

test('an id of the list suffices to act, and the answer contains the effect (S4-05 S4-21 S4-26 S4-29 S4-41)', async () => {
  await using app = await tool(
    `<!doctype html><title>Form</title><form id=f><label>Name <input name=n></label><button>提交</button></form><p role=status id=o></p>
    <script>f.onsubmit = event => { event.preventDefault(); o.textContent = 'Hello ' + f.n.value + (event.isTrusted ? ', trusted' : '') }</script>`,
  )
  const text = await app.call({ action: 'snapshot' })
  expect(text).toMatch(/\[\d+\] button "提交"/)
  expect(await app.call({ action: 'act', request: { kind: 'fill', target_id: idOf(text, 'textbox "Name"'), text: '李' } })).toContain(
    '"李"',
  )
  const sent = await app.call({ action: 'act', request: { kind: 'click', target_id: `[${idOf(text, 'button "提交"')}]` } })
  expect(sent).toContain('Hello 李, trusted')
})

test('ids in answers and calls suggested by notes can be used verbatim (S4-13 S4-26)', async () => {
  const options = Array.from({ length: 20 }, (_, n) => `<option>Size ${n}`).join('')
  await using app = await tool(`<!doctype html><title>Cups</title><select aria-label=Size>${options}</select>
    <details><summary>More</summary><button onclick="document.title = 'Pressed'">Inside</button></details>`)
  const text = await app.call({ action: 'snapshot' })
  const [, size] = /^… .* select .*: act with kind=query target_id=(\d+)$/m.exec(text) ?? []
  expect(await app.call({ action: 'act', kind: 'query', target_id: size })).toContain(`text of [${size}]: "Size 0 Size 1`)
  const opened = await app.call({ action: 'act', kind: 'click', target_id: idOf(text, 'button "More"') })
  expect(opened).not.toMatch(/\be\d+\b/)
  const [, inside] = /^\+ \[(\d+)\] button "Inside"/m.exec(opened) ?? []
  expect(await app.call({ action: 'act', kind: 'click', target_id: inside })).toContain('title="Pressed"')
  const [, offset] = /that do not match: offset=(\d+)/.exec(await app.call({ action: 'snapshot', hint: 'inside' })) ?? []
  expect(await app.call({ action: 'snapshot', hint: 'inside', offset: Number(offset) })).toContain(`[${size}] combobox "Size"`)
  expect(await app.call({ action: 'act', kind: 'select', target_id: size, values: ['Size 99'] })).toMatch(
    /^option_not_found: .*act with kind=query and its target_id lists them\.\n<page .*\noptions: "Size 0"/,
  )
})

test('the result of evaluate is printed once (S2-40)', async () => {
  await using app = await tool('<!doctype html><title>Checkout</title>', { allowEval: true })
  const given = async (text: string) => (await app.call({ action: 'act', kind: 'evaluate', text })).split('\n').slice(1, -1)
  expect(await given('document.title')).toEqual(['result: "Checkout"'])
  expect(await given('({ a: [1, document.title] })')).toEqual(['result: {"a":[1,"Checkout"]}'])
  expect(await given('undefined')).toEqual(['result: undefined'])
  expect(await given('"x".repeat(5000)')).toEqual([expect.stringMatching(/^result: "x+…"$/), '… cut: ask for less'])
})

test('a dialog is answered by the call that the failure names, or dismissed by opening a page', async () => {
  const html = `<!doctype html><title>Ask</title><button onclick="document.title = confirm('Sure?') ? 'Yes' : 'No'">Delete</button>`
  await using app = await tool(html)
  const press = async () =>
    app.call({ action: 'act', kind: 'click', target_id: idOf(await app.call({ action: 'snapshot' }), 'button "Delete"') })
  await press()
  expect(await app.call({ action: 'act', kind: 'click', target_id: '1' })).toMatch(
    /^dialog_open: .*kind=dialog, and text=dismiss to say no/,
  )
  expect(await app.call({ action: 'act', kind: 'dialog', text: 'dismiss' })).toContain('title="No"')
  const { chromium, site } = await sharedBrowser()
  const folder = site.add({ '': html })
  await using session = await openSession({ browser: chromium })
  const agent = agentTools(session.run)
  await agent.execute('open-url', { url: folder.url })
  const [ref] = (await agent.execute('browser-snapshot')).data?.refs ?? []
  await agent.execute('browser-act', { action: 'click', ref })
  expect((await agent.execute('browser-act', { action: 'click', ref })).error).toMatchObject({
    code: 'dialog_open',
    hint: expect.stringContaining('open-url dismisses the dialog'),
  })
  expect(await agent.execute('open-url', { url: folder.url })).toMatchObject({ ok: true })
  expect(await agent.execute('browser-snapshot')).toMatchObject({ ok: true })
  folder.remove()
})

test('no browser automation library is a dependency (S4-04 S4-07 S4-32)', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { dependencies: object }
  for (const name of Object.keys(dependencies)) expect(name).not.toMatch(/selenium|webdriver|puppeteer|playwright|chromiumoxide/)
})
