import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createEgressRules } from '../../../src/drivers/cdp/egress/egress-rules.ts'
import { type EgressProxyOptions, startEgressProxy } from '../../../src/drivers/cdp/egress/proxy.ts'
import { createResolver, type Resolve } from '../../../src/drivers/cdp/egress/resolver.ts'
import { siteOf } from '../../../src/drivers/cdp/egress/site.ts'
import { parseProxyOptions } from '../../../src/drivers/cdp/egress/upstream.ts'
import { type HostRules, requestRefusal } from '../../../src/policy/host-rules.ts'
import { parseProxyUrl } from '../../../src/policy/proxy-url.ts'
import { serve } from '../../support/http-server.ts'

const answers =
  (...lists: readonly (readonly string[])[]): Resolve =>
  async () => {
    const list = lists.length > 1 ? (lists as string[][]).shift() : lists[0]
    return (list ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  }

const rulesWith = (hosts: HostRules, ask: Resolve) => createEgressRules(hosts, createResolver({ ask }))

async function openProxy(options: EgressProxyOptions) {
  const proxy = await startEgressProxy(options)
  const [host, port] = proxy.server.split(':')
  const at = { host: host ?? '', port: Number(port), agent: false as const }
  return {
    ...proxy,
    /** the status and body of a plain request; 'closed' if the connection was closed without a response */
    async get(url: string): Promise<string> {
      const sent = request({ ...at, path: url, headers: { host: new URL(url).host } }).end()
      try {
        const [response] = await once(sent, 'response')
        let body = ''
        for await (const part of response) body += part
        return `${response.statusCode} ${body}`
      } catch {
        return 'closed'
      }
    },
    /** the status of a tunnel; the socket is open if it is 200 */
    async tunnel(authority: string): Promise<{ status: number; socket: Socket }> {
      const sent = request({ ...at, method: 'CONNECT', path: authority }).end()
      const [response, socket] = await once(sent, 'connect')
      return { status: response.statusCode, socket }
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  }
}

test.each([
  ['127.0.0.1', 'a private address'],
  ['10.1.2.3', 'a private address'],
  ['100.64.0.1', 'a private address'],
  ['::ffff:192.168.0.1', 'a private address'],
  ['fd12::1', 'a private address'],
  ['169.254.169.254', 'a cloud metadata address'],
  ['fe80::1', 'a cloud metadata address'],
])('a name that resolves to %s is refused without private hosts (TRUST C1)', async (address, why) => {
  const rules = rulesWith({ private: false }, answers(['93.184.216.34', address]))
  await expect(rules.check({ hostname: 'inside.example', port: 443 })).rejects.toThrow(`it resolves to ${address}, ${why}`)
})

test('a name that resolves to a metadata address is refused by every rule, a denied address by its rule (TRUST C1)', async () => {
  const metadata = rulesWith({ allow: ['a.example'] }, answers(['169.254.169.254']))
  await expect(metadata.check({ hostname: 'a.example', port: 80 })).rejects.toThrow('cloud metadata')
  const denied = rulesWith({ deny: ['10.0.0.5'] }, answers(['10.0.0.5']))
  await expect(denied.check({ hostname: 'a.example', port: 80 })).rejects.toThrow('it resolves to 10.0.0.5, which is denied')
  const other = rulesWith({ deny: ['10.0.0.5'] }, answers(['10.0.0.6']))
  await expect(other.check({ hostname: 'a.example', port: 80 })).resolves.toHaveLength(1)
})

test('a connection uses the addresses that were checked, whatever the name resolves to later (TRUST C1)', async () => {
  await using inside = await serve((_, response) => response.end('inside'))
  const dialed: string[] = []
  // a name of a hostile server: public when it is checked, this machine from then on
  const ask = answers(['93.184.216.34'], ['127.0.0.1'])
  const rules = createEgressRules({ private: false }, ask)
  await using proxy = await openProxy({
    rules,
    dial: async addresses => {
      dialed.push(...addresses.map(({ address }) => address))
      throw new Error('there is no internet in tests')
    },
  })
  expect(await proxy.get(`http://rebind.example:${inside.port}/`)).toBe('closed')
  expect(dialed).toEqual(['93.184.216.34'])
  expect((await proxy.tunnel(`rebind.example:${inside.port}`)).status).toBe(403)
  expect(dialed).toHaveLength(1)
})

test('an answer of the resolver is kept, so that a page and the request after its check get the same addresses', async () => {
  const resolve = createResolver({ ask: answers(['93.184.216.34'], ['127.0.0.1']) })
  for (let times = 0; times < 3; times++) expect(await resolve('a.example')).toEqual([{ address: '93.184.216.34', family: 4 }])
})

test('the resolver follows --host-resolver-rules, and localhost is always this machine', async () => {
  const rules = 'MAP *.test 127.0.0.1, MAP gone.example ~NOTFOUND, EXCLUDE not.test'
  const resolve = createResolver({ rules, ask: answers(['93.184.216.34']) })
  expect(await resolve('a.b.test')).toEqual([{ address: '127.0.0.1', family: 4 }])
  await expect(resolve('gone.example')).rejects.toThrow('gone.example was not found')
  expect(await resolve('not.test')).toEqual([{ address: '93.184.216.34', family: 4 }])
  expect(await resolve('app.localhost')).toContainEqual({ address: '127.0.0.1', family: 4 })
  expect(await resolve('[::1]')).toEqual([{ address: '::1', family: 6 }])
})

const allow = ['www.example.co.uk', 'app.github.io', '127.0.0.1:3000', 'localhost', 'shop.example.com:8443']
test.each([
  ['www.example.co.uk', 443, true],
  ['cdn.example.co.uk', 443, true],
  ['example.co.uk', 80, true],
  ['other.co.uk', 443, false],
  ['other.github.io', 443, false],
  ['127.0.0.1', 3000, true],
  ['127.0.0.1', 3001, false],
  ['localhost', 3001, true],
  ['cdn.example.com', 8443, true],
  ['cdn.example.com', 443, false],
  ['static.cdn.example', 443, true],
  ['evil.example', 443, false],
  ['blocked.example.co.uk', 443, false],
])('a request to %s port %i is allowed: %s (TRUST C1)', (hostname, port, isAllowed) => {
  const rules = { allow, allowResources: ['*.cdn.example'], deny: ['blocked.example.co.uk'] }
  expect(requestRefusal({ hostname, port }, rules, siteOf) === '').toBe(isAllowed)
})

test('with allowResources * a page loads from every host except denied and private ones', () => {
  const rules = { allow: ['a.example'], allowResources: ['*'], deny: ['b.example'], private: false }
  const refusal = (hostname: string) => requestRefusal({ hostname, port: 443 }, rules, siteOf)
  expect([refusal('any.example'), refusal('b.example'), refusal('10.0.0.1')]).toEqual([
    '',
    'its host is denied',
    'it is a private address, and private hosts are blocked',
  ])
})

test('a plain request and a tunnel reach an allowed host, and are refused for others (TRUST C1)', async () => {
  let headers: IncomingHttpHeaders = {}
  await using server = await serve((asked, response) => {
    headers = asked.headers
    response.end(`${asked.method} ${asked.url}`)
  })
  await using proxy = await openProxy({ rules: rulesWith({ allow: [`127.0.0.1:${server.port}`] }, answers(['127.0.0.1'])) })
  expect(await proxy.get(`${server.url}a?b=1`)).toBe('200 GET /a?b=1')
  expect(headers).toMatchObject({ host: `127.0.0.1:${server.port}` })
  expect(await proxy.get(server.other)).toBe('closed')
  expect((await proxy.tunnel(`localhost:${server.port}`)).status).toBe(403)
  const { status, socket } = await proxy.tunnel(`127.0.0.1:${server.port}`)
  expect(status).toBe(200)
  socket.write('GET /through HTTP/1.0\r\n\r\n')
  expect(String((await once(socket, 'data'))[0])).toContain('GET /through')
  socket.destroy()
})

test('closing the proxy ends open connections, and nothing listens afterwards (TRUST C1)', async () => {
  await using server = await serve(() => {}) // never answers
  await using proxy = await openProxy({ rules: rulesWith({ private: true }, answers(['127.0.0.1'])) })
  const { socket } = await proxy.tunnel(`127.0.0.1:${server.port}`)
  const pending = proxy.get(server.url)
  const ended = once(socket, 'close')
  await proxy.close()
  await ended
  expect(await pending).toBe('closed')
  const [host, port] = proxy.server.split(':')
  await expect(once(connect({ host: host ?? '', port: Number(port) }), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a request that is not meant for a proxy is closed', async () => {
  await using proxy = await openProxy({})
  const [, port] = proxy.server.split(':')
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

// only root can start a process of another user
test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('the proxy serves only processes of the same user', async () => {
  await using server = await serve((_, response) => response.end('reached'))
  await using proxy = await openProxy({})
  const [, port] = proxy.server.split(':')
  const ask = async (uid: number) => {
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET ${server.url} HTTP/1.0\\r\\nHost: a\\r\\n\\r\\n' >&3; cat <&3`
    const child = spawn('bash', ['-c', command], { uid, stdio: ['ignore', 'pipe', 'ignore'] })
    let out = ''
    child.stdout.on('data', part => {
      out += part
    })
    await once(child, 'close')
    return out
  }
  expect(await ask(0)).toContain('reached')
  expect(await ask(65_534)).toBe('')
})

/** An HTTP proxy that records what it is asked for, and sends everything to one port. */
async function openHttpUpstream(port: number, login?: string) {
  const asked: string[] = []
  const isAllowed = (headers: IncomingHttpHeaders) =>
    !login || headers['proxy-authorization'] === `Basic ${Buffer.from(login).toString('base64')}`
  const server = createServer((given, response) => {
    asked.push(`${given.method} ${given.url}`)
    response.writeHead(isAllowed(given.headers) ? 200 : 407).end('from the upstream proxy')
  })
  server.on('connect', (given, client: Socket) => {
    asked.push(`CONNECT ${given.url}`)
    if (!isAllowed(given.headers)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    const remote = connect(port, '127.0.0.1')
    client.pipe(remote).pipe(client)
    client.on('error', () => remote.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('without rules an HTTP proxy gets names and whole requests, and the login', async () => {
  await using server = await serve((_, response) => response.end('from the server'))
  await using upstream = await openHttpUpstream(server.port, 'me:s:cret')
  const options = { server: upstream.server, username: 'me', password: 's:cret', bypass: ['localhost'] }
  await using proxy = await openProxy({ upstream: parseProxyOptions(options) })
  expect(await proxy.get('http://site.example/page')).toBe('200 from the upstream proxy')
  expect((await proxy.tunnel('site.example:443')).status).toBe(200)
  expect(await proxy.get(server.other)).toBe('200 from the server')
  expect(upstream.asked).toEqual(['GET http://site.example/page', 'CONNECT site.example:443'])
})

test('with rules an HTTP proxy gets the checked address, and nothing that is refused (TRUST C1)', async () => {
  await using server = await serve((asked, response) => response.end(`for ${asked.headers.host}`))
  await using upstream = await openHttpUpstream(server.port)
  const rules = rulesWith({ allow: ['site.example'] }, answers(['93.184.216.34']))
  await using proxy = await openProxy({ rules, upstream: parseProxyOptions({ server: upstream.server }) })
  expect(await proxy.get('http://site.example/page')).toBe('200 for site.example')
  expect(await proxy.get('http://other.example/page')).toBe('closed')
  expect(upstream.asked).toEqual(['CONNECT 93.184.216.34:80'])
})

test('a wrong login is reported, and the answer of the upstream proxy is not shown as a page', async () => {
  await using upstream = await openHttpUpstream(0, 'me:right')
  const errors: string[] = []
  const upstreamOptions = parseProxyOptions({ server: upstream.server.replace('//', '//me:wrong@') })
  await using proxy = await openProxy({ upstream: upstreamOptions, onError: (_, reason) => errors.push(reason) })
  expect((await proxy.tunnel('site.example:443')).status).toBe(502)
  expect(errors).toEqual(['the proxy refused the login'])
  expect(await proxy.get('http://site.example/')).toBe('closed')
  expect(errors).toEqual(['the proxy refused the login', 'the proxy refused the login'])
})

test('a proxy that does not answer is reported as the reason, for http and https', async () => {
  const errors: string[] = []
  const upstream = parseProxyOptions({ server: 'http://127.0.0.1:1' })
  await using proxy = await openProxy({ upstream, onError: ({ port }, reason) => errors.push(`${port} ${reason}`) })
  expect(await proxy.get('http://site.example/')).toBe('closed')
  expect((await proxy.tunnel('site.example:443')).status).toBe(502)
  expect(errors).toEqual(['80 the proxy does not answer: connect ECONNREFUSED 127.0.0.1:1', '443 connect ECONNREFUSED 127.0.0.1:1'])
})

/** A SOCKS5 proxy with a login, which sends everything to one port. */
async function openSocksUpstream(port: number, login: string) {
  const asked: string[] = []
  const server = createTcpServer(async client => {
    client.on('error', () => {})
    await once(client, 'data')
    client.write(Buffer.from([5, 2]))
    const [auth] = (await once(client, 'data')) as [Buffer]
    const nameLength = auth[1] ?? 0
    const given = `${auth.subarray(2, 2 + nameLength)}:${auth.subarray(3 + nameLength)}`
    client.write(Buffer.from([1, given === login ? 0 : 1]))
    if (given !== login) return void client.end()
    const [target] = (await once(client, 'data')) as [Buffer]
    asked.push(target.subarray(3).toString('hex'))
    client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    const remote = connect(port, '127.0.0.1')
    client.pipe(remote).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    server: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

test('a SOCKS5 proxy with a login gets the name without rules, and the checked address with rules', async () => {
  await using server = await serve((_, response) => response.end('from the server'))
  await using upstream = await openSocksUpstream(server.port, 'me:secret')
  const parsed = parseProxyOptions({ server: upstream.server, username: 'me', password: 'secret' })
  for (const rules of [
    undefined,
    rulesWith({ private: true }, answers(['93.184.216.34'])),
    rulesWith({ private: true }, answers(['2606:2800::1'])),
  ]) {
    await using proxy = await openProxy({ rules, upstream: parsed })
    expect(await proxy.get('http://a.example/')).toBe('200 from the server')
  }
  const [name, ipv4, ipv6] = upstream.asked
  expect(name).toBe(`0309${Buffer.from('a.example').toString('hex')}0050`)
  expect(ipv4).toBe('015db8d8220050')
  expect(ipv6).toBe('0426062800000000000000000000000001'.concat('0050'))
  await using wrong = await openProxy({ upstream: { ...parsed, password: 'other' } })
  expect((await wrong.tunnel('a.example:443')).status).toBe(502)
})

test.each([
  ['http://proxy.example:3128', { protocol: 'http:', hostname: 'proxy.example', port: 3128, username: '', password: '' }],
  ['proxy.example:3128', { protocol: 'http:', hostname: 'proxy.example', port: 3128, username: '', password: '' }],
  ['https://a%40b:c%3Ad@Proxy.example', { protocol: 'https:', hostname: 'proxy.example', port: 443, username: 'a@b', password: 'c:d' }],
  ['socks5://127.0.0.1', { protocol: 'socks5:', hostname: '127.0.0.1', port: 1080, username: '', password: '' }],
  ['ftp://proxy.example', null],
  ['http://proxy.example/path', null],
  ['http://', null],
  ['', null],
])('the proxy URL %j is read as %j (TRUST C2)', (text, expected) => {
  expect(parseProxyUrl(text)).toEqual(expected)
})

test('invalid proxy options are errors (TRUST C2)', () => {
  expect(() => parseProxyOptions({ server: 'ftp://x' })).toThrow('proxy.server is a URL')
  expect(() => parseProxyOptions({ server: 'x:1', bypass: ['http://a'] })).toThrow('is not a host')
})
