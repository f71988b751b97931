import { expect, test } from 'vitest'
import { serve } from '../../support/http-server.ts'
import { noTermination, skipOverRelay } from '../../support/relay-ground.ts'
import { openTestSession } from '../../support/test-session.ts'

const pages: Readonly<Record<string, string>> = {
  'a mutation observer that feeds itself': `new MutationObserver(() => { p.textContent += 'x'; p.textContent = 'y' }).observe(p, { childList: true }); p.textContent = 'z'`,
  'an endless loop': 'for (;;);',
  'promises without end': '(function next() { Promise.resolve().then(next) })()',
  'an endless loop after a promise': 'Promise.resolve().then(() => { for (;;); })',
}
const pageOf = (script: string) => `<title>Busy</title><p id=p>Words</p><script>${script}</script><p>Below</p>`

test.each(Object.entries(pages))(
  'open answers for a page with %s long before its time is up, and the next page opens (B3)',
  async (_, script) => {
    await using page = await openTestSession(
      { html: '<title>First</title>', files: { 'busy.html': pageOf(script), 'next.html': '<title>Next</title>' } },
      {
        patienceMs: 1_000,
      },
    )
    const from = performance.now()
    expect(await page.do('open', { url: `${page.url}busy.html` })).toMatchObject({ settled: false })
    // loading may take 15 s, and settling another two; a stuck page is given its patience once
    expect(performance.now() - from).toBeLessThan(8_000)
    expect(await page.text({ interactiveOnly: false })).toMatch(/Words|[xyz]/)
    expect((await page.do('open', { url: `${page.url}next.html` })).page.title).toBe('Next')
    expect((await page.do('snapshot')).meta.title).toBe('Next')
  },
  60_000,
)

const dialogLoops = [
  "for (;;) alert('again')",
  "(function next() { alert('again'); setTimeout(next) })()",
  "setInterval(() => alert('again'), 1)",
]

test.each(dialogLoops)('open leaves a page that runs %s, and never reports it as the new page (B2)', async script => {
  await using page = await openTestSession({
    html: '<title>First</title>',
    files: { 'loop.html': pageOf(script), 'next.html': '<title>Next</title>' },
  })
  await page.do('open', { url: `${page.url}loop.html` })
  const next = await page.session.run({ name: 'open', url: `${page.url}next.html` })
  if (next.ok) expect((await page.do('snapshot')).meta.title).toBe('Next')
  // whatever the first call could do, the second one is on a tab without the loop
  else expect((await page.do('open', { url: `${page.url}next.html` })).page.title).toBe('Next')
  expect(next.ok || next.error.code).toBe(true)
})

test('a cancelled open stops loading: the next snapshot is that of the old page, and it stays (F3)', async context => {
  skipOverRelay(context, noTermination)
  let onRequest = () => {}
  let onClose = () => {}
  const requested = new Promise<void>(resolve => {
    onRequest = resolve
  })
  const closed = new Promise<void>(resolve => {
    onClose = resolve
  })
  await using server = await serve((request, response) => {
    if (request.url === '/slow') {
      response.on('close', onClose)
      onRequest()
    } else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Old</title><p>Words')
  })
  await using page = await openTestSession()
  await page.do('open', { url: server.url })
  const controller = new AbortController()
  const opened = page.session.run({ name: 'open', url: `${server.url}slow` }, controller.signal)
  await requested
  controller.abort()
  expect(await opened).toMatchObject({ ok: false, error: { code: 'aborted' } })
  const { meta, notes } = await page.do('snapshot')
  expect([meta.title, notes]).toEqual(['Old', undefined])
  await closed
  expect((await page.do('snapshot')).meta.title).toBe('Old')
})

test('a cancelled open of a page that has begun keeps what was there and loads no more (F3)', async context => {
  skipOverRelay(context, noTermination)
  let onRest = () => {}
  let onClose = () => {}
  const rest = new Promise<void>(resolve => {
    onRest = resolve
  })
  const closed = new Promise<void>(resolve => {
    onClose = resolve
  })
  // written by a script, so that it is requested only when the rest of the page is there
  const begun = `<title>Begun</title><p>Words</p><script>document.write('<script src=rest.js></' + 'script>')</script>`
  await using server = await serve((request, response) => {
    if (request.url === '/rest.js') {
      response.on('close', onClose)
      onRest()
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(begun)
  })
  await using page = await openTestSession()
  const controller = new AbortController()
  const opened = page.session.run({ name: 'open', url: server.url }, controller.signal)
  await rest
  controller.abort()
  expect(await opened).toMatchObject({ ok: false, error: { code: 'aborted' } })
  expect((await page.do('snapshot')).meta.title).toBe('Begun')
  await closed
})
