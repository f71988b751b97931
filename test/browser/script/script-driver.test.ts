import { expect, test } from 'vitest'
import type { AnyCommand, AnyRun } from '../../../src/contract/run.ts'
import type { Snapshot } from '../../../src/index.ts'
import { AgentBrowser } from '../../../src/index.ts'
import { type NamedSecret, type ScriptHost, type ScriptOptions, scriptDriver } from '../../../src/script.ts'
import { openPage, type PageOptions } from '../../support/open-page.ts'

/** A page behind a host that can only evaluate a string and return a string, as on Android. */
async function host(options: PageOptions, more: Partial<ScriptHost> = {}, driving: ScriptOptions = {}) {
  const page = await openPage({ ...options, html: `<!doctype html><title>test</title>${options.html ?? ''}` })
  const evaluate = async (expression: string) => JSON.stringify(await page.evaluate(expression))
  const run: AnyRun = scriptDriver({ evaluate, ...more }, driving)
  const refs = async (): Promise<{ [name: string]: string }> => {
    const result = await run({ name: 'snapshot' })
    if (!result.ok) throw new Error(result.error.message)
    const snapshot = AgentBrowser.parseSnapshot(result.data)
    if (!snapshot.ok) throw new Error(snapshot.error.message)
    return Object.fromEntries(Object.values(snapshot.refs).map(({ role, name, ref }) => [`${role} ${name}`.trim(), ref]))
  }
  const must = async (command: AnyCommand) => {
    const result = await run(command)
    if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
    return result.data as { [key: string]: unknown }
  }
  return { page, run, refs, must, [Symbol.asyncDispose]: page.close }
}

const todo = `<form id=f><input name=what aria-label=What><button>Add</button></form><ul id=l></ul><a href="next.html">Next</a>
  <script>f.onsubmit = async e => { e.preventDefault(); const what = f.what.value; f.reset(); await fetch('save.txt'); l.insertAdjacentHTML('beforeend', '<li><label><input type=checkbox> ' + what + '</label></li>') }</script>`
const files = { 'save.txt': 'saved', 'next.html': '<title>Next</title><h1>Next page</h1><button>Go</button>' }

test('snapshot, fill and click work through evaluate(string) and include late changes (S0-77 S0-89 S0-92 S0-93)', async () => {
  await using app = await host({ html: todo, files })
  const before = await app.refs()
  expect(await app.must({ name: 'fill', ref: before['textbox What'], value: 'Buy bread' })).toMatchObject({
    effect: { value: 'Buy bread' },
    trusted: false,
    settled: true,
    page: { title: 'test', readyState: 'complete' },
  })
  expect(await app.must({ name: 'click', ref: before['button Add'] })).toMatchObject({
    settled: true,
    effect: { submitted: false, changed: { text: 'Buy bread' } },
  })
  const after = await app.refs()
  expect(after).toMatchObject({ ...before, 'checkbox Buy bread': expect.any(String) })
})

test('a named secret is entered in documents of its origins only, and no answer contains it (A4)', async () => {
  const html =
    '<label>Password <input type=password></label><label>Note <input></label><p id=out></p><script>oninput = e => { out.textContent = e.target.value }</script>'
  const said: string[] = []
  for (const [name, origins] of Object.entries({ HERE: ['http://127.0.0.1'], ELSEWHERE: ['https://elsewhere.example'] })) {
    const secrets: { [name: string]: NamedSecret } = {}
    await using app = await host({ html }, {}, { secrets })
    const { origin } = new URL(await app.page.evaluate<string>('location.href'))
    const secret = { value: 'hunter2-long', origins: name === 'HERE' ? [origin] : origins }
    const refs = await app.refs()
    secrets[name] = secret
    expect(await app.run({ name: 'fill', ref: refs['textbox Note'], value: `{{secret:${name}}}` })).toMatchObject({
      error: { code: 'secret_not_allowed' },
    })
    secrets[name] = { ...secret, visible: true }
    for (const [verb, field, argument] of [
      ['fill', 'Password', 'value'],
      ['type', 'Note', 'text'],
    ] as const) {
      const result = await app.run({ name: verb, ref: refs[`textbox ${field}`], [argument]: `{{secret:${name}}}` })
      said.push(JSON.stringify(result))
      if (name === 'HERE') expect(result).toMatchObject({ ok: true })
      else expect(result).toMatchObject({ ok: false, error: { code: 'secret_not_allowed' } })
      expect(await app.page.evaluate('out.textContent')).toBe(name === 'HERE' ? 'hunter2-long' : '')
    }
    said.push(
      JSON.stringify(await app.run({ name: 'snapshot', interactiveOnly: false })),
      JSON.stringify(await app.run({ name: 'status' })),
    )
    expect(said.at(-1)).toContain(name)
    expect(await app.run({ name: 'fill', ref: refs['textbox Password'], value: '{{secret:OTHER}}' })).toMatchObject({
      error: { code: 'unknown_secret' },
    })
  }
  expect(said.join('\n')).not.toContain('hunter2')
  expect(said.join('\n')).toContain('[redacted]')
})

