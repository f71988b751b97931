import { fileURLToPath } from 'node:url'
import { messageOf } from '../contract/error-message.ts'
import { quote } from '../contract/quote.ts'
import { toSentence } from '../contract/text.ts'
import { findRelay } from '../relay/find-relay.ts'
import { type RelayServer, type RelayServerStatus, startRelay } from '../relay/server.ts'
import { parseRelayFlags, type RelayFlags } from '../surfaces/cli/relay.ts'
import { stderr, stdout } from '../surfaces/terminal.ts'

/** a relay that another command started ends after this long without a client */
const endAfterMs = 30 * 60_000

/** `pagehand relay` */
export async function run(words: readonly string[]): Promise<number> {
  const flags = parseRelayFlags(words)
  if (typeof flags === 'string') {
    stderr.write(`pagehand: ${toSentence(flags)} Run: pagehand help relay\n`)
    return 2
  }
  const running = await findRelay()
  if (running) {
    print(flags.json ? JSON.stringify(running.status) : `A relay is running.\n${describe(running.status)}`)
    return 0
  }
  if (flags.json) {
    print(JSON.stringify(null))
    return 0
  }
  const server = await startRelay(toOptions(flags)).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? `port ${flags.port ?? 17_419} is in use by another program` : messageOf(error)
    stderr.write(`pagehand: the relay did not start: ${why}\n`)
  })
  if (!server) return 1
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
  if (flags.background) print('ready')
  else await watch(server)
  await server.closed
  return 0
}

const toOptions = ({ port, idleMs, background }: RelayFlags) => ({
  ...(port !== undefined && { port }),
  ...(idleMs !== undefined && { idleMs }),
  ...(background && { endAfterMs }),
})

/** Prints the state, and again whenever it changes. */
async function watch(server: RelayServer): Promise<void> {
  let last = ''
  const show = () => {
    const text = describe(server.status())
    if (text !== last) print(`${last === '' ? '' : '\n'}${text}`)
    last = text
  }
  print(`pagehand relay on port ${server.port} of this machine. Stop it with Control+C.`)
  show()
  const timer = setInterval(show, 500)
  server.closed.then(() => clearInterval(timer))
}

/** The state as text. Titles come from pages. */
function describe({ isPaired, code, browser, tabs, clients }: RelayServerStatus): string {
  const lines = [browser === undefined ? 'Chrome: not connected' : `Chrome: connected (${browser})`]
  if (!isPaired) lines.push(`Extension: ${extensionFolder}`, `Click its icon in Chrome and enter this code: ${code}`)
  for (const { title, url, kind, client } of tabs)
    lines.push(`Tab: ${quote(title)} ${url} (${kind}${client === undefined ? '' : `, used by ${client}`})`)
  if (clients.length > 0) lines.push(`Programs: ${clients.join(', ')}`)
  return lines.join('\n')
}

/** where the build puts the extension */
export const extensionFolder = fileURLToPath(new URL('./extension/', import.meta.url))

const print = (text: string) => stdout.write(`${text}\n`)

// started by `startRelayProcess`
if (process.argv[2] === '--background') process.exitCode = await run(process.argv.slice(2))
