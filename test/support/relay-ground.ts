import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, TestRunner } from 'vitest'
import type { SessionOptions } from '../../src/browser.ts'
import { relayFolder } from '../../src/home/relay-address.ts'
import { startRelay } from '../../src/relay/server.ts'
import { startExtensionBrowser } from './extension-browser.ts'

// global, so that all files of a worker share it
const shared = globalThis as { pagehandRelay?: Promise<SessionOptions> }

declare module 'vitest' {
  interface TaskMeta {
    isOverRelay?: boolean
  }
}

/** whether test sessions go through the extension and the relay: `npm run test:relay` */
export const isOverRelay = process.env.PAGEHAND_TEST_RELAY === '1'

/** why a script that does not end cannot be ended in a lent tab */
export const noTermination = 'Chrome does not let extensions end a script: Runtime.terminateExecution is not allowed for untrusted clients'

/** Skips a test over the relay; `npm run test:relay` prints the reason. */
export function skipOverRelay(context: TestContext, reason: string): void {
  if (isOverRelay) context.skip(reason)
}

/** The options of a session in a Chromium with the extension. Each session has its own tab, and shares cookies with the others. */
export function relayOptions(): Promise<SessionOptions> {
  const { meta } = TestRunner.getCurrentTest() ?? {}
  if (meta) meta.isOverRelay = true
  shared.pagehandRelay ??= start()
  return shared.pagehandRelay
}

async function start(): Promise<SessionOptions> {
  const env = { PAGEHAND_HOME: await mkdtemp(join(tmpdir(), 'pagehand-relay-')) }
  const relay = await startRelay({ port: 0, env })
  // settings of a launched browser: scripts may open windows without a click, and scrollbars take no space
  const browser = await startExtensionBrowser({ args: ['--disable-popup-blocking', '--hide-scrollbars'] })
  await browser.pair(relay.status().code, relay.port)
  return { attach: { endpoint: relayFolder(env), client: 'tests', env }, viewport: { width: 1280, height: 720 } }
}
