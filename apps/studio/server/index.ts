// The studio as one function, for the command line and for tests.
import { join } from 'node:path'
import type { LanguageModel } from 'ai'
import type { SessionOptions } from 'pagehand/browser'

import { type DemoOrder, serveDemoShop } from './demo-shop.ts'
import { serveStudio } from './server.ts'
import { ChatStore } from './store/chat-store.ts'
import { openDatabase } from './store/database.ts'
import { databasePlace, describeDatabase } from './store/database-place.ts'
import { sqlRunStore } from './store/run-store.ts'
import { Studio } from './studio.ts'

export interface StartStudioOptions {
  /** where chats, runs and pictures are kept */
  readonly dataFolder: string
  /** URL of a PostgreSQL server. @default an embedded database in the data folder */
  readonly database?: string
  /** the folder of the built page */
  readonly webFolder: string
  /** @default any free port */
  readonly port?: number
  /** a model as in `pagehand agent --model`. @default by the environment; without a key the built-in rules */
  readonly model?: LanguageModel
  readonly version: string
  /** @default a headless browser that may not open files of this machine */
  readonly session?: SessionOptions
  readonly secretNames?: readonly string[]
  /** who carries out the commands: a browser of this machine, or the window of the user. @default 'local' */
  readonly drive?: 'local' | 'remote'
  /** the folder with the pages of the demo shop; without it there is no demo */
  readonly demoFolder?: URL
}

export interface RunningStudio {
  /** the address to open, with its token */
  readonly link: string
  /** resolves if the studio cannot go on, since another one has taken its database */
  readonly failed: Promise<Error>
  readonly studio: Studio
  readonly demo?: { readonly goal: string; readonly url: string; orders(): readonly DemoOrder[] }
  /** Ends all connections; the pages connect again. */
  disconnect(): void
  close(): Promise<void>
}

/** Opens the database, serves the page and the API, and closes the books of runs that an earlier process left open. */
export async function startStudio(options: StartStudioOptions): Promise<RunningStudio> {
  const { dataFolder, database, webFolder, port, model, version, session = {}, secretNames, demoFolder, drive } = options
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const place = database === undefined ? { folder: join(dataFolder, 'database') } : databasePlace(database)
    const opened = await openDatabase(place)
    undo.push(() => opened.close())
    const shop = demoFolder && (await serveDemoShop(demoFolder))
    if (shop) undo.push(() => shop.close())
    const demo = shop && { url: shop.url, goal: demoGoal(shop.url) }
    const studio: Studio = new Studio({
      store: new ChatStore(opened.db),
      runs: sqlRunStore(opened.db, join(dataFolder, 'runs'), (run, file) => studio.noteFrame(run, file)),
      dataFolder,
      database: describeDatabase(place),
      isAvailable: opened.isAvailable,
      version,
      session: { viewport: { width: 1280, height: 800 }, fileRoots: [], uploadRoots: [], ...session },
      ...(model !== undefined && { model }),
      ...(demo && { demo }),
      ...(secretNames && { secretNames }),
      ...(drive && { drive }),
    })
    undo.push(() => studio.close())
    await studio.start()
    const server = await serveStudio({ studio, webFolder, ...(port !== undefined && { port }) })
    undo.push(() => server.close())
    return {
      link: server.link,
      failed: opened.taken,
      studio,
      close,
      disconnect: server.disconnect,
      ...(demo && { demo: { ...demo, orders: () => shop.orders } }),
    }
  } catch (error) {
    await close()
    throw error
  }
}

const demoGoal = (url: string): string =>
  `Open ${url}, add "Gooseneck Kettle, 0.9 l" to the cart and check out with full name Ann Lee, email ann@example.org.`

export { ChatBrowser, type SharedSession } from './chats/chat-browser.ts'
export { playDemo } from './demo.ts'
export { type LivePort, LiveSocket } from './live-socket.ts'
