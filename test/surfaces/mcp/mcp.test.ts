import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from '../../../scripts/programs.mjs'
import { readLog } from '../../../src/evidence.ts'
import { serveHttp } from '../../../src/surfaces/mcp/http.ts'
import { parseMcpOptions } from '../../../src/surfaces/mcp/options.ts'
import { mcpServer } from '../../../src/surfaces/mcp/server.ts'
import { agentPrompt, browserPrompt, toOpenAI, webToolList, webTools } from '../../../src/tools.ts'
import { page } from '../../render/page.ts'
import { until } from '../../support/processes.ts'
import { recordingDriver } from '../../support/recording-driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-mcp-'))
beforeAll(async () => {
  await buildPrograms(folder, { mcp: 'test/support/programs/mcp.ts' })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Content = { type: string; text?: string; data?: string }[]
const textOf = (result: object) => ('content' in result ? (result.content as Content) : []).map(part => part.text ?? '').join('\n')

async function overStdio(...flags: string[]) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [join(folder, 'cli.js'), 'mcp', ...flags], stderr: 'pipe' })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, pid: transport.pid as number, [Symbol.asyncDispose]: () => client.close() }
}

const gone = (pid: number) =>
  until(
    () => {
      try {
        return !process.kill(pid, 0)
      } catch {
        return true
      }
    },
    { withinMs: 20_000, what: 'the end of the server' },
  )

test('an MCP client lists the web tools with the contract schemas and calls them', { timeout: 60_000 }, async () => {
  await using stdio = await overStdio()
  const { client } = stdio
  const { tools } = await client.listTools()
  expect(tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }))).toEqual(
    toOpenAI(webToolList()).map(tool => tool.function),
  )
  const annotationsOf = (tool: string) => tools.find(({ name }) => name === tool)?.annotations
  const harmless = { readOnlyHint: true, destructiveHint: false, openWorldHint: true }
  expect(annotationsOf('web_snapshot')).toEqual({ ...harmless, title: 'Snapshot', idempotentHint: true })
  expect(annotationsOf('web_scroll')).toEqual({ ...harmless, title: 'Scroll', idempotentHint: false })
  expect(annotationsOf('web_scroll_into_view')).toEqual({ ...harmless, title: 'Scroll into view', idempotentHint: true })
  expect(annotationsOf('web_open')).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: true })
  expect(annotationsOf('web_click')).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: false })
  expect(annotationsOf('web_check')).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true })
  expect(annotationsOf('web_close')).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: true })
  expect(annotationsOf('web_dblclick')?.title).toBe('Double-click')
  expect(annotationsOf('web_fill')).toMatchObject({ destructiveHint: true, idempotentHint: false })
  for (const { title, annotations } of tools) expect(annotations?.title).toBe(title)
  expect(client.getInstructions()).toContain('web_snapshot')
  expect(textOf(await client.callTool({ name: 'web_open', arguments: { url: 'http://shop.example/' } }))).toMatch(/^ok: open/)
  expect(textOf(await client.callTool({ name: 'web_snapshot', arguments: {} }))).toContain('- link "Next" [href="/next"] [ref=e1]')
  const refused = await client.callTool({ name: 'web_click', arguments: { element: 'Next' } })
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toMatch(/^invalid_input: unknown field "element": web_click takes ref\./)
  const shot = await client.callTool({ name: 'web_screenshot', arguments: {} })
  expect((shot.content as Content).map(({ type }) => type)).toEqual(['text', 'resource_link'])
  const [, link] = shot.content as { uri: string }[]
  const { resources } = await client.listResources()
  expect(resources).toEqual([{ uri: link?.uri, name: expect.stringMatching(/\.png$/), mimeType: 'image/png' }])
  expect((await client.readResource({ uri: link?.uri ?? '' })).contents).toEqual([
    { uri: link?.uri, mimeType: 'image/png', blob: 'iVBORw0KGgo=' },
  ])
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('there is no resource')
})

test('a client that asks for progress hears from a call that takes long', { timeout: 60_000 }, async () => {
  await using stdio = await overStdio()
  const { client } = stdio
  await client.callTool({ name: 'web_open', arguments: { url: 'http://shop.example/' } })
  const abort = new AbortController()
  const messages: (string | undefined)[] = []
  const call = client.callTool({ name: 'web_wait', arguments: { text: 'never' } }, undefined, {
    signal: abort.signal,
    onprogress: ({ message }) => {
      messages.push(message)
      if (messages.length === 2) abort.abort()
    },
  })
  await expect(call).rejects.toThrow()
  expect(messages).toEqual(['web_wait is running for 1 s', 'web_wait is running for 2 s'])
})

