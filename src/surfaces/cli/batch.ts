import { stderr } from '../terminal.ts'
import { splitWords } from './arguments.ts'
import { connectOrStart } from './daemon/client.ts'
import { invalidRules, parseCommandLine, parseJsonCommand, parseSharedOptions, runCommand } from './run-command.ts'
import { readStandardInput } from './standard-input.ts'

/**
 * Runs commands from standard input, one per line: `click e12`, or as JSON: {"name":"click","ref":"e12"}. Stops at the first failure
 * unless `--keep-going` is given; all other flags are added to every line.
 */
export async function batch(words: readonly string[]): Promise<number> {
  const keepGoing = words.includes('--keep-going')
  const flags = words.filter(word => word !== '--keep-going')
  // flags of one verb, such as --max-chars, are no mistake yet: the lines decide
  const shared = parseSharedOptions(flags)
  const why = shared.ok ? await invalidRules(shared.options) : ''
  if (why) {
    stderr.write(`pagehand batch: ${why}\n`)
    return 2
  }
  const lines = (await readStandardInput()).split('\n').map(line => line.trim())
  let client = await connectOrStart()
  let worst = 0
  try {
    for (const [index, line] of lines.entries()) {
      if (line === '' || line.startsWith('#')) continue
      const command = parseLine(line, flags)
      const wrong = command.ok ? await invalidRules(command.options) : command.why
      if (client.isClosed()) client = await connectOrStart()
      if (command.ok && !wrong) worst = Math.max(worst, await runCommand(client, command))
      else {
        stderr.write(`pagehand batch: line ${index + 1}: ${wrong}\n`)
        worst = 2
      }
      if (worst > 0 && !keepGoing) return worst
    }
    return worst
  } finally {
    client.end()
  }
}

function parseLine(line: string, flags: readonly string[]): ReturnType<typeof parseCommandLine> {
  if (!line.startsWith('{')) {
    const [command = '', ...words] = splitWords(line)
    return parseCommandLine(command, [...words, ...flags])
  }
  try {
    return parseJsonCommand(JSON.parse(line), flags)
  } catch {
    return { ok: false, why: 'not valid JSON' }
  }
}
