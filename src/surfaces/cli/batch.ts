import { wordsOf } from './arguments.ts'
import { reachOrStart } from './daemon/client.ts'
import { asked, carryOut, wrongRules } from './run-command.ts'

/**
 * Commands from standard input, one per line: `click e12`, or as JSON: {"name":"click","ref":"e12"}. Stops at the first that fails unless
 * --keep-going says otherwise; words after `batch` go to every line.
 */
export async function batch(words: readonly string[]): Promise<number> {
  const keepGoing = words.includes('--keep-going')
  const shared = words.filter(word => word !== '--keep-going')
  const general = asked('back', shared)
  const wrong = general.ok ? await wrongRules(general.options) : ''
  if (wrong) {
    process.stderr.write(`pagehand batch: ${wrong}\n`)
    return 2
  }
  const lines = (await standardInput()).split('\n').map(line => line.trim())
  let client = await reachOrStart()
  let worst = 0
  try {
    for (const [index, line] of lines.entries()) {
      if (line === '' || line.startsWith('#')) continue
      const command = fromLine(line, shared)
      const why = command.ok ? await wrongRules(command.options) : command.why
      if (client.isOver()) client = await reachOrStart()
      if (command.ok && !why) worst = Math.max(worst, await carryOut(client, command))
      else {
        process.stderr.write(`pagehand batch: line ${index + 1}: ${why}\n`)
        worst = 2
      }
      if (worst > 0 && !keepGoing) return worst
    }
    return worst
  } finally {
    client.end()
  }
}

function fromLine(line: string, shared: readonly string[]) {
  if (!line.startsWith('{')) {
    const [command = '', ...words] = wordsOf(line)
    return asked(command, [...words, ...shared])
  }
  try {
    const { name, ...args } = JSON.parse(line)
    const bare = asked('back', shared)
    return bare.ok ? { ...bare, verb: String(name), args } : bare
  } catch {
    return { ok: false as const, why: 'not JSON' }
  }
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
