#!/usr/bin/env node

import { messageOf } from '../../contract/error-message.ts'
import { toSentence } from '../../contract/text.ts'
import type { OptionSpec } from '../flags/option-spec.ts'
import { agentInstallCommand, missingPackage } from '../missing-package.ts'
import { onOutputError, stderr, stdout } from '../terminal.ts'
import { version } from '../version.ts'
import { generalOptions, parseArguments } from './arguments.ts'
import { connectOrStart, connectToDaemon } from './daemon/client.ts'
import { withProgressLine } from './progress-line.ts'
import { invalidRules, isPageCommand, parseCommandLine, printResponse, runCommand } from './run-command.ts'
import { withStandardInput } from './standard-input.ts'
import { suggestCommand } from './suggest-command.ts'

const [command, ...words] = process.argv.slice(2)
async function main(): Promise<number> {
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') return printHelp(words[0])
  if (command === '--version' || command === 'version') return print(`${version}\n`)
  if (words.includes('--help') || words.includes('-h')) return printHelp(command)
  const program = Object.hasOwn(programs, command) ? programs[command] : undefined
  if (program) return program(words)
  const parsed = parseCommandLine(command, words)
  if (!parsed.ok) return usageError(parsed.why, isPageCommand(command) ? ` ${command}` : '')
  const why = await invalidRules(parsed.options)
  if (why) return usageError(why, ` ${command}`)
  const line = await withStandardInput(parsed)
  const client = await withProgressLine('starting', connectOrStart())
  try {
    return await runCommand(client, line)
  } finally {
    client.end()
  }
}

/** Loaded on demand, so that commands on a page start fast. */
const programs: { readonly [name: string]: (words: readonly string[]) => Promise<number> } = {
  html: async given => (await import('./html.ts')).html(given),
  report: async given => (await import('./report.ts')).report(given),
  approvals: async given => (await import('./approval-commands.ts')).approvalCommand('approvals', given),
  approve: async given => (await import('./approval-commands.ts')).approvalCommand('approve', given),
  grants: async given => (await import('./approval-commands.ts')).approvalCommand('grants', given),
  explain: async given => (await import('./approval-commands.ts')).approvalCommand('explain', given),
  batch: async given => (await import('./batch.ts')).batch(given),
  completion: async ([shell]) => {
    const script = (await import('./completion.ts')).completion(shell)
    return script === null ? usageError('name a shell: bash, zsh or fish', ' completion') : print(script)
  },
  status: given => askDaemon('status', given),
  stop: given => askDaemon('stop', given),
  agent: given => runProgram('cli-agent', given),
  runs: async given => (await import('./agent/runs.ts')).listRuns(given),
  run: async ([what, ...given]) => {
    if (what === 'show') return (await import('./agent/runs.ts')).showRun(given)
    return what === 'resume' ? runProgram('cli-agent', ['--resume', ...given]) : usageError('name what to do: show or resume', ' run')
  },
  mcp: given => runProgram('mcp', given),
  record: given => runProgram('cli-recordings', ['record', ...given]),
  replay: given => runProgram('cli-recordings', ['replay', ...given]),
  relay: given => runProgram('cli-relay', given),
  studio: given => runProgram('cli-studio', given),
  login: given => runProgram('cli-login', given),
  doctor: given => runProgram('cli-doctor', given),
  install: given => runProgram('cli-doctor', ['--install', ...given]),
}

async function askDaemon(what: 'status' | 'stop', given: readonly string[]): Promise<number> {
  // a misspelled --session must not stop everything
  const fields = { ...(what === 'stop' && { session: generalOptions.session as OptionSpec }), json: generalOptions.json as OptionSpec }
  const parsed = parseArguments(given, { required: [], fields, general: {} })
  if (!parsed.ok) return usageError(parsed.why, ` ${what}`)
  const { session, json } = parsed.values
  const client = await connectToDaemon()
  if (!client) return printResponse({ id: 0, ok: true, text: 'nothing is running', data: { sessions: [] } }, json === true)
  const request = what === 'stop' && typeof session === 'string' ? { do: what, session } : { do: what }
  const response = await withProgressLine(what, client.request(request))
  client.end()
  return printResponse(response, json === true)
}

/** Runs a program that the build puts into a file next to this one. */
async function runProgram(file: string, given: readonly string[]): Promise<number> {
  const { run } = (await import(new URL(`./${file}.js`, import.meta.url).href).catch(explainMissing)) as {
    run(given: readonly string[]): Promise<number>
  }
  return run(given)
}

/** Packages that only the agent needs are not installed with pagehand. */
function explainMissing(error: unknown): never {
  const name = missingPackage(error)
  if (name === undefined) throw error
  throw new Error(`the package ${name} is missing. Run: ${agentInstallCommand(name, words, process.env)}`)
}

async function printHelp(about: string | undefined): Promise<number> {
  if (about === 'html') return print((await import('./html.ts')).htmlHelp())
  if (about === 'report') return print((await import('./report.ts')).reportHelp)
  if (about === 'agent') return print((await import('./agent/options.ts')).agentHelp)
  if (about === 'run') return print((await import('./agent/options.ts')).runHelp)
  if (about === 'runs') return print((await import('./agent/runs.ts')).runsHelp)
  if (about === 'record' || about === 'replay') {
    const { recordHelp, replayHelp } = await import('./recordings.ts')
    return print(about === 'record' ? recordHelp : replayHelp)
  }
  if (about === 'mcp') return print((await import('../mcp/options.ts')).mcpHelp)
  if (about === 'relay') return print((await import('./relay.ts')).relayHelp)
  if (about === 'login') return print((await import('./login.ts')).loginHelp)
  if (about === 'studio') return print((await import('./studio.ts')).studioHelp)
  const { help } = await import('./help.ts')
  const text = help(about === 'help' ? undefined : about)
  if (text === null) return usageError(`unknown command ${about}${suggestCommand(about ?? '')}`, '')
  const code = await print(text)
  return command === undefined ? 2 : code
}

const print = (text: string): Promise<number> => new Promise(done => stdout.write(text, () => done(0)))

function usageError(why: string, about: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help${about}\n`)
  return 2
}

// the reader of the pipe may have enough: pagehand html page.html | head -1
onOutputError(error => {
  if (error.code !== 'EPIPE') stderr.write(`pagehand: ${error.message}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await main().catch(error => {
  stderr.write(`pagehand: ${messageOf(error)}\n`)
  return 1
})