test('after a link, history or open navigation, the script is injected again', async () => {
  await using app = await host({ html: todo, files })
  const { 'link Next': link } = await app.refs()
  expect(await app.must({ name: 'click', ref: link })).toMatchObject({
    effect: { url: `${app.page.url}next.html` },
    settled: true,
    page: { title: 'Next' },
  })
  expect(Object.keys(await app.refs())).toEqual(['button Go'])
  expect(await app.run({ name: 'click', ref: link as string })).toMatchObject({ ok: false, error: { code: 'ref_not_found' } })
  expect(await app.must({ name: 'back' })).toMatchObject({ page: { title: 'test' } })
  expect(await app.must({ name: 'forward' })).toMatchObject({ page: { title: 'Next' } })
  expect(await app.must({ name: 'reload' })).toMatchObject({ page: { title: 'Next' } })
  expect(await app.run({ name: 'forward' })).toMatchObject({ ok: false, error: { code: 'no_history' } })
  expect(await app.must({ name: 'open', url: app.page.url })).toMatchObject({ page: { title: 'test' } })
  expect(await app.must({ name: 'close' })).toMatchObject({ page: { url: 'about:blank' } })
})

test('a snapshot carries the start time of its document, which changes on reload', async () => {
  const page = await openPage({ html: '<title>Here</title><button>A</button>' })
  const run = scriptDriver({ evaluate: page.evaluate })
  const began = async () => {
    const result = await run({ name: 'snapshot' })
    return (result.ok ? (result.data as Snapshot).meta : {}) as Partial<Snapshot['meta']>
  }
  const first = await began()
  expect(first.startedAt).toBeTypeOf('number')
  expect((await began()).startedAt).toBe(first.startedAt)
  await run({ name: 'reload' })
  expect((await began()).startedAt).toBeGreaterThan(first.startedAt ?? Infinity)
  await page.close()
})

test("open calls the host's navigate for http only, and reports its failure as navigation_failed", async () => {
  const asked: string[] = []
  const page = await openPage({ html: '<title>Here</title>' })
  const run = scriptDriver({
    evaluate: page.evaluate,
    navigate: async url => {
      asked.push(url)
      if (url.includes('broken')) throw new Error('net::ERR_NAME_NOT_RESOLVED')
      await page.navigate(url)
    },
  })
  expect(await run({ name: 'open', url: page.url })).toMatchObject({ ok: true, data: { page: { title: 'Here' } } })
  expect(await run({ name: 'open', url: 'http://broken.example/' })).toMatchObject({ ok: false, error: { code: 'navigation_failed' } })
  expect(await run({ name: 'open', url: 'javascript:alert(1)' })).toMatchObject({ ok: false, error: { code: 'url_not_allowed' } })
  expect(await run({ name: 'open', url: 'file:///etc/passwd' })).toMatchObject({ ok: false, error: { code: 'url_not_allowed' } })
  expect(asked).toEqual([page.url, 'http://broken.example/'])
  await page.close()
})

test('open returns the new document even if navigate resolves before there is one', async () => {
  const page = await openPage({ html: '<title>Old</title>', files: { 'next.html': '<title>Next</title>' } })
  let navigation: Promise<unknown> = Promise.resolve()
  const run = scriptDriver({
    evaluate: page.evaluate,
    navigate: async url => {
      navigation = new Promise(resolve => setTimeout(resolve, 500)).then(() => page.navigate(url))
    },
  })
  expect(await run({ name: 'open', url: `${page.url}next.html` })).toMatchObject({ ok: true, data: { page: { title: 'Next' } } })
  await navigation
  await page.close()
})