test('flags choose the tools and their permissions (S4-42)', { timeout: 60_000 }, async () => {
  {
    await using stdio = await overStdio('--tools', 'browser')
    expect((await stdio.client.listTools()).tools.map(({ name }) => name)).toEqual(['browser'])
    expect(stdio.client.getInstructions()).toBe(browserPrompt())
    expect(
      textOf(await stdio.client.callTool({ name: 'browser', arguments: { action: 'navigate', target_url: 'http://shop.example/' } })),
    ).toMatch(/^ok: open/)
  }
  {
    await using stdio = await overStdio('--tools', 'agent')
    expect((await stdio.client.listTools()).tools).toHaveLength(7)
    expect(stdio.client.getInstructions()).toBe(agentPrompt())
  }
  await using stdio = await overStdio('--allow-eval', '--images')
  expect((await stdio.client.listTools()).tools.map(({ name }) => name)).toContain('web_eval')
  const shot = await stdio.client.callTool({ name: 'web_screenshot', arguments: {} })
  expect((shot.content as Content)[1]).toMatchObject({ type: 'image', data: 'iVBORw0KGgo=' })
})

test('denied verbs and hosts are neither offered nor executed (TRUST C2, TRUST E2)', { timeout: 60_000 }, async () => {
  await using stdio = await overStdio('--read-only', '--deny', 'web_screenshot', '--deny-host', '*.evil.example', '--allow-eval')
  const { client } = stdio
  const offered = (await client.listTools()).tools.map(({ name }) => name)
  expect(offered).toEqual(expect.arrayContaining(['web_open', 'web_snapshot', 'web_scroll', 'web_tabs']))
  for (const name of ['web_click', 'web_fill', 'web_upload', 'web_eval', 'web_screenshot']) {
    expect(offered).not.toContain(name)
    expect(textOf(await client.callTool({ name, arguments: {} }))).toMatch(new RegExp(`^disabled: ${name} is denied by the policy`))
  }
  expect(client.getInstructions()).toContain('not offered here')
  const opening = async (url: string) => textOf(await client.callTool({ name: 'web_open', arguments: { url } }))
  expect(await opening('http://shop.evil.example/')).toMatch(/^url_not_allowed: .*its host is denied/)
  expect(await opening('http://shop.example/')).toMatch(/^ok: open/)
})

test('--evidence records every call and writes the report when the client disconnects (S2-11 S2-60)', {
  timeout: 60_000,
}, async () => {
  const runsFolder = join(folder, 'evidence')
  for (const tools of ['web', 'browser', 'agent']) {
    const { client, pid } = await overStdio('--evidence', runsFolder, '--tools', tools)
    const url = 'http://shop.example/'
    if (tools === 'web') await client.callTool({ name: 'web_open', arguments: { url } })
    else if (tools === 'agent') await client.callTool({ name: 'open-url', arguments: { url } })
    else await client.callTool({ name: 'browser', arguments: { action: 'navigate', target_url: url } })
    await client.close()
    await gone(pid)
  }
  const runs = readdirSync(runsFolder).filter(name => name !== 'index.html')
  expect(runs).toHaveLength(3)
  for (const run of runs) {
    const { events, damage } = readLog(readFileSync(join(runsFolder, run, 'events.jsonl'), 'utf8'))
    expect(damage).toBeUndefined()
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'tool.call',
      'command',
      'result',
      'evidence',
      'tool.result',
      'run.ended',
    ])
    expect(readFileSync(join(runsFolder, run, 'report.html'), 'utf8')).toContain('http://shop.example/')
    expect(readFileSync(join(runsFolder, 'index.html'), 'utf8')).toContain(run)
  }
})

test('an --evidence folder that cannot be written fails before the server starts', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli.js'), 'mcp', '--evidence', join(folder, 'package.json')], {
    input: '',
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^pagehand: E(NOTDIR|EXIST).*package\.json/)
})

