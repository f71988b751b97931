import { expect, test } from 'vitest'
import { serveHttp } from '../../../src/surfaces/mcp/http.ts'
import { mcpServer } from '../../../src/surfaces/mcp/server.ts'
import { webTools } from '../../../src/tools.ts'
import { openCdpPage } from '../../support/cdp-page.ts'

/** what a page gets from an MCP server that it initializes and lists the tools of */
const callServer = (url: string, token: string) => `(async () => {
  const headers = { authorization: 'Bearer ${token}', 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const call = (method, params, more) => fetch('${url}', { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
  try {
    const first = await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } })
    const id = first.headers.get('mcp-session-id')
    const listed = await call('tools/list', {}, { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' })
    return [first.status, listed.status, (await listed.text()).includes('web_snapshot')]
  } catch (error) { return String(error) }
})()`

test('a page of an allowed origin can call the HTTP server from a browser, and no other page can (TRUST D1)', async () => {
  await using page = await openCdpPage('<p>page</p>')
  const { origin } = new URL(page.url)
  const connect = () => ({ server: mcpServer(webTools(page.session.run), { version: '1' }), close: async () => {} })
  const allowing = await serveHttp({ port: 0, origins: [origin], connect })
  const refusing = await serveHttp({ port: 0, origins: ['http://localhost:1'], connect })
  try {
    expect(await page.evaluate(callServer(allowing.url, allowing.token))).toEqual([200, 200, true])
    expect(await page.evaluate(callServer(refusing.url, refusing.token))).toContain('Failed to fetch')
  } finally {
    await Promise.all([allowing.close(), refusing.close()])
  }
})
