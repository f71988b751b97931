import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openPage, otherOrigin } from '../../support/open-page.ts'

// tests of the fixture that the other browser tests use

test('a page is served from loopback with its other files and the given viewport', async () => {
  const html = '<!doctype html><title>Hello</title><link rel="stylesheet" href="style.css"><p>é</p><script src="script.js"></script>'
  const files = {
    'style.css': 'p { color: rgb(1, 2, 3) }',
    'script.js': 'globalThis.ran = true',
    'deep/other.html': '<title>Other</title>',
  }
  await using page = await openPage({ html, files, viewport: { width: 400, height: 300 } })
  expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\d+\/$/)
  const seen = '[document.title, document.querySelector("p").textContent, getComputedStyle(document.querySelector("p")).color, ran]'
  expect(await page.evaluate(seen)).toEqual(['Hello', 'é', 'rgb(1, 2, 3)', true])
  expect(await page.evaluate('[innerWidth, innerHeight, devicePixelRatio]')).toEqual([400, 300, 1])
  await page.navigate('deep/other.html')
  expect(await page.evaluate('[document.title, location.href]')).toEqual(['Other', `${page.url}deep/other.html`])
})

test("a document-start script runs before the page's own, in every document and frame", async () => {
  const html = '<!doctype html><script>seen = early</script><iframe src="frame.html"></iframe>'
  const files = { 'frame.html': '<script>seen = early</script>' }
  await using page = await openPage({ html, files, atDocumentStart: 'globalThis.early = document.readyState' })
  expect(await page.evaluate('[seen, frames[0].seen]')).toEqual(['loading', 'loading'])
  await page.reload()
  expect(await page.evaluate('[seen, frames[0].seen]')).toEqual(['loading', 'loading'])
})

test('reload works on a URL with a fragment', async () => {
  await using page = await openPage({ html: '<!doctype html><p id="a">', url: '#a' })
  await page.evaluate('globalThis.old = true')
  await page.navigate('#b')
  expect(await page.evaluate('[globalThis.old, location.hash]')).toEqual([true, '#b'])
  await page.reload()
  expect(await page.evaluate('[globalThis.old, location.hash]')).toEqual([null, '#b'])
})

test('a page with disabled scripts can still be evaluated', async () => {
  await using page = await openPage({
    html: '<!doctype html><body><p>as served</p><script>document.body.innerHTML = "changed"</script>',
    scripts: false,
  })
  expect(await page.evaluate('document.querySelector("p").textContent')).toBe('as served')
})

test('the host name localhost makes the same page another origin', async () => {
  await using page = await openPage({ html: '<!doctype html><title>Here</title>' })
  await using framing = await openPage({ html: `<!doctype html><iframe src="${otherOrigin(page.url)}"></iframe>` })
  expect(await framing.evaluate('document.querySelector("iframe").contentDocument')).toBe(null)
  await page.navigate(otherOrigin(page.url))
  expect(await page.evaluate('[document.title, location.hostname]')).toEqual(['Here', 'localhost'])
})

test('only the local machine can be reached', async () => {
  await using page = await openPage()
  await expect(page.navigate('http://example.com/')).rejects.toMatchObject({
    code: 'navigation_failed',
    page: { error: expect.stringContaining('ERR_NAME_NOT_RESOLVED') },
  })
})

test('a page that redirects itself during load is loaded at its destination', async () => {
  await using slow = await slowServer()
  const html = `<!doctype html><script>location.replace("there.html")</script><script src="${slow.url}"></script>`
  await using page = await openPage({ html, files: { 'there.html': '<title>There</title>' } })
  expect(await page.evaluate('document.title')).toBe('There')
})

/** Never answers, so that pages that need it never finish loading. */
async function slowServer() {
  const server = createServer(() => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/slow.js`, [Symbol.asyncDispose]: close }
}