test('an invalid flag is rejected before anything starts', () => {
  for (const [given, why] of [
    [['--deny', 'web_clik'], 'there is no "web_clik" to deny; the names are open,'],
    [['--deny', ''], 'there is no "" to deny'],
    [['--deny'], '--deny needs a value'],
    [['--evidence', '--read-only'], '--evidence needs a value'],
    [['--allow-host', 'https://example.com/'], 'is not a host'],
    [['--deny-host', '*'], 'is not a host'],
    [['--read-only', '--no-read-only'], '--no-read-only contradicts an earlier flag'],
    [['--private-hosts', '--no-private-hosts'], '--no-private-hosts contradicts an earlier flag'],
    [['--http', '0', '--allow-origin', '*'], '--allow-origin is an origin such as https://app.example, not *'],
    [['--http', '0', '--allow-origin', 'https://a.test/path'], '--allow-origin is an origin'],
    [['--allow-origin', 'https://a.test'], '--allow-origin needs --http'],
    [['--read-only=no'], '--read-only is true or false, not no'],
    [['--policy', 'none'], 'unknown option --policy'],
    [['everything'], 'unexpected argument everything'],
  ] as const)
    expect(parseMcpOptions(given), given.join(' ')).toContain(why)
  expect(parseMcpOptions(['--no-private-hosts', '--allow-host', 'a.example', '--allow-host=*.b.example:8443'])).toMatchObject({
    hosts: { allow: ['a.example', '*.b.example:8443'], private: false },
  })
  expect(parseMcpOptions(['--tools', 'all'])).toBe('--tools is web, browser or agent, not all')
  expect(parseMcpOptions(['--viewport', 'big'])).toContain('--viewport is a size')
  expect(parseMcpOptions(['--http', 'x'])).toContain('--http is a port')
  expect(parseMcpOptions(['--http', '70000'])).toContain('--http is a port')
  expect(parseMcpOptions([])).toEqual({ tools: 'web', browser: {}, images: false, origins: [], sites: [] })
})

test('the server exits when its client disconnects', { timeout: 60_000 }, async () => {
  const { client, pid } = await overStdio()
  await client.callTool({ name: 'web_open', arguments: { url: 'http://shop.example/' } })
  await client.close()
  await gone(pid)
})

/** an HTTP server on a recorded page, with a count of closed clients */
async function overHttp(origins: readonly string[] = [], limits: { idleMs?: number; maxClients?: number } = {}) {
  const driver = recordingDriver({ shows: () => page([]) })
  let closed = 0
  const served = await serveHttp({
    port: 0,
    origins,
    ...limits,
    connect: () => ({ server: mcpServer(webTools(driver.run), { version: '1' }), close: async () => void closed++ }),
  })
  return { ...served, commands: driver.commands, closed: () => closed, [Symbol.asyncDispose]: served.close }
}

test('the official client works over HTTP with the token', async () => {
  await using http = await overHttp()
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(http.url), {
    requestInit: { headers: { authorization: `Bearer ${http.token}` } },
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  expect((await client.listTools()).tools).toHaveLength(24)
  expect(textOf(await client.callTool({ name: 'web_press_key', arguments: { key: 'Enter' } }))).toMatch(/^ok: press Enter/)
  await transport.terminateSession()
  await client.close()
  await until(() => http.closed() === 1, { what: 'the end of the client' })
})

interface Knock {
  readonly headers?: { readonly [name: string]: string | undefined }
  readonly method?: string
  readonly path?: string
  readonly body?: string
}

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'web_press_key', arguments: { key: 'Enter' } } })

/** one request with a valid token, host and type unless overridden */
function knock(
  { url, token }: { url: string; token: string },
  { headers = {}, method = 'POST', path = '/mcp', body = call }: Knock,
): Promise<{ status: number; cors: string | undefined; headers: IncomingHttpHeaders; text: string }> {
  const { port } = new URL(url)
  const all = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: given }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      const { statusCode: status = 0, headers } = response
      response.on('close', () => resolve({ status, cors: headers['access-control-allow-origin'], headers, text }))
    })
    sent.on('error', reject)
    sent.end(method === 'GET' ? undefined : body)
  })
}

