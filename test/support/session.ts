import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSession, type Session, type SessionOptions } from '../../src/browser.ts'
import type { DriverVerb } from '../../src/contract/commands.ts'
import type { Failure } from '../../src/contract/failures.ts'
import type { CommandData } from '../../src/contract/results.ts'
import type { SnapshotNode } from '../../src/contract/snapshot.ts'
import { renderSnapshot } from '../../src/render/text/render.ts'
import { ground } from './chromium.ts'

/** A session with short words for what tests ask of it. */
export interface Driven {
  readonly session: Session
  /** of the pages that were given */
  readonly url: string
  /** the data of a command that must succeed */
  do<N extends DriverVerb>(name: N, args?: object, signal?: AbortSignal): Promise<CommandData[N]>
  /** the failure of a command that must fail */
  fails(name: DriverVerb, args?: object, signal?: AbortSignal): Promise<Failure>
  /** the snapshot as a model reads it */
  text(args?: object): Promise<string>
  /** every node of the snapshot, in document order */
  nodes(args?: object): Promise<SnapshotNode[]>
  /** ref of the one thing with this name, or of this role */
  ref(name: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Pages {
  /** opened at once */
  readonly html?: string
  /** other paths beside it */
  readonly files?: Readonly<Record<string, string>>
}

/** In the browser that this worker shares, unless the options name another: `await using page = await drive({ html })`. */
export async function drive({ html, files = {} }: Pages = {}, options: SessionOptions = {}): Promise<Driven> {
  const { chromium, site } = await ground()
  const folder = site.add({ '': html ?? '', ...files })
  const isShared = options.profile === undefined && options.launch === undefined && options.debugger === undefined
  const session = await openSession({ ...(isShared && { browser: chromium }), ...options })
  const driven = drivenBy(session, folder.url, folder.remove)
  if (html !== undefined) await driven.do('open', { url: folder.url })
  return driven
}

export function drivenBy(session: Session, url = '', end: () => void = () => {}): Driven {
  const run = (name: DriverVerb, args: object, signal?: AbortSignal) => session.run({ name, ...args }, signal)
  const driven: Driven = {
    session,
    url,
    async do(name, args = {}, signal) {
      const result = await run(name, args, signal)
      if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`)
      return result.data as never
    },
    async fails(name, args = {}, signal) {
      const result = await run(name, args, signal)
      if (result.ok) throw new Error(`${name} succeeded: ${JSON.stringify(result.data).slice(0, 500)}`)
      return result.error
    },
    text: async args => renderSnapshot(JSON.stringify(await driven.do('snapshot', args))).text,
    nodes: async args => below((await driven.do('snapshot', args)).tree),
    async ref(name) {
      const all = (await driven.nodes()).filter(node => node.ref)
      const called = all.filter(node => node.name === name)
      const found = called.length ? called : all.filter(node => node.role === name)
      if (found.length !== 1 || !found[0]?.ref) throw new Error(`${found.length} things are ${name}: ${JSON.stringify(all)}`)
      return found[0].ref
    },
    async [Symbol.asyncDispose]() {
      end()
      await session.close()
    },
  }
  return driven
}

const below = (node: SnapshotNode): SnapshotNode[] => (node.children ?? []).flatMap(child => [child, ...below(child)])

/** A server of a test's own, for answers that are slow, broken or not pages. */
export async function serve(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    other: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const page =
  (html: string): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html)
  }
