// the background host of the command line: started by the first command that needs it
import { runHost } from '../surfaces/cli/host.ts'
import { open } from './session.ts'

await runHost({ open })
