import { runDaemon } from '../../../src/surfaces/cli/daemon/server.ts'
import { openHtml } from './open-html.ts'

await runDaemon({ open: openHtml, idleMs: Number(process.env.TEST_IDLE_MS ?? 60_000) })
