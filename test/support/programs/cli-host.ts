import { serve } from '../../../src/surfaces/cli/host.ts'
import { openHtml } from './open-html.ts'

const host = await serve({ open: openHtml, idleMs: Number(process.env.TEST_IDLE_MS ?? 60_000) })
process.stdout.write('ready\n')
await host?.closed
process.exit()
