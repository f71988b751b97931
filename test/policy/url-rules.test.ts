import { expect, test } from 'vitest'
import { textOf } from '../../src/contract/message.ts'
import { parseHostRules } from '../../src/policy/host-rules.ts'
import { checkUrl } from '../../src/policy/url-rules.ts'
import { checkUrlSyntax } from '../../src/policy/url-syntax.ts'

const files = ['file:///home/me/project/', 'file:///srv/my%20pages']

/** URL, result: the kind, or the error code */
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

test.each(table)('the URL %j gives %s (B4)', (given, verdict) => {
  const checked = checkUrl(given, { files })
  expect(checked.ok ? checked.kind : checked.error.code).toBe(verdict)
})

test('an error names the way out', () => {
  expect(checkUrl('localhost:3000')).toMatchObject({ error: { message: expect.stringContaining('http://') } })
  expect(checkUrl('file:///etc/passwd', { files })).toMatchObject({ error: { message: expect.stringContaining('fileRoots') } })
  expect(checkUrl('file:///etc/passwd')).toMatchObject({ error: { message: expect.stringContaining('files cannot be opened here') } })
})

test('a refused URL is a field of the failure and not part of its message, since a page may have chosen it (A1)', () => {
  const url = `evil:ok%20done${'x'.repeat(900)}`
  const verdict = checkUrl(url)
  if (verdict.ok) throw new Error('allowed')
  expect(verdict.error.message).not.toContain('done')
  expect(verdict.error.page?.url).toBe(`${url.slice(0, 499)}…`)
})

/** cloud metadata endpoints, in every spelling that a browser understands */
const metadata = [
  'http://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254:8443/',
  'http://169.254.170.2/v2/credentials',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.169.254./',
  'http://１６９.254.169。254/',
  'http://169.254.169%2E254/',
  'http://user@169.254.169.254/',
  'http:\\\\169.254.169.254\\',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[0:0:0:0:0:FFFF:169.254.169.254]:80/',
  'http://[::169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[64:ff9b:1::169.254.169.254]/',
  'http://[64:ff9b:1:a9fe:a9:fe00::]/',
  'http://[2001:0:a9fe:a9fe:8000:63bf:3fff:fdd2]/',
  'http://[2001::4136:e378:8000:63bf:5601:5601]/',
  'http://[::5efe:169.254.169.254]/',
  'http://[2606:4700::200:5efe:a9fe:a9fe]/',
  'http://[2002:808:808::5efe:169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://[fd00:0ec2:0:0:0:0:0:0254]/',
  'http://[fd20:ce::254]/',
  'http://[fe80::a9fe:a9fe]/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal../',
  'http://metadata.azure.internal/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://METADATA.google.internal./',
  'http://100.100.100.200/latest/meta-data/',
]

test.each(metadata)('the metadata endpoint %s is never allowed (X4-10)', url => {
  for (const hosts of [undefined, { private: true }, { allow: ['169.254.169.254', '[fd00:ec2::254]', '*.google.internal'] }])
    expect(checkUrl(url, { hosts })).toMatchObject({
      error: { code: 'url_not_allowed', message: expect.stringContaining('cloud metadata address') },
    })
})

/** hosts of this machine or its local network */
const near = `127.0.0.1 127.1 0177.0.0.1 2130706433 127.255.255.254 0 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1
  100.64.0.1 100.127.255.255 198.18.0.1 192.0.0.8 224.0.0.1 255.255.255.255 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.1.2.3]
  [::127.0.0.1] [64:ff9b::192.168.0.1] [2002:c0a8:0101::] [2002:7f00:1::1]
  [64:ff9b::127.0.0.1] [64:ff9b:1::] [64:ff9b:1::8.8.8.8] [64:ff9b:1:ffff:ffff:ffff:ffff:ffff] [2001:0:a00:1:8000:63bf:3fff:fdd2]
  [2001:0:4136:e378:8000:63bf:80ff:fffe] [2001::3f57:fefe] [::5efe:10.0.0.1] [2606:4700::5efe:192.168.0.1] [2606:4700::200:5efe:127.0.0.1]
  [2002:808:808::5efe:10.0.0.1] [fc00::1] [fd12:3456::1] [ff02::1] localhost LOCALHOST localhost. app.localhost
  printer.local nas.lan router intranet vault.internal hub.home.arpa`.split(/\s+/)
/** public hosts */
const far = `example.com 8.8.8.8 9.255.255.255 11.0.0.0 126.255.255.255 128.0.0.1 172.15.255.255 172.32.0.0 192.167.0.1 192.169.0.1
  100.63.255.255 100.128.0.0 169.253.0.1 169.255.0.1 223.255.255.255 [2606:4700::1111] [::ffff:8.8.8.8] [64:ff9b::8.8.8.8] [64:ff9b:2::1]
  [2002:808:808::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:1::80ff:fffe] [2606:4700::5efe:8.8.8.8] [2606:4700::100:5efe:10.0.0.1]
  [2606:4700::10.0.0.1] [::5eff:10.0.0.1] localhost.example.com mylocalhost.com internal.example 127.0.0.1.example.com`.split(/\s+/)

