import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readRelayAddress, relayFolder } from '../../src/home/relay-address.ts'
import { findRelay } from '../../src/relay/find-relay.ts'
import { type RelayServer, type RelayServerOptions, startRelay } from '../../src/relay/server.ts'
import { connectClient, connectExtension, extensionOrigin, sayHello, sendCode } from '../support/scripted-extension.ts'

const servers: RelayServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: RelayServerOptions = {}) {
  const env = options.env ?? { PAGEHAND_HOME: mkdtempSync(join(tmpdir(), 'pagehand-relay-')) }
  const server = await startRelay({ port: 0, ...options, env })
  servers.push(server)
  return { server, env, code: server.status().code }
}

/** The status of an upgrade; 101 if it was accepted. */
const upgrade = (port: number, path: string, headers: Record<string, string>): Promise<number> =>
  new Promise(resolve => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => {})
  })

const get = (port: number, path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
  new Promise(resolve => {
    request({ host: '127.0.0.1', port, path, headers }, response => {
      let text = ''
      response.on('data', part => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).end()
  })

test('the address is in a private folder, in the format of Chrome, and disappears with the relay', async () => {
  const { server, env } = await start()
  const file = join(relayFolder(env), 'DevToolsActivePort')
  expect(readFileSync(file, 'utf8')).toBe(`${server.port}\n/devtools/browser/${server.token}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(relayFolder(env)).mode & 0o777).toBe(0o700)
  expect(await findRelay(env)).toMatchObject({ address: { port: server.port }, status: { isPaired: false, tabs: [] } })
  await server.close()
  expect(readRelayAddress(env)).toBeUndefined()
  expect(await findRelay(env)).toBeUndefined()
})

test('clients need the token, the exact host and no origin; the extension needs its own origin (TRUST D1)', async ({ task }) => {
  const { server } = await start()
  const { port, token } = server
  const cdp = `/devtools/browser/${token}`
  const host = { host: `127.0.0.1:${port}` }
  const cases: [string, Record<string, string>, number][] = [
    [cdp, host, 101],
    [cdp, { host: `localhost:${port}` }, 101],
    ['/extension', { ...host, origin: extensionOrigin }, 101],
    [cdp, { host: `evil.example:${port}` }, 403],
    [cdp, { host: '127.0.0.1' }, 403],
    [cdp, { host: `127.0.0.1.evil.example:${port}` }, 403],
    [cdp, { ...host, origin: 'https://evil.example' }, 403],
    [cdp, { ...host, origin: 'null' }, 403],
    [cdp, { ...host, origin: `http://127.0.0.1:${port}` }, 403],
    [cdp, { ...host, origin: extensionOrigin }, 403],
    ['/devtools/browser/', host, 401],
    [`/devtools/browser/${'x'.repeat(token.length)}`, host, 401],
    [`${cdp}x`, host, 401],
    [`/cdp?token=${token}`, host, 401],
    ['/extension', host, 403],
    ['/extension', { ...host, origin: 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai' }, 403],
    ['/extension', { ...host, origin: 'https://evil.example' }, 403],
    ['/extension', { host: `evil.example:${port}`, origin: extensionOrigin }, 403],
  ]
  task.meta.tries = cases.length
  for (const [path, headers, status] of cases) expect(await upgrade(port, path, headers), `${path} ${JSON.stringify(headers)}`).toBe(status)
  const bearer = { authorization: `Bearer ${token}` }
  expect(JSON.parse((await get(port, '/json/version', bearer)).text)).toMatchObject({ webSocketDebuggerUrl: expect.stringContaining(cdp) })
  for (const headers of [
    {},
    { authorization: 'Bearer x' },
    { ...bearer, host: 'evil.example' },
    { ...bearer, origin: 'https://evil.example' },
  ])
    for (const path of ['/json/version', '/json/relay', '/json/list', '/'])
      expect([401, 403]).toContain((await get(port, path, headers as Record<string, string>)).status)
})

test('an extension with a wrong code, a wrong key or another version gets nothing', async () => {
  const { server } = await start()
  expect(await sendCode(server.port, 'AAAA-AAAA')).toEqual({ type: 'refused', reason: 'wrong code' })
  expect((await sayHello(server.port, 'k'.repeat(43))).answer).toEqual({ type: 'refused', reason: 'not paired' })
  const { key } = await connectExtension({ port: server.port, code: server.status().code })
  expect((await sayHello(server.port, 'k'.repeat(43))).answer).toEqual({ type: 'refused', reason: 'not paired' })
  // the extension that is connected stays
  expect(server.status().browser).toBe('Chrome/147.0.0.0 (pagehand relay)')
  expect((await sayHello(server.port, key)).answer).toEqual({ type: 'ready' })
})

test('a connection that has proved nothing may send little, and takes the place of an older one, never that of the extension (TRUST D1)', async () => {
  const { server, code } = await start()
  const { key } = await connectExtension({ port: server.port, code })
  const connect = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/extension`, { headers: { origin: extensionOrigin } })
    socket.on('error', () => {}) // followed by 'close'
    await once(socket, 'open')
    return socket
  }
  const loud = await connect()
  loud.send('x'.repeat(1_000_000))
  await once(loud, 'close')
  const silent = [await connect(), await connect()]
  const isEnded = silent.map(socket => once(socket, 'close'))
  const others = []
  for (let count = 0; count < 8; count++) others.push(await connect())
  await Promise.all(isEnded)
  expect((await sayHello(server.port, key)).answer).toEqual({ type: 'ready' })
  for (const socket of others) socket.terminate()
})

test('the right code pairs although wrong ones were tried before', async () => {
  const { server, code } = await start()
  for (let tries = 0; tries < 3; tries++)
    expect(await sendCode(server.port, 'AAAA-AAAA')).toEqual({ type: 'refused', reason: 'wrong code' })
  // these are answered late
  for (let tries = 0; tries < 4; tries++) sendCode(server.port, 'AAAA-AAAA').catch(() => {}) // the relay ends first
  expect(await sendCode(server.port, code)).toHaveProperty('key')
})

test('a paired extension connects to the next relay with its key', async () => {
  const { server, env, code } = await start()
  const { key } = await connectExtension({ port: server.port, code })
  await server.close()
  const next = await start({ env })
  expect(next.server.token).not.toBe(server.token)
  await connectExtension({ port: next.server.port, key })
  await expect.poll(() => next.server.status().browser).toContain('Chrome/147')
})

test('a relay that a command started ends when no client has used it for a while', async () => {
  const { server } = await start({ endAfterMs: 50 })
  await server.closed
  const used = await start({ endAfterMs: 50 })
  const client = await connectClient(used.server)
  client.close()
  await used.server.closed
})

test('a path that is not a URL is refused and does not end the relay: any page can send one (TRUST D1, F2)', async () => {
  const { server } = await start()
  for (const path of ['//[', '//', '/%', '//a:b:c', '/extension//[']) expect(await upgrade(server.port, path, {}), path).toBe(401)
  expect(await upgrade(server.port, '//[', { origin: 'https://evil.example' })).toBe(403)
})