test('a command that a page cannot carry out fails with the commands that it can', async () => {
  await using app = await host({ html: '<p>x</p>' })
  const listed = /The actions here are open, .*\bclick\b.*\bsnapshot\b|The actions here are open, .*\bsnapshot\b.*\bclick\b/
  for (const [command, why] of [
    [{ name: 'tabs' }, /^"tabs" needs a browser that is driven from outside/],
    [{ name: 'read' }, /^"read" is computed from snapshots by webTools/],
    [{ name: 'fillForm', fields: [] }, /^"fillForm" is computed from snapshots by webTools/],
  ] as const) {
    const result = await app.run(command)
    expect(result).toMatchObject({ ok: false, error: { code: 'unsupported_action', message: expect.stringMatching(why) } })
    expect(result).toMatchObject({ error: { message: expect.stringMatching(listed) } })
  }
})

test('a ref of one page never means an element of another page (C2)', async () => {
  await using app = await host({
    html: '<form action=pay.html><input aria-label=Name><button>Log in</button></form>',
    files: { 'pay.html': '<iframe srcdoc="<button>In a frame</button>"></iframe><button>Pay</button><button>Pay later</button>' },
  })
  const before = await app.refs()
  await app.must({ name: 'click', ref: before['button Log in'] })
  const after = Object.values(await app.refs())
  expect(after.length).toBeGreaterThanOrEqual(Object.keys(before).length)
  expect(after.filter(ref => Object.values(before).includes(ref))).toEqual([])
  for (const ref of Object.values(before))
    expect(await app.run({ name: 'click', ref })).toMatchObject({ ok: false, error: { code: 'ref_not_found' } })
})

test('numbers that a page makes up for its refs are of no consequence for other pages (C2)', async () => {
  await using page = await openPage({ html: '<button>Here</button>' })
  let forged = ''
  const evaluate = async (expression: string) => {
    const json = await page.evaluate<string>(expression)
    return forged && typeof json === 'string' ? json.replaceAll('"e1"', `"${forged}"`) : json
  }
  const run = scriptDriver({ evaluate })
  for (forged of ['e9999999999999999999999', 'f1e999999999', 'e99999999', 'e999999999', '']) await run({ name: 'snapshot' })
  expect(await run({ name: 'snapshot' })).toMatchObject({ ok: true, data: { tree: { children: [{ name: 'Here', ref: 'e1' }] } } })
})

test('a document that comes back gives no new element the ref of another page (C2)', async () => {
  await using first = await openPage({ html: '<button>One</button><button>Two</button>' })
  await using second = await openPage({ html: '<button>Next</button>' })
  let shown = first
  const run = scriptDriver({ evaluate: expression => shown.evaluate(expression) })
  const refs = async () => {
    const result = await run({ name: 'snapshot' })
    return result.ok ? Object.keys(result.data.refs) : []
  }
  expect(await refs()).toEqual(['e1', 'e2'])
  shown = second
  expect(await refs()).toEqual(['e3'])
  shown = first
  await first.evaluate(`document.body.append(Object.assign(document.createElement('button'), { textContent: 'Delete' })), 1`)
  expect(await refs()).toEqual(['e1', 'e2', 'e4'])
})

test('wait polls from outside, survives a navigation, and reports the last state on timeout (S0-107 X0-18 X2-5)', async () => {
  await using app = await host({
    html: `<p id=p>Loading</p><script>setTimeout(() => location.href = 'done.html', 200)</script>`,
    files: { 'done.html': '<script>setTimeout(() => document.body.append("All done"), 200)</script>' },
  })
  expect(await app.must({ name: 'wait', text: 'All done' })).toMatchObject({ met: true, page: { url: `${app.page.url}done.html` } })
  expect(await app.run({ name: 'wait', selector: '.never', timeoutMs: 150, pollMs: 20 })).toMatchObject({
    ok: false,
    error: { code: 'timeout', page: { saw: 'nothing that matches' } },
  })
  expect(await app.run({ name: 'wait', selector: '((' })).toMatchObject({ ok: false, error: { code: 'invalid_selector' } })
  expect(await app.run({ name: 'wait' })).toMatchObject({ ok: false, error: { code: 'invalid_wait' } })
  expect(await app.run({ name: 'wait', ms: 5, text: 'x' })).toMatchObject({ ok: false, error: { code: 'invalid_wait' } })
  expect(await app.must({ name: 'wait', ms: 5 })).toMatchObject({ met: true })
})

