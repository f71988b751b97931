#!/usr/bin/env node
import { messageOf } from '../../contract/error-message.ts'
import { general, readArguments } from './arguments.ts'
import type { OptionSpec } from './command-spec.ts'
import { reach, reachOrStart } from './daemon/client.ts'
import { version } from './daemon/socket-path.ts'
import { asked, carryOut, say, wrongRules } from './run-command.ts'

const [command, ...words] = process.argv.slice(2)
async function main(): Promise<number> {
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') return help(words[0])
  if (command === '--version' || command === 'version') return print(`${version}\n`)
  if (words.includes('--help') || words.includes('-h')) return help(command)
  const own = Object.hasOwn(programs, command) ? programs[command] : undefined
  if (own) return own(words)
  const read = asked(command, words)
  if (!read.ok) return wrongUse(read.why, read.why.startsWith('unknown command') ? '' : ` ${command}`)
  const wrong = await wrongRules(read.options)
  if (wrong) return wrongUse(wrong, ` ${command}`)
  const client = await reachOrStart()
  try {
    return await carryOut(client, read)
  } finally {
    client.end()
  }
}

/** what a command on a page does not need is loaded when it is asked for */
const programs: { readonly [name: string]: (words: readonly string[]) => Promise<number> } = {
  html: async given => (await import('./html.ts')).html(given),
  report: async given => (await import('./report.ts')).report(given),
  batch: async given => (await import('./batch.ts')).batch(given),
  completion: async ([shell]) => {
    const script = (await import('./completion.ts')).completion(shell)
    return script === null ? wrongUse('name a shell: bash, zsh or fish.', '') : print(script)
  },
  status: given => askHost('status', given),
  stop: given => askHost('stop', given),
  mcp: given => beside('mcp', given),
  doctor: given => beside('cli-doctor', given),
  install: given => beside('cli-doctor', ['--install', ...given]),
}

async function askHost(what: 'status' | 'stop', given: readonly string[]): Promise<number> {
  // a misspelled --session must not stop everything
  const fields = { ...(what === 'stop' && { session: general.session as OptionSpec }), json: general.json as OptionSpec }
  const read = readArguments(given, { required: [], fields, others: {} })
  if (!read.ok) return wrongUse(read.why, ` ${what}`)
  const { session } = read.given
  const json = read.given.json === true
  const client = await reach()
  if (!client) return say({ id: 0, ok: true, text: 'nothing is running', sessions: [] }, json)
  const response = await client.ask(what === 'stop' && typeof session === 'string' ? { do: what, session } : { do: what })
  client.end()
  return say(response, json)
}

/** a program of its own, in the file beside this one */
async function beside(file: string, given: readonly string[]): Promise<number> {
  const { run } = (await import(new URL(`./${file}.js`, import.meta.url).href)) as { run(given: readonly string[]): Promise<number> }
  return run(given)
}

async function help(about: string | undefined): Promise<number> {
  if (about === 'html') return print((await import('./html.ts')).htmlHelp)
  if (about === 'report') return print((await import('./report.ts')).reportHelp)
  if (about === 'mcp') return print((await import('../mcp/options.ts')).mcpHelp)
  const { help: helpOf } = await import('./help.ts')
  const text = helpOf(about === 'help' ? undefined : about)
  if (text === null) return wrongUse(`unknown command ${about}`, '')
  const code = await print(text)
  return command === undefined ? 2 : code
}

const print = (text: string): Promise<number> => new Promise(done => process.stdout.write(text, () => done(0)))

function wrongUse(why: string, about: string): number {
  process.stderr.write(`pagehand: ${why.replace(/\.$/, '')}. Run: pagehand help${about}\n`)
  return 2
}

// whoever reads may have seen enough: pagehand html page.html | head -1
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.stderr.write(`pagehand: ${error.message}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await main().catch(error => {
  process.stderr.write(`pagehand: ${messageOf(error)}\n`)
  return 1
})
