import { expect, test } from 'vitest'
import { parseFlags } from '../../apps/desktop/main/studio.ts'
import { createTabPolicy } from '../../apps/desktop/main/tab-policy.ts'

const studio = new URL('http://127.0.0.1:4000/#token=x')

test('pages in tabs reach everything but the studio, files and cloud metadata (TRUST B4)', ({ task }) => {
  const { allowsDocument, allowsResource } = createTabPolicy({ studio })
  const refused = [
    ...['127.0.0.1', 'localhost', 'LOCALHOST', 'a.localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', '127.1'].map(
      host => `http://${host}:4000/api`,
    ),
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'chrome://settings',
    'devtools://devtools',
    'javascript:alert(1)',
    'mailto:someone@example.com',
  ]
  task.meta.tries = refused.length * 2
  for (const url of refused) expect([url, allowsDocument(url), allowsResource(url)]).toEqual([url, false, false])
  expect(allowsResource('ws://127.0.0.1:4000/api/live/x')).toBe(false)
  for (const url of [
    'https://example.com/',
    'http://127.0.0.1:4001/',
    'about:blank',
    'about:srcdoc',
    'blob:https://example.com/1',
    'data:text/html,x',
  ])
    expect([url, allowsDocument(url)]).toEqual([url, true])
  expect(allowsResource('wss://example.com/socket')).toBe(true)
})

test('allowed hosts hold for documents, denied ones for every request', () => {
  const { allowsDocument, allowsResource, hosts } = createTabPolicy({
    studio,
    hosts: { allow: ['*.example.com'], deny: ['ads.example.com'] },
  })
  const check = (url: string) => [allowsDocument(url), allowsResource(url)]
  expect(check('https://www.example.com/')).toEqual([true, true])
  expect(check('https://other.org/')).toEqual([false, true])
  expect(check('https://ads.example.com/')).toEqual([false, false])
  // the session of a tab has the same rules, so that open explains why
  expect(hosts.deny).toEqual(expect.arrayContaining(['ads.example.com', '127.0.0.1:4000', '[::1]:4000']))
})

test('the app shows a studio at an https link, or on this machine, and rejects any other argument', () => {
  expect(parseFlags([])).toEqual({})
  expect(parseFlags(['--studio=http://127.0.0.1:4000/#token=x']).studio?.origin).toBe('http://127.0.0.1:4000')
  expect(parseFlags(['--studio=https://studio.example/#token=x']).studio?.hostname).toBe('studio.example')
  for (const words of [
    ['--studio=http://studio.example/'],
    ['--studio=file:///x'],
    ['--studio=nowhere'],
    ['--studio'],
    ['--remote-debugging-port=1'],
    ['x'],
  ])
    expect(() => parseFlags(words), words.join(' ')).toThrow()
})
