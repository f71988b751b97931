import { runHost } from '../../../src/surfaces/cli/daemon/server.ts'
import { openHtml } from './open-html.ts'

await runHost({ open: openHtml, idleMs: Number(process.env.TEST_IDLE_MS ?? 60_000) })
