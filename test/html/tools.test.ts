import { expect, test } from 'vitest'
import type { AnyRun } from '../../src/contract/run.ts'
import { htmlDriver } from '../../src/html.ts'
import { toOpenAI, webTools } from '../../src/tools.ts'

/** a page of 590 kB, large enough to overflow the context of a model */
const html = `<title>Gold</title><nav><a href="/login">Log in</a></nav><main id=prices>${Array.from(
  { length: 5_000 },
  (_, i) =>
    `<section><h2>Day ${i}</h2><p class="price day-${i}">The price of gold on day ${i} was ${i}.00 <a href="/day/${i}">more</a></p></section>`,
).join('')}</main><form id=search><input name=q placeholder=Search><button>Go</button></form>`

test('web_snapshot on a fetched page returns a budgeted snapshot instead of HTML (S1-01 S1-02 S1-51 S1-52)', async () => {
  expect(html.length).toBeGreaterThan(590_000)
  const tools = webTools(htmlDriver(html))
  // the provider format lists the tools whose results follow
  expect(toOpenAI(tools, 'responses').map(({ name }) => name)).toEqual(expect.arrayContaining(['web_snapshot', 'web_query']))
  const { ok, text } = await tools.execute('web_snapshot')
  expect(ok).toBe(true)
  expect(text.length).toBeLessThanOrEqual(12_000)
  expect(text).toMatch(/\[snapshot\].* nodes=\d+ emitted=\d+ truncated=true truncateReasons=\["max\w+"/)
  expect(text).toMatch(/link "Log in".*\[ref=e1\]/)
  expect(text).toMatch(/… \d+ more.*: (scope|after)=e\d+/)
  expect(text).not.toMatch(/<\/?(section|main|p|a)\b/)
})

test('a model continues by ref: web_query on an element, or web_snapshot of a part (S1-04 S1-10 S1-53)', async () => {
  const tools = webTools(htmlDriver(html))
  const { text } = await tools.execute('web_snapshot')
  const ref = /link "Log in".*\[ref=(e\d+)\]/.exec(text)?.[1]
  expect(await tools.execute('web_query', { ref, kind: 'attrs' })).toMatchObject({ ok: true, text: expect.stringContaining('/login') })
  const part = await tools.execute('web_snapshot', { scope: '#search' })
  expect(part.text).toMatch(/textbox .*\[placeholder="Search"\]/)
  expect(part.text).not.toContain('Log in')
  const found = /button "Go".*\[ref=(e\d+)\]/.exec(part.text)?.[1]
  expect(await tools.execute('web_query', { ref: found, kind: 'text' })).toMatchObject({ ok: true, text: expect.stringContaining('Go') })
})

test('no tool returns the page verbatim (S1-02 S1-54)', async () => {
  const tools = webTools(htmlDriver(`<form>${html.replaceAll(/<\/?form[^>]*>/g, '')}</form>`), { allowEval: true })
  const asked: [string, object][] = [
    ['web_snapshot', { interactive_only: false, max_chars: 100_000 }],
    ['web_snapshot', { scope: 'html', max_chars: 1e9 }],
    ['web_query', { ref: 'e1', kind: 'outerHTML', max_length: 1e9 }],
    ['web_query', { ref: 'e1', kind: 'html', max_length: 100_000 }],
    ['web_query', { ref: 'e1', kind: 'text', max_length: 100_000 }],
    ['web_eval', { js: 'document.documentElement.outerHTML', max_length: 1e9 }],
    ...tools.tools.map(({ name }): [string, object] => [name, { ref: 'e1', url: 'about:blank' }]),
  ]
  for (const [name, fields] of asked) {
    const { text } = await tools.execute(name, fields)
    expect(text.length, name).toBeLessThanOrEqual(100_500)
    expect(text, name).not.toContain('Day 4999</h2>')
  }
  const { ok, text } = await tools.execute('web_query', { ref: 'e1', kind: 'outerHTML' })
  expect(ok).toBe(true)
  expect(text).toContain('<form>')
  expect(text.length).toBeLessThanOrEqual(4_500)
})

test('no script of the page runs, and actions are rejected (S1-11)', async () => {
  const ran: number[] = []
  Object.assign(globalThis, { ran })
  const run: AnyRun = htmlDriver(`<script>ran.push(1)</script><body onload="ran.push(2)"><img src=x onerror="ran.push(3)">
    <button onclick="ran.push(4)">Buy</button><a href="javascript:ran.push(5)">Go</a><svg onload="ran.push(6)"></svg>`)
  expect(await run({ name: 'snapshot' })).toMatchObject({ ok: true })
  for (const name of ['click', 'fill', 'press', 'open', 'evaluate', 'wait'])
    expect(await run({ name, ref: 'e1' })).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(ran).toEqual([])
  Reflect.deleteProperty(globalThis, 'ran')
})