test('a script that the host injected at document start is reused, with its own seal or the default one', async () => {
  for (const sealed of [{}, { seal: 'seal-of-this-host' }]) {
    await using page = await openPage({ html: '<button>B</button>', atDocumentStart: AgentBrowser.getScript(sealed) })
    const result = await scriptDriver({ evaluate: page.evaluate }, sealed)({ name: 'snapshot' })
    expect(result).toMatchObject({ ok: true, data: { meta: { integrity: 'verified' } } })
  }
})

test('an aborted command returns at once, before it starts or while it waits', async () => {
  await using app = await host({ html: '<p>x</p>' })
  const stop = new AbortController()
  const waiting = app.run({ name: 'wait', text: 'never', timeoutMs: 60_000 }, stop.signal)
  stop.abort()
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'aborted' } })
  expect(await app.run({ name: 'snapshot' }, stop.signal)).toMatchObject({ ok: false, error: { code: 'aborted' } })
  expect(await app.run({ name: 'snapshot' })).toMatchObject({ ok: true })
})

test('commands of a page run one after the other', async () => {
  await using app = await host({ html: '<input aria-label=A>' })
  const { 'textbox A': ref } = await app.refs()
  const results = await Promise.all(['a', 'b', 'c'].map(text => app.run({ name: 'type', ref, text })))
  expect(results.map(result => (result.ok ? (result.data as { effect: { value: string } }).effect.value : result.error.code))).toEqual([
    'a',
    'ab',
    'abc',
  ])
})

test('select opens a closed custom listbox, chooses an option and verifies it', async () => {
  await using app = await host({
    html: `<div id=c role=combobox tabindex=0 aria-expanded=false aria-label=Fruit>–</div><div id=o></div><script>
      c.onclick = () => setTimeout(() => { o.innerHTML = o.innerHTML ? '' : '<ul role=listbox><li role=option>Apple<li role=option>Pear</ul>' }, 60)
      o.onclick = e => { c.textContent = e.target.textContent; o.innerHTML = '' }</script>`,
  })
  const { 'combobox Fruit': ref } = await app.refs()
  expect(await app.must({ name: 'select', ref, values: ['Pear'] })).toMatchObject({ settled: true })
  expect(await app.page.evaluate('c.textContent')).toBe('Pear')
  expect(await app.run({ name: 'select', ref: ref as string, values: ['Plum'] })).toMatchObject({
    ok: false,
    error: { code: 'option_not_found' },
  })
})

test('a value that the page reverts later fails with not_committed', async () => {
  await using app = await host({
    html: `<input id=a aria-label=A><script>a.oninput = () => setTimeout(() => a.value = a.value.replace(/\\d/g, ''), 30)</script>`,
  })
  const { 'textbox A': ref } = await app.refs()
  expect(await app.run({ name: 'fill', ref: ref as string, value: 'a1' })).toMatchObject({
    ok: false,
    error: { code: 'not_committed', page: { value: 'a' } },
  })
  expect(await app.run({ name: 'fill', ref: ref as string, value: 'ab' })).toMatchObject({ ok: true })
})

test('requests still pending at the deadline are listed', async () => {
  await using app = await host(
    { html: `<button id=b>B</button><script>b.onclick = () => fetch('never')</script>` },
    {},
    { settleMs: 100, networkMs: 200 },
  )
  await app.page.evaluate(`window.fetch = () => new Promise(() => {}), 1`)
  const { 'button B': ref } = await app.refs()
  expect(await app.must({ name: 'click', ref })).toMatchObject({ settled: false, pending: ['1 request'] })
})