const intruders: { readonly [who: string]: Knock } = {
  'without a token': { headers: { authorization: undefined } },
  'with a bad token': { headers: { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  'with the token in the URL': { headers: { authorization: undefined }, path: '/mcp?token=x' },
  'with the token of another scheme': { headers: { authorization: 'Basic AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  'with an empty token': { headers: { authorization: 'Bearer ' } },
  'with a token of one letter': { headers: { authorization: 'Bearer A' } },
  'with a very long token': { headers: { authorization: `Bearer ${'A'.repeat(10_000)}` } },
  'with a token that is not ASCII': { headers: { authorization: 'Bearer \u00e9\u00e9\u00e9\u00e9' } },
  'with the token in a cookie': { headers: { authorization: undefined, cookie: 'token=x; authorization=Bearer x' } },
  'with the token in another header': { headers: { authorization: undefined, 'x-authorization': 'Bearer x' } },
  'for another host name': { headers: { host: 'evil.example' } },
  'for the right name with another port': { headers: { host: '127.0.0.1:1' } },
  'for a name that only begins like this host': { headers: { host: '127.0.0.1.evil.example' } },
  'for a name that resolves to this host': { headers: { host: 'localtest.example:80' } },
  'for every address': { headers: { host: '0.0.0.0' } },
  'for this host without its port': { headers: { host: '127.0.0.1' } },
  'for localhost without its port': { headers: { host: 'localhost' } },
  'for an IPv6 address without its port': { headers: { host: '[::1]' } },
  'for a host with user info': { headers: { host: 'x@127.0.0.1' } },
  'without a host': { headers: { host: '' } },
  'from a web page': { headers: { origin: 'https://evil.example' } },
  'from an opaque origin': { headers: { origin: 'null' } },
  'from another port of this machine': { headers: { origin: 'http://localhost:1' } },
  'from localhost without a port': { headers: { origin: 'http://localhost' } },
  'from localhost over TLS': { headers: { origin: 'https://localhost' } },
  'from an origin in upper case': { headers: { origin: 'HTTP://EVIL.EXAMPLE' } },
  'from an empty origin': { headers: { origin: ' ' } },
  'from a page of an app': { headers: { origin: 'capacitor://localhost' } },
  'from two origins': { headers: { origin: 'http://localhost:3000, https://evil.example' } },
  'from a file': { headers: { origin: 'file://' } },
  'from an extension': { headers: { origin: 'chrome-extension://abcdef' } },
  'with the content type of a form': { headers: { 'content-type': 'text/plain' } },
  'with the content type of a form field': { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  'with the content type of an upload': { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
  'with a content type that begins like JSON': { headers: { 'content-type': 'application/jsonp' } },
  'without a content type': { headers: { 'content-type': undefined } },
  'that is a CORS preflight without an origin': { method: 'OPTIONS' },
  'that is a CORS preflight of a file': { method: 'OPTIONS', headers: { origin: 'null' } },
  'that is a CORS preflight': { method: 'OPTIONS', headers: { origin: 'https://evil.example' } },
  'with too large a body': { body: `"${'x'.repeat(1_100_000)}"` },
}

test('a caller without the token, or with another one, learns how to send it (TRUST D1)', async () => {
  await using http = await overHttp()
  for (const [authorization, challenge, problem] of [
    [undefined, 'Bearer realm="pagehand"', 'has no token'],
    ['Bearer wrong', 'Bearer realm="pagehand", error="invalid_token"', 'not the one of this server'],
  ]) {
    const { status, headers, text } = await knock(http, { headers: { authorization } })
    expect([status, headers['www-authenticate'], headers['content-type']]).toEqual([401, challenge, 'application/json'])
    const { jsonrpc, error } = JSON.parse(text)
    expect(jsonrpc).toBe('2.0')
    expect(error.message).toContain(problem)
    expect(error.message).toContain('Authorization: Bearer TOKEN')
    expect(text).not.toContain(http.token)
  }
})

for (const [who, how] of Object.entries(intruders))
  test(`a request ${who} is rejected and does nothing (TRUST D1)`, async () => {
    await using http = await overHttp()
    // the server may close the connection before the whole body is sent: that counts as a rejection
    const { status, cors } = await knock(http, how).catch(() => ({ status: 413, cors: undefined }))
    expect([400, 401, 403, 405, 413, 415]).toContain(status)
    expect(cors).toBeUndefined()
    expect(http.commands).toEqual([])
  })

test('broken JSON, a batch of 1,000 calls, an endless body and 500 slow connections do not stop the server (TRUST D1)', async ({
  task,
}) => {
  task.meta.tries = 5
  await using http = await overHttp()
  const { port } = new URL(http.url)
  const slow = Array.from({ length: 500 }, () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\n')
    return socket
  })
  await Promise.all(slow.map(socket => once(socket, 'connect')))
  try {
    expect((await knock(http, { body: '{"jsonrpc":' })).status).toBe(400)
    const batch = await knock(http, { body: `[${Array.from({ length: 1_000 }, () => call).join(',')}]` })
    expect([400, 404, 413]).toContain(batch.status)
    // without a length, so that only the received bytes can be counted
    const ended = new Promise<number>(resolve => {
      const headers = { authorization: `Bearer ${http.token}`, 'content-type': 'application/json' }
      const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, answer => resolve(answer.statusCode ?? 0))
      sent.on('error', () => resolve(413)) // closed before all of it was sent
      for (let n = 0; n < 20; n++) sent.write('x'.repeat(100_000))
    })
    expect(await ended).toBe(413)
    expect(http.commands).toEqual([])
    expect((await joinAs(http)).status).toBe(200)
  } finally {
    for (const socket of slow) socket.destroy()
  }
})

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
})

test('an allowed origin may call and read the answer, and a short token is rejected (TRUST D1)', async () => {
  const origin = 'http://localhost:3000'
  await using http = await overHttp([origin])
  const { status, cors, headers } = await knock(http, { headers: { origin }, body: initialize })
  expect([status, cors, headers.vary]).toEqual([200, origin, 'Origin'])
  expect(headers['access-control-expose-headers']).toBe('mcp-session-id')
  const preflight = await knock(http, { method: 'OPTIONS', headers: { origin, authorization: undefined }, body: '' })
  expect([preflight.status, preflight.cors]).toEqual([204, origin])
  expect(preflight.headers['access-control-allow-headers']).toContain('authorization')
  for (const refused of [
    { origin: 'http://localhost:3001' },
    { origin, host: 'evil.example' },
    { origin: undefined, authorization: undefined },
  ])
    expect([401, 403]).toContain((await knock(http, { method: 'OPTIONS', headers: refused, body: '' })).status)
  await expect(serveHttp({ port: 0, token: 'short', connect: () => Promise.reject(new Error('no')) as never })).rejects.toThrow('128 bits')
})

const joinAs = (http: { url: string; token: string }) => knock(http, { body: initialize })

test('one client too many gets 503 and the reason, also if all arrive at once, and the others go on (TRUST D1)', async () => {
  await using http = await overHttp([], { maxClients: 3 })
  const joined = await Promise.all(Array.from({ length: 5 }, () => joinAs(http)))
  expect(joined.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503])
  const refused = joined.find(({ status }) => status === 503)
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({ error: { message: expect.stringContaining('All 3 clients are in use') } })
  const id = String(joined.find(({ status }) => status === 200)?.headers['mcp-session-id'])
  expect((await knock(http, { headers: { 'mcp-session-id': id } })).status).toBe(200)
  expect((await knock(http, { method: 'DELETE', headers: { 'mcp-session-id': id }, body: '' })).status).toBe(200)
  expect((await joinAs(http)).status).toBe(200)
  const unknown = await knock(http, { headers: { 'mcp-session-id': id } })
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('Initialize again')])
})

