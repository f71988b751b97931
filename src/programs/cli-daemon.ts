// The daemon of the command line, started by the first command that needs a browser.
import { runDaemon } from '../surfaces/cli/daemon/server.ts'
import { openFor } from './open-session.ts'

await runDaemon({ open: openFor('command line') })
