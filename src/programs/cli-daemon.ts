// the background host of the command line: started by the first command that needs it
import { runHost } from '../surfaces/cli/daemon/server.ts'
import { open } from './open-session.ts'

await runHost({ open })
