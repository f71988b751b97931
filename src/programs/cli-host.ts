// the background host of the command line: started by the first command that needs it, ends when nobody does
import { serve } from '../surfaces/cli/host.ts'
import { open } from './session.ts'

const host = await serve({ open })
process.stdout.write('ready\n')
if (host) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void host.close())
  await host.closed
}
process.exit()