test('keys and scrolls go to the page, files come from the host, and unsupported verbs are rejected (S0-108)', async () => {
  await using app = await host(
    { html: '<input aria-label=A autofocus><input id=f type=file aria-label=F><div style="height:3000px"></div>' },
    {
      readFile: async path => ({ name: path, base64: 'AAEC' }),
      screenshot: async () => ({ base64: 'AA==', mime: 'image/png', width: 1, height: 1 }),
    },
  )
  const refs = await app.refs()
  await app.must({ name: 'focus', ref: refs['textbox A'] })
  await app.must({ name: 'press', key: 'x' })
  expect(await app.must({ name: 'press', key: 'y', ref: refs['textbox A'] })).toMatchObject({ effect: { value: 'xy' } })
  expect(await app.must({ name: 'scroll', direction: 'down', amount: 200 })).toMatchObject({ effect: { scroll: { y: 200 } } })
  const file = Object.entries(refs).find(([name]) => name.endsWith(' F'))?.[1]
  expect(await app.must({ name: 'upload', ref: file, files: ['a.txt'] })).toMatchObject({ effect: { files: ['a.txt'] } })
  expect(await app.must({ name: 'screenshot' })).toMatchObject({ width: 1, page: { title: 'test' } })
  expect(await app.must({ name: 'query', ref: refs['textbox A'], kind: 'value' })).toEqual({ value: 'xy', truncated: false })
  expect(await app.must({ name: 'status' })).toMatchObject({
    running: true,
    cannot: expect.arrayContaining(['closed shadow roots', 'frames of other origins', 'trusted input']),
  })
  for (const name of ['tabs', 'dialog', 'constructor', 'fly'])
    expect(await app.run({ name }), name).toMatchObject({ ok: false, error: { code: 'unsupported_action' } })
  expect(await app.run({ name: 'evaluate', js: '1' })).toMatchObject({ ok: false, error: { code: 'disabled' } })
})

test('a snapshot is returned as JSON, ready to be rendered', async () => {
  await using app = await host({ html: '<button>B</button>' })
  const result = await app.run({ name: 'snapshot', interactiveOnly: false })
  expect(result).toMatchObject({ ok: true, data: { type: 'snapshot' } })
  expect(AgentBrowser.renderSnapshot(JSON.stringify(result.ok && (result.data as Snapshot))).text).toContain('button "B"')
  expect(await app.run({ name: 'snapshot', scope: '#none' })).toMatchObject({ ok: false, error: { code: 'scope_not_found' } })
})

test('an evaluate that rejects or returns no answer is reported with an error code', async () => {
  const broken = scriptDriver({ evaluate: async () => Promise.reject(new Error('WebView is gone')) })
  expect(await broken({ name: 'click', ref: 'e1' })).toMatchObject({
    ok: false,
    error: { code: 'outcome_unknown', page: { error: expect.stringContaining('WebView is gone') } },
  })
  const odd = scriptDriver({ evaluate: async () => 'null' })
  expect(await odd({ name: 'click', ref: 'e1' })).toMatchObject({ ok: false, error: { code: 'invalid_json' } })
})

test('timers that an action sets are waited for with what follows from them, and a later one is named', async () => {
  await using app = await host({
    html: `<button id=b>Save</button><button id=c>Later</button><p id=out></p><script>
      const poll = () => setTimeout(poll, 20); poll()
      b.onclick = () => setTimeout(async () => { await fetch('save.txt'); setTimeout(() => { out.textContent = 'Saved' }, 300) }, 300)
      c.onclick = () => { setTimeout(() => {}, 9000); clearTimeout(setTimeout(() => {}, 8000)) }</script>`,
    files,
  })
  const { 'button Save': save, 'button Later': later } = await app.refs()
  expect(await app.must({ name: 'click', ref: save })).toMatchObject({ settled: true, effect: { changed: { text: 'Saved' } } })
  expect(await app.must({ name: 'click', ref: later })).toMatchObject({
    settled: false,
    pending: [expect.stringMatching(/^timer in \d+ ms$/)],
  })
})

test('a page that changes for ever is answered, and said to be changing', async () => {
  await using app = await host({
    html: '<button id=b>Go</button><script>b.onclick = () => setInterval(() => document.body.append(document.createElement("p")), 5)</script>',
  })
  const { 'button Go': ref } = await app.refs()
  expect(await app.must({ name: 'click', ref })).toMatchObject({ effect: { changed: { added: expect.any(Number) } } })
})

test('an action or a snapshot of a page that is stuck in a script is answered after 5 s', async () => {
  const stuck = scriptDriver({ evaluate: () => new Promise(() => {}) })
  const error = { message: expect.stringContaining('within 5 s') }
  const [click, snapshot] = await Promise.all([
    stuck({ name: 'click', ref: 'e1' }),
    scriptDriver({ evaluate: () => new Promise(() => {}) })({ name: 'snapshot' }),
  ])
  expect(click).toMatchObject({ ok: false, error: { code: 'outcome_unknown', ...error } })
  expect(snapshot).toMatchObject({ ok: false, error: { code: 'page_unresponsive', ...error } })
})
