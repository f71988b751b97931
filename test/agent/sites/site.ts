// Small web applications on loopback. Each keeps its state on the server, which is what tests check.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SiteRequest {
  readonly path: string
  readonly query: URLSearchParams
  /** fields of a form, or the members of a JSON object */
  readonly form: URLSearchParams
  readonly json: unknown
  /** names of the uploaded files, by field */
  readonly files: ReadonlyMap<string, { readonly name: string; readonly text: string }>
  readonly isPost: boolean
  readonly cookie: string
  /** the host and port that the browser used */
  readonly host: string
}

export interface SiteResponse {
  readonly html?: string
  readonly script?: string
  readonly json?: unknown
  readonly redirect?: string
  readonly cookie?: string
}

/** A web application: its state, and its responses, which change it. */
export interface SiteDefinition<State = unknown> {
  start(): State
  respond(request: SiteRequest, state: State): SiteResponse | Promise<SiteResponse>
}

export interface RunningSite<State = unknown> {
  readonly url: string
  readonly state: State
  [Symbol.asyncDispose](): Promise<void>
}

/** `rewrite` changes every page before it is sent: the same application in another version. */
export async function openSite<State>(
  site: SiteDefinition<State>,
  rewrite: (html: string) => string = html => html,
): Promise<RunningSite<State>> {
  const state = site.start()
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const body = Buffer.concat(chunks).toString('utf8')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const type = request.headers['content-type'] ?? ''
    const answer = await site.respond(
      {
        path: decodeURIComponent(pathname),
        query: searchParams,
        form: new URLSearchParams(type.startsWith('application/x-www-form-urlencoded') ? body : ''),
        json: type.startsWith('application/json') ? JSON.parse(body || 'null') : undefined,
        files: filesIn(body, type),
        isPost: request.method === 'POST',
        cookie: request.headers.cookie ?? '',
        host: request.headers.host ?? '',
      },
      state,
    )
    const { html, script, json, redirect, cookie } = answer
    const headers = { 'cache-control': 'no-store', ...(cookie && { 'set-cookie': cookie }) }
    if (redirect !== undefined) response.writeHead(303, { ...headers, location: redirect }).end()
    else if (html !== undefined) response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(rewrite(html))
    else if (script !== undefined) response.writeHead(200, { ...headers, 'content-type': 'text/javascript; charset=utf-8' }).end(script)
    else
      response
        .writeHead(json === undefined ? 404 : 200, { ...headers, 'content-type': 'application/json' })
        .end(JSON.stringify(json ?? null))
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The text files of a multipart/form-data body. */
function filesIn(body: string, type: string): SiteRequest['files'] {
  const boundary = /boundary=(\S+)/.exec(type)?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`)
  return new Map(
    parts.flatMap(part => {
      const [, field, name] = /name="([^"]*)"; filename="([^"]+)"/.exec(part) ?? []
      const text = part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
      return field === undefined || name === undefined ? [] : [[field, { name, text }] as const]
    }),
  )
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)

export const page = (title: string, main: string, script = ''): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>body{font:16px sans-serif}label{display:block;margin:4px 0}td,th{padding:4px 8px}</style><body><header><nav><a href="/">Home</a> <a href="/help">Help</a></nav></header><main>${main}</main><footer><a href="/imprint">Imprint</a></footer>${script && `<script>${script}</script>`}</body></html>`

/** The script of a page that reports something to its server. It reads the response: until then, the request is pending. */
export const report = `const report = (path, data) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) }).then(response => response.json());`
