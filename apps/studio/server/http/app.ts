import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { createUIMessageStreamResponse } from 'ai'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { type StudioProblemCode, studioProblem } from 'pagehand/wire'
import { maxFileBytes } from '../chats/chat-files.ts'
import { logError } from '../log-error.ts'
import type { Studio } from '../studio.ts'
import { type Access, headersOf } from './access.ts'
import { maxMessageBytes, messageBody } from './message-body.ts'
import { RateLimit } from './rate-limit.ts'
import { studioRouter } from './router.ts'

export interface AppOptions {
  readonly studio: Studio
  readonly access: Access
  readonly messages: RateLimit
  /** the folder of the built page */
  readonly webFolder: string
}

/** from all clients together: wrong tokens, and requests, of which a window makes about one in a second */
const perMinute = { logins: 20, requests: 6_000 }

const securityHeaders = (host: string): { readonly [name: string]: string } => ({
  'content-security-policy': `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws://${host}; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
})

export function createApp({ studio, access, messages, webFolder }: AppOptions): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    const refused = access.refusal(headersOf(context), { needsCookie: false })
    if (refused) return context.json(problem(refused === 'host' ? 'wrong_host' : 'wrong_origin'), 403)
    await next()
    for (const [name, value] of Object.entries(securityHeaders(context.req.header('host') ?? ''))) context.header(name, value)
  })

  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse()
    logError(error)
    return context.json(problem('studio_failed'), 500)
  })

  const [logins, requests] = [new RateLimit(perMinute.logins), new RateLimit(perMinute.requests)]
  app.post('/api/auth', bodyLimit({ maxSize: 1_000 }), async context => {
    const given: unknown = await context.req.json().catch(() => undefined)
    // the right token always counts: wrong ones must not lock its owner out
    if (!access.isToken((given as { readonly token?: unknown } | null | undefined)?.token)) {
      if (logins.isReached) return context.json(problem('too_many_logins'), 429)
      logins.count()
      return context.json(problem('no_link'), 401)
    }
    context.header('set-cookie', access.setCookie())
    return context.json({ ok: true })
  })

  app.use('/api/*', access.guard)
  app.use('/api/*', async (context, next) => {
    if (requests.isReached) return context.json(problem('too_many_requests'), 429)
    requests.count()
    return next()
  })
  app.use('/api/*', (context, next) => (studio.isAvailable ? next() : Promise.resolve(context.json(problem('no_database'), 503))))
  // before the limit of other bodies
  app.put(
    '/api/chats/:id/files/:name',
    bodyLimit({ maxSize: maxFileBytes, onError: context => context.json(problem('file_too_large'), 413) }),
    async context => {
      const files = (await studio.chat(context.req.param('id'))) && studio.files(context.req.param('id'))
      if (!files) return context.notFound()
      const kept = await files.add(context.req.param('name'), new Uint8Array(await context.req.arrayBuffer()))
      return kept ? context.json(kept) : context.json(problem('too_many_files'), 409)
    },
  )
  app.delete('/api/chats/:id/files/:name', async context => {
    await studio.files(context.req.param('id'))?.remove(context.req.param('name'))
    return context.json({})
  })
  app.use('/api/*', bodyLimit({ maxSize: maxMessageBytes }))
  app.all('/api/trpc/*', context =>
    fetchRequestHandler({
      endpoint: '/api/trpc',
      req: context.req.raw,
      router: studioRouter,
      createContext: () => ({ studio }),
    }),
  )

  app.post('/api/chat', async context => {
    if (messages.isReached) return context.json(problem('too_many_messages'), 429)
    messages.count()
    const parsed = messageBody.safeParse(await context.req.json().catch(() => undefined))
    if (!parsed.success) return context.json(problem('not_a_message'), 400)
    const { id, message, browser } = parsed.data
    const started = await studio.send(id, message as never, { browser })
    if (!started.ok) return context.json(problem(started.reason), 409)
    return createUIMessageStreamResponse({ stream: started.stream })
  })
  app.get('/api/chat/:id/stream', context => {
    const stream = studio.resumeStream(context.req.param('id'))
    return stream ? createUIMessageStreamResponse({ stream }) : context.body(null, 204)
  })

  app.get('/api/runs/:id/files/*', async context => {
    const name = context.req.path.split('/files/')[1] ?? ''
    const content = await studio.runFile(context.req.param('id'), decoded(name))
    if (!content) return context.notFound()
    // a report is not a page of the studio, and neither is a file of another page
    if (extname(name) === '.html' || name.startsWith('downloads/')) context.header('content-disposition', 'attachment')
    return file(context, content, name, 'private, max-age=31536000, immutable')
  })
  app.get('/api/runs/:id/replay.html', async context => {
    const html = await studio.replayFile(context.req.param('id'), context.req.query('language'))
    if (html === undefined) return context.notFound()
    // saved, never shown here: its script would have the rights of this page
    context.header('content-disposition', `attachment; filename="pagehand-${context.req.param('id')}.html"`)
    return file(context, Buffer.from(html), 'replay.html', 'no-store')
  })
  app.all('/api/*', context => context.json(problem('no_route'), 404))

  app.get('*', async context => {
    const wanted = normalize(decoded(context.req.path)).replace(/^[/\\]+/, '')
    if (wanted.split(sep).includes('..')) return context.notFound()
    const isAsset = extname(wanted) !== ''
    // the page has addresses of its own, such as /runs/ID
    const name = isAsset ? wanted : 'index.html'
    const content = await readFile(join(webFolder, name)).catch(() => undefined)
    if (!content) return context.text(isAsset ? 'not found' : 'the page of the studio is not built: run npm run build', 404)
    return file(context, content, name, wanted.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
  return app
}

/** The body of an answer that refuses a request. */
const problem = (code: StudioProblemCode) => ({ error: studioProblem(code) })

/** Returns a path that cannot be decoded as it is: there is no such file. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const types: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

function file(context: Context, content: Uint8Array, name: string, cacheControl: string): Response {
  context.header('content-type', types[extname(name)] ?? 'application/octet-stream')
  context.header('cache-control', cacheControl)
  return context.body(content as Uint8Array<ArrayBuffer>)
}
