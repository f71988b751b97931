import { version } from '../surfaces/cli/daemon/socket-path.ts'
import { serveMcp } from '../surfaces/mcp/serve.ts'
import { open } from './open-session.ts'

/** `pagehand mcp` */
export async function run(given: readonly string[]): Promise<number> {
  const code = await serveMcp(given, { version, open })
  // a client that hangs up does not wait for what a browser still has to say
  process.exit(code)
}
