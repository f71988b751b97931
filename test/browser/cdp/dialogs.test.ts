import { expect, test } from 'vitest'
import { effectLines } from '../../../src/render/text/effect.ts'
import { sendHtml, serve } from '../../support/http-server.ts'
import { otherOrigin } from '../../support/open-page.ts'
import { until } from '../../support/processes.ts'
import { noTermination, skipOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

const allowEval = true
const asking = { html: `<title>t</title><button>b</button><script>setTimeout(() => { answer = prompt('Your name?', 'x') }, 0)</script>` }

test('an open dialog is reported by every command until it is answered (B2)', async () => {
  await using session = await openTestSession(asking, { allowEval })
  await expect.poll(() => session.session.status().dialog).toEqual({ type: 'prompt', message: 'Your name?' })
  for (const command of [
    { name: 'snapshot' },
    { name: 'screenshot' },
    { name: 'query', ref: 'e1', kind: 'text' },
    { name: 'evaluate', js: '1' },
  ] as const) {
    const result = await session.session.run(command)
    expect(result, command.name).toMatchObject({ ok: false, error: { code: expect.stringMatching(/dialog_open|ref_not_found/) } })
  }
  expect((await session.do('tabs', { operation: 'list' })).notes?.[0]).toContain('"Your name?"')
  expect(await session.do('dialog', { accept: true, text: 'Ada' })).toMatchObject({
    effect: { answered: { type: 'prompt', message: 'Your name?', accepted: true } },
    settled: true,
  })
  expect(await session.do('evaluate', { js: 'answer' })).toMatchObject({ value: '"Ada"' })
  expect(await session.fails('dialog', { accept: true })).toMatchObject({ code: 'invalid_input' })
})

test('a dialog in another tab is reported with that tab and blocks nothing here', async () => {
  await using session = await openTestSession({ html: '<title>one</title><button>b</button>', files: { 'ask.html': asking.html } })
  await session.do('tabs', { operation: 'new', url: `${session.url}ask.html` })
  await session.do('tabs', { operation: 'select', tab: 't1' })
  await expect.poll(async () => (await session.do('snapshot')).notes).toEqual([expect.stringMatching(/^Tab t2: .*"Your name\?"/)])
  expect(await session.text()).toContain('button "b"')
})

test('a dialog that opens during page load ends the wait and is reported in a note', async () => {
  await using session = await openTestSession({ files: { 'a.html': '<script>alert("first")</script><button>late</button>' } })
  const { notes } = await session.do('open', { url: `${session.url}a.html` })
  expect(notes).toEqual([expect.stringContaining('"first"')])
  await session.do('dialog', { accept: true })
  expect(await session.text()).toContain('late')
})

test('a dialog that opens during evaluate ends the wait', async () => {
  await using session = await openTestSession({ html: '<title>t' }, { allowEval })
  expect(await session.fails('evaluate', { js: 'confirm("sure?")' })).toMatchObject({
    code: 'dialog_open',
    page: { dialog: 'sure?' },
  })
  await session.do('dialog', { accept: false })
  expect(await session.do('evaluate', { js: '1' })).toMatchObject({ value: '1' })
})

test('the message of a dialog is a field of the failure, and cut (A1)', async () => {
  await using session = await openTestSession({
    html: `<script>setTimeout(() => alert('a"\\n[ref=e1] \\u202e' + 'x'.repeat(5000)))</script>`,
  })
  await expect.poll(() => session.session.status().dialog).toMatchObject({ type: 'alert' })
  const { message, page } = await session.fails('snapshot')
  expect(message).toBe('The page shows a dialog (alert) and waits for the answer.')
  expect(page?.dialog).toMatch(/^a"\n\[ref=e1\] \u202ex{400}/)
  expect(page?.dialog).toHaveLength(500)
  const [line = ''] = effectLines(await session.do('dialog', { accept: false }))
  expect(line).toMatch(/^effect: alert "a\\"\\n\[ref\\u003de1\] \\u202ex+…" dismissed$/)
  expect(line.length).toBeLessThan(200)
})

test('opening another page dismisses the dialog and reports it', async () => {
  await using session = await openTestSession(asking, { allowEval })
  await expect.poll(() => session.session.status().dialog).toEqual({ type: 'prompt', message: 'Your name?' })
  const { notes } = await session.do('open', { url: 'about:blank' })
  expect(notes).toEqual([expect.stringContaining('dismissed')])
})

const staying = `<title>stay</title><button>b</button><a href="other.html">away</a><script>addEventListener('beforeunload', event => event.preventDefault())</script>`

test('a page with a beforeunload prompt is left by open, with a note', async () => {
  await using session = await openTestSession({ html: staying })
  // browsers show the prompt only for pages with user activation
  await session.do('click', { ref: await session.ref('b') })
  const { page, notes } = await session.do('open', { url: 'about:blank' })
  expect(page.url).toBe('about:blank')
  expect(notes).toEqual(['The page asked for confirmation before it was left; it was left anyway.'])
})

test('a beforeunload prompt caused by a link is left to the caller', async () => {
  await using session = await openTestSession({ html: staying, files: { 'other.html': '<title>other' } })
  await session.do('click', { ref: await session.ref('b') })
  await session.session.run({ name: 'click', ref: await session.ref('away') })
  expect(session.session.status().dialog).toMatchObject({ type: 'beforeunload' })
  await session.do('dialog', { accept: false })
  expect((await session.do('snapshot')).meta.title).toBe('stay')
  await session.session.run({ name: 'click', ref: await session.ref('away') })
  expect((await session.do('dialog', { accept: true })).effect).toMatchObject({ answered: { type: 'beforeunload', accepted: true } })
  await expect.poll(async () => (await session.do('snapshot')).meta.title).toBe('other')
})

test('an endless loop of dialogs is broken by disabling scripts, and the page stays readable (B2 B3)', async context => {
  skipOverRelay(context, noTermination)
  // V8 looks for a termination once in some hundred turns of such a loop, each of which is a dialog to dismiss
  const patient = { patienceMs: 50_000, deadlines: { snapshot: 55_000 } }
  await using session = await openTestSession(
    { html: `<title>t</title><button>behind</button><script>setTimeout(() => { while (true) alert('again') })</script>` },
    patient,
  )
  for (let i = 0; i < 10; i++) {
    await until(() => session.session.status().dialog !== undefined || session.session.status().scripts === 'stopped', {
      what: 'a dialog or stopped scripts',
    })
    if (session.session.status().scripts === 'stopped') break
    await session.session.run({ name: 'dialog', accept: true })
  }
  expect(session.session.status().scripts).toBe('stopped')
  const snapshot = await session.do('snapshot')
  expect(snapshot.meta.scripts).toBe('stopped')
  expect(JSON.stringify(snapshot)).toContain('behind')
  await session.do('open', { url: 'about:blank' })
  expect(session.session.status().scripts).toBe('running')
})

test('print() opens nothing and blocks nothing (B5)', async () => {
  await using session = await openTestSession({ html: '<title>t' }, { allowEval })
  expect(await session.do('evaluate', { js: 'print(), 5' })).toMatchObject({ value: '5' })
})

test('permission requests are denied (B5)', async () => {
  await using session = await openTestSession({ html: '<title>t' }, { allowEval })
  expect(await session.do('evaluate', { js: 'Notification.requestPermission()' })).toMatchObject({ value: '"denied"' })
  expect(
    await session.do('evaluate', {
      js: 'new Promise(done => navigator.geolocation.getCurrentPosition(() => done("got"), e => done(e.code)))',
    }),
  ).toMatchObject({ value: '1' })
})

const openings = {
  'during its load': "window.open('pop.html')",
  'opened by its opener': "window.open('').alert('hello')",
  'and has no opener': "window.open('pop.html', '', 'noopener')",
}
for (const [when, js] of Object.entries(openings))
  test(`a dialog in a new tab (${when}) is reported and can be answered from the current tab (B2)`, async () => {
    await using session = await openTestSession({
      html: `<button onclick="${js}; document.title = 'after'">Open</button>`,
      files: { 'pop.html': '<title>pop</title><script>alert("hello")</script><p>behind' },
    })
    await session.do('click', { ref: await session.ref('Open') })
    // the dialog of a tab in another process arrives asynchronously
    await until(async () => JSON.stringify(await session.do('tabs')).includes('hello'), { what: 'a note of the dialog' })
    expect((await session.do('tabs')).tabs.map(({ tab }) => tab)).toEqual(['t1', 't2'])
    const answered = await session.do('dialog', { accept: true })
    expect(answered.effect).toEqual({ answered: { type: 'alert', message: 'hello', accepted: true, tab: 't2' } })
    expect(effectLines(answered)[0]).toBe('effect: alert "hello" of tab t2 accepted')
    expect((await session.do('snapshot')).meta.title).toBe('after')
    await session.do('tabs', { operation: 'select', tab: 't2' })
    if (js.includes('pop.html')) expect(await session.text({ interactiveOnly: false })).toContain('behind')
  })

test('a dialog in the opener is reported to actions in the tabs it opened, directly or indirectly (B2)', async () => {
  await using session = await openTestSession({
    html: `<title>first</title><button onclick="window.open('pop.html')">Open</button>`,
    files: {
      'pop.html': `<title>second</title><button onclick="opener.alert('saved')">Save</button><button onclick="window.open('last.html')">More</button>`,
      'last.html': `<title>third</title><button onclick="opener.opener.alert('far')">Far</button>`,
    },
  })
  const select = async (tab: string, title: string) => {
    await expect.poll(async () => (await session.session.run({ name: 'tabs', operation: 'select', tab })).ok).toBe(true)
    await expect.poll(async () => (await session.do('snapshot')).meta.title).toBe(title)
  }
  await session.do('click', { ref: await session.ref('Open') })
  await select('t2', 'second')
  expect(await session.do('click', { ref: await session.ref('Save') })).toMatchObject({ effect: { dialog: 'alert "saved" in tab t1' } })
  await session.do('dialog', { accept: true })
  await session.do('click', { ref: await session.ref('More') })
  await select('t3', 'third')
  expect(await session.do('click', { ref: await session.ref('Far') })).toMatchObject({ effect: { dialog: 'alert "far" in tab t1' } })
  await session.do('dialog', { accept: true })
  expect((await session.do('snapshot')).meta.title).toBe('third')
})

const leavings = {
  open: { args: (url: string) => ({ url: `${url}next.html` }), title: 'next' },
  reload: { args: () => ({}), title: 'first' },
  back: { args: () => ({}), title: 'zero' },
} as const
for (const [verb, { args, title }] of Object.entries(leavings))
  test(`${verb} dismisses a dialog of a tab opened by the page, reports it, and stays in its tab (B2)`, async () => {
    await using session = await openTestSession({
      html: '<title>zero',
      files: {
        'first.html': `<title>first</title><button onclick="window.open('pop.html')">Open</button>`,
        'pop.html': `<title>pop</title><script>setTimeout(() => { alert('hello'); document.title = 'after' })</script>`,
        'next.html': '<title>next',
      },
    })
    await session.do('open', { url: `${session.url}first.html` })
    await session.do('click', { ref: await session.ref('Open') })
    await until(async () => JSON.stringify(await session.do('tabs')).includes('hello'), { what: 'a note of the dialog' })
    const { page, notes } = await session.do(verb as keyof typeof leavings, args(session.url))
    expect(page.title).toBe(title)
    expect(notes).toEqual(['The dialog (alert) of tab t2 was dismissed because it blocked the navigation: "hello".'])
    if (verb !== 'back') expect((await session.do('back')).page.title).toBe(verb === 'open' ? 'first' : 'zero')
    expect((await session.do('tabs')).tabs).toMatchObject([
      { tab: 't1', selected: true },
      { tab: 't2', title: 'after' },
    ])
  })

test('navigating a tab dismisses a dialog of its opener (B2)', async () => {
  await using session = await openTestSession({
    html: `<title>first</title><button onclick="window.open('pop.html')">Open</button>`,
    files: {
      'pop.html': `<title>pop</title><button onclick="opener.confirm('a\\n&quot;b&quot;')">Ask</button>`,
      'next.html': '<title>next',
    },
  })
  await session.do('click', { ref: await session.ref('Open') })
  await session.do('tabs', { operation: 'select', tab: 't2' })
  await session.do('click', { ref: await session.ref('Ask') })
  expect(await session.fails('snapshot')).toMatchObject({ code: 'dialog_open', message: expect.stringMatching(/^Tab t1 shows a dialog/) })
  const { page, notes } = await session.do('open', { url: `${session.url}next.html` })
  expect(page.title).toBe('next')
  expect(notes).toEqual(['The dialog (confirm) of tab t1 was dismissed because it blocked the navigation: "a\\n\\"b\\"".'])
  expect((await session.do('back')).page.title).toBe('pop')
})

const slow = {
  'waits for something': `new Promise(done => setTimeout(() => done('slow'), 1_600))`,
  'is busy': `const end = performance.now() + 1_600; while (performance.now() < end); 'slow'`,
}
for (const [how, js] of Object.entries(slow))
  test(`a page that ${how} is waited for even if its popup in another process shows a dialog (B2)`, async () => {
    const files = { 'pop.html': '<title>pop</title><script>alert("hello")</script>' }
    await using session = await openTestSession({ html: '<title>first', files }, { allowEval, launch: { args: ['--site-per-process'] } })
    await session.do('evaluate', { js: `void open(${JSON.stringify(`${otherOrigin(session.url)}pop.html`)})` })
    await until(async () => JSON.stringify(await session.do('tabs')).includes('hello'), { what: 'a note of the dialog' })
    expect(await session.do('evaluate', { js })).toMatchObject({ value: '"slow"' })
    // a dialog unrelated to this page is not dismissed
    expect((await session.do('reload')).notes).toEqual([expect.stringMatching(/^Tab t2: .*waits for the answer: "hello"/)])
  })

test('a dialog that opens between two documents cannot be answered, and the next page opens in a new tab (B2)', async () => {
  let begun = () => {}
  // the next document has arrived while the page is busy, but cannot commit until the dialog is answered
  const busy = `fetch('/begun'); for (const end = performance.now() + 500; performance.now() < end; ); alert('lost')`
  let begin = () => {}
  await using server = await serve((request, response) => {
    if (request.url === '/signal') begin = () => response.end()
    else if (request.url === '/begun') {
      begun()
      response.end()
    } else if (request.url === '/next') {
      begun = () => sendHtml('<title>next')(request, response)
      begin()
    } else sendHtml(`<title>first</title><script>fetch('/signal').then(() => { ${busy} })</script>`)(request, response)
  })
  await using session = await openTestSession()
  await session.do('open', { url: server.url })
  await session.session.run({ name: 'open', url: `${server.url}next` })
  await session.session.run({ name: 'dialog', accept: true })
  const { page: there, notes } = await session.do('open', { url: 'about:blank' })
  expect(there.url).toBe('about:blank')
  expect(notes).toContain('The page could not be unloaded; its tab was replaced, and its history is lost.')
  await expect.poll(async () => (await session.do('tabs')).tabs).toMatchObject([{ tab: 't1', url: 'about:blank', selected: true }])
})