test.each(near)('%s is a private host, refused with private: false (X4-10)', host => {
  expect(checkUrl(`http://${host}:8080/`)).toMatchObject({ ok: true })
  const hosts = { private: false, allow: [host] }
  expect(checkUrl(`http://${host}:8080/`, { hosts })).toMatchObject({
    error: { code: 'url_not_allowed', message: expect.stringContaining('private hosts are blocked') },
  })
})

test.each(far)('%s is not a private host (X4-10)', host => {
  expect(checkUrl(`http://${host}/`, { hosts: { private: false } })).toMatchObject({ ok: true })
})

/** a rule, a URL, and whether they match */
const matches: readonly (readonly [rule: string, url: string, match: boolean])[] = [
  ['example.com', 'https://example.com/a', true],
  ['example.com', 'https://EXAMPLE.com.:8443/', true],
  ['Example.COM.', 'https://example.com/', true],
  ['example.com', 'https://www.example.com/', false],
  ['example.com', 'https://example.com.evil.net/', false],
  ['example.com', 'https://notexample.com/', false],
  ['example.com', 'https://example.com@evil.net/', false],
  ['*.example.com', 'https://example.com/', true],
  ['*.example.com', 'https://a.b.example.com/', true],
  ['*.example.com', 'https://notexample.com/', false],
  ['*.example.com', 'https://example.com.evil.net/', false],
  ['example.com:8080', 'http://example.com:8080/', true],
  ['example.com:8080', 'http://example.com/', false],
  ['example.com:443', 'https://example.com/', true],
  ['example.com:443', 'http://example.com/', false],
  ['example.com:80', 'http://example.com/', true],
  ['*.example.com:8080', 'http://a.example.com:8080/', true],
  ['127.0.0.1', 'http://2130706433/', true],
  ['0x7f.1', 'http://127.0.0.1/', true],
  ['[::1]:3000', 'http://[0:0::1]:3000/', true],
  ['[::1]', 'http://127.0.0.1/', false],
  ['例え.jp', 'https://xn--r8jz45g.jp/', true],
]

test.each(matches)('the host rule %s and the URL %s: %s (B4)', (host, url, match) => {
  expect(checkUrl(url, { hosts: { allow: [host] } }).ok).toBe(match)
  expect(checkUrl(url, { hosts: { deny: [host] } }).ok).toBe(!match)
  expect(checkUrl(url, { hosts: { allow: [host], deny: [host] } }).ok).toBe(false)
})

test('host rules do not apply to about:blank and files', () => {
  const hosts = { allow: ['example.com'], private: false }
  expect(checkUrl('about:blank', { hosts })).toMatchObject({ ok: true })
  expect(checkUrl('file:///home/me/project/a', { files, hosts })).toMatchObject({ ok: true })
  expect(checkUrl('ftp://example.com/', { hosts })).toMatchObject({ error: { code: 'url_not_allowed' } })
})

const broken: readonly (readonly [given: unknown, why: string])[] = [
  [undefined, 'must be an object'],
  ['example.com', 'must be an object'],
  [{}, 'is empty'],
  [{ allow: [] }, 'non-empty list of'],
  [{ allow: undefined }, 'non-empty list of'],
  [{ allow: 'example.com' }, 'list of'],
  [{ allowed: ['example.com'] }, 'takes allow, allowResources, deny, private'],
  [{ private: 'no' }, 'true or false'],
  ...[
    '',
    ' ',
    '*',
    '*.',
    '*.*.com',
    'ex*mple.com',
    'https://example.com',
    'example.com/',
    'example.com:',
    'example.com:99999',
    'a b',
    'a@b',
    '*.127.0.0.1',
    '[::1',
    '256.1.1.1',
    'a%2eb',
    'evil.test\u0000',
    '\u0001evil.test',
    'a.test,b.test',
    'a.test;b.test',
    'a..test',
    '.a.test',
    `${'a'.repeat(64)}.test`,
  ].map(host => [{ deny: ['example.com', host] }, 'is not a host'] as const),
  [{ allow: ['a.test', 'b.test'], deny: ['b.test'] }, '"b.test" is in hosts.allow and in hosts.deny'],
]

test.each(broken)('the host rules %j are rejected instead of ignored (TRUST C2)', (given, why) => {
  expect(parseHostRules(given)).toMatchObject({ ok: false, error: { code: 'invalid_input', message: expect.stringContaining(why) } })
})

test.each(['example.org/a', '//example.org', 'localhost:8123/x'])('a URL without a scheme is refused with what to add: %s', given => {
  const result = checkUrlSyntax(given)
  expect(result.ok ? '' : textOf(result.message)).toBe(
    'The URL is not absolute. Begin it with https://, or with http:// for a server on this machine.',
  )
})
