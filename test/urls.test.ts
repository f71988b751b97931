import { expect, test } from 'vitest'
import { checkUrl } from '../src/contract/urls.ts'

const files = ['file:///home/me/project/', 'file:///srv/my%20pages']

/** address, verdict: the kind, or the code */
const table: readonly (readonly [given: unknown, verdict: string])[] = [
  ['http://example.com', 'web'],
  ['https://example.com/a?b#c', 'web'],
  ['HTTPS://EXAMPLE.COM', 'web'],
  ['  https://example.com  ', 'web'],
  ['http:\\\\example.com\\a', 'web'],
  ['http://127.0.0.1:8080/', 'web'],
  ['http://[::1]/', 'web'],
  ['https://例え.jp/', 'web'],
  ['about:blank', 'blank'],
  ['ABOUT:blank', 'blank'],
  ['about:blank#top', 'blank'],
  ['about:srcdoc', 'url_not_allowed'],
  ['about:config', 'url_not_allowed'],
  ['file:///home/me/project/index.html', 'file'],
  ['file:///home/me/project/%69ndex.html', 'file'],
  ['file:///srv/my pages/a.html', 'file'],
  ['file://localhost/home/me/project/a', 'file'],
  ['file:///home/me/project', 'url_not_allowed'],
  ['file:///home/me/project-2/a', 'url_not_allowed'],
  ['file:///home/me/project/../secret', 'url_not_allowed'],
  ['file:///home/me/project/%2e%2e/secret', 'url_not_allowed'],
  ['file:///home/me/project/..%2f..%2fsecret', 'url_not_allowed'],
  ['file:///home/me/project/..%5csecret', 'url_not_allowed'],
  ['file:///home/me/project/a%00.html', 'url_not_allowed'],
  ['file:///home/me/project/%ff', 'url_not_allowed'],
  ['file:///etc/passwd', 'url_not_allowed'],
  ['FILE:/etc/passwd', 'url_not_allowed'],
  ['file://server/home/me/project/a', 'url_not_allowed'],
  ['view-source:https://example.com', 'url_not_allowed'],
  ['blob:https://example.com/1', 'url_not_allowed'],
  ['filesystem:https://example.com/temporary/a', 'url_not_allowed'],
  ['javascript:alert(1)', 'url_not_allowed'],
  ['java\nscript:alert(1)', 'invalid_url'],
  ['\tjavascript:alert(1)', 'invalid_url'],
  ['https://exa\tmple.com', 'invalid_url'],
  ['https://example.com/\u0000', 'invalid_url'],
  ['data:text/html,<p>', 'url_not_allowed'],
  ['chrome://settings', 'url_not_allowed'],
  ['chrome-extension://abc/x.html', 'url_not_allowed'],
  ['devtools://devtools/bundled/inspector.html', 'url_not_allowed'],
  ['ftp://example.com/', 'url_not_allowed'],
  ['ws://example.com/', 'url_not_allowed'],
  ['mailto:me@example.com', 'url_not_allowed'],
  ['example.com', 'invalid_url'],
  ['//example.com', 'invalid_url'],
  ['localhost:3000/a', 'invalid_url'],
  ['/a/b', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['', 'invalid_url'],
  ['   ', 'invalid_url'],
  [42, 'invalid_url'],
  [`https://example.com/${'a'.repeat(9_000)}`, 'invalid_url'],
]

test.each(table)('the address %j is %s (B4)', (given, verdict) => {
  const checked = checkUrl(given, { files })
  expect(checked.ok ? checked.kind : checked.error.code).toBe(verdict)
})

test('a refusal names the way out', () => {
  expect(checkUrl('localhost:3000')).toMatchObject({ error: { message: expect.stringContaining('https://localhost:3000') } })
  expect(checkUrl('file:///etc/passwd', { files })).toMatchObject({ error: { message: expect.stringContaining('fileRoots') } })
  expect(checkUrl('file:///etc/passwd')).toMatchObject({ error: { message: expect.stringContaining('files are not opened here') } })
})

test('what a page wrote into an address is cut and stays one line', () => {
  const verdict = checkUrl(`evil:${'x'.repeat(500)}`)
  expect(verdict.ok ? '' : verdict.error.message.length).toBeLessThan(300)
})
