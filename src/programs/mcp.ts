import { checkSessionRules } from '../drivers/cdp/session-rules.ts'
import { serveMcp } from '../surfaces/mcp/serve.ts'
import { version } from '../surfaces/version.ts'
import { openFor, readSecrets, toSessionOptions } from './open-session.ts'

/** `pagehand mcp` */
export async function run(words: readonly string[]): Promise<number> {
  const code = await serveMcp(words, {
    version,
    open: openFor('MCP server'),
    secretNames: file => Object.keys(readSecrets(file)),
    check: options => checkSessionRules(toSessionOptions(options)),
  })
  // the client is gone: do not wait for what the browser still has to send
  process.exit(code)
}
