import { openSession, type Session, type SessionOptions } from '../../src/browser.ts'
import type { DriverVerb } from '../../src/contract/commands.ts'
import type { Failure } from '../../src/contract/failures.ts'
import type { CommandData } from '../../src/contract/results.ts'
import type { SnapshotNode } from '../../src/contract/snapshot.ts'
import { renderSnapshot } from '../../src/render/text/render.ts'
import { sharedBrowser } from './open-page.ts'
import { isOverRelay, relayOptions } from './relay-ground.ts'
import { descendants, findRef } from './snapshot-nodes.ts'

/** A session with shorthands for tests. */
export interface TestSession {
  readonly session: Session
  /** where the given pages are served */
  readonly url: string
  /** the data of a command that must succeed */
  do<N extends DriverVerb>(name: N, args?: object, signal?: AbortSignal): Promise<CommandData[N]>
  /** the failure of a command that must fail */
  fails(name: DriverVerb, args?: object, signal?: AbortSignal): Promise<Failure>
  /** the snapshot as a model reads it */
  text(args?: object): Promise<string>
  /** all nodes of the snapshot, in document order */
  nodes(args?: object): Promise<SnapshotNode[]>
  /** the ref of `button "Save"`, or of the only element named or with the role `Save` */
  ref(query: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export interface SitePages {
  /** the page that is opened */
  readonly html?: string
  /** other files beside it, by path */
  readonly files?: Readonly<Record<string, string>>
}

/** Opens a session in the browser that this worker shares, unless the options name another. */
export async function openTestSession({ html, files = {} }: SitePages = {}, options: SessionOptions = {}): Promise<TestSession> {
  const { chromium, site } = await sharedBrowser()
  const folder = site.add({ '': html ?? '', ...files })
  const isShared = options.profile === undefined && options.launch === undefined && options.debugger === undefined
  const place = isOverRelay ? await relayOptions() : { browser: chromium }
  const session = await openSession({ ...(isShared && options.browser === undefined && options.attach === undefined && place), ...options })
  const wrapped = wrapSession(session, folder.url, folder.remove)
  if (html !== undefined) await wrapped.do('open', { url: folder.url })
  return wrapped
}

export function wrapSession(session: Session, url = '', end: () => void = () => {}): TestSession {
  const run = (name: DriverVerb, args: object, signal?: AbortSignal) => session.run({ name, ...args }, signal)
  const wrapped: TestSession = {
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
    text: async args => renderSnapshot(JSON.stringify(await wrapped.do('snapshot', args))).text,
    nodes: async args => descendants((await wrapped.do('snapshot', args)).tree),
    ref: async query => findRef((await wrapped.do('snapshot')).tree, query),
    async [Symbol.asyncDispose]() {
      end()
      await session.close()
    },
  }
  return wrapped
}