test('clients that vanish are ended after their idle time, and a client that restarts many times is never locked out (TRUST D1)', async () => {
  await using http = await overHttp([], { idleMs: 20, maxClients: 2 })
  for (let restart = 0; restart < 40; restart++) {
    await until(async () => (await joinAs(http)).status === 200, { what: `client ${restart}` })
  }
  await until(() => http.closed() >= 40, { withinMs: 30_000, what: 'the end of all clients' })
})

test('a client with an open event stream is not idle', async () => {
  await using http = await overHttp([], { idleMs: 200 })
  let headers: { authorization: string; 'mcp-session-id': string } | undefined
  let joined = 0
  await until(async () => {
    const { headers: given } = await joinAs(http)
    joined++
    const authorization = `Bearer ${http.token}`
    headers = { authorization, 'mcp-session-id': String(given['mcp-session-id']) }
    const stream = await fetch(http.url, { headers: { ...headers, accept: 'text/event-stream' } })
    return stream.status === 200 // 404 if the idle time has passed already
  })
  // another client is ended, so the idle time has passed
  await joinAs(http)
  await until(() => http.closed() === joined, { what: 'the end of the idle clients' })
  expect((await knock(http, { headers: headers ?? {} })).status).toBe(200)
})

test('a token from the environment is not printed, a random one is (TRUST D1)', { timeout: 60_000 }, async () => {
  for (const token of [undefined, 'a-token-of-the-environment-1234']) {
    const env = { ...process.env, ...(token && { PAGEHAND_TOKEN: token }) }
    const server = spawn(process.execPath, [join(folder, 'cli.js'), 'mcp', '--http', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let printed = ''
    server.stderr.setEncoding('utf8').on('data', chunk => {
      printed += chunk
    })
    await until(() => printed.endsWith('\n'), { withinMs: 20_000, what: 'the URL' })
    server.kill('SIGTERM')
    await once(server, 'exit')
    expect(printed).toMatch(token ? /^pagehand mcp: http:\S+\/mcp\n$/ : /^pagehand mcp: http:\S+\/mcp\nauthorization: Bearer [\w-]{32}\n$/)
  }
})

test('the server listens on loopback only', async () => {
  await using http = await overHttp()
  expect(new URL(http.url).hostname).toBe('127.0.0.1')
  expect(http.token).toMatch(/^[\w-]{32}$/)
})
