import { columns, optionRows } from '../flags/option-help.ts'
import { type OptionSpec, placeholder } from '../flags/option-spec.ts'
import { sessionFlags } from '../flags/session-flags.ts'
import { generalOptions, optionsOf } from './arguments.ts'
import type { CommandSpec } from './command-spec.ts'
import { commandSpecs } from './commands.generated.ts'
import { programHelp } from './program-help.ts'

const exitCodes = 'Exit codes: 0 success, 1 failure (standard error says why and what to do next), 2 usage error.\n'

/** Commands that do not run a verb on a page. */
export const programCommands: { readonly [usage: string]: string } = {
  'html FILE|-': 'Read a page from a file or standard input, without a browser.',
  batch: 'Run commands from standard input, one per line.',
  'agent GOAL': 'Let a model reach a goal in a browser.',
  runs: 'List the runs of agents.',
  'run show|resume ID': 'Show a run, or go on with it.',
  'mcp [--http PORT]': 'Serve the tools to an MCP client over stdio or HTTP.',
  relay: 'Let programs on this machine use tabs that you lend in your own Chrome.',
  studio: 'Chat with an agent and watch its browser, in a page on this machine.',
  'record RUN': 'Write the actions of a run as a recording.',
  'replay FILE': 'Repeat a recording without a model.',
  'report FOLDER': 'Write the reports of recorded runs and verify their logs.',
  approvals: 'List the actions that wait for a decision.',
  'approve ID [--deny REASON]': 'Approve or deny an action that waits.',
  'grants [list|revoke ID|test JSON]': 'List, revoke or test lasting approvals.',
  'explain JSON': 'Say what a command on the open page would do, and whether it needs an approval.',
  status: 'List the open sessions.',
  'stop [--session NAME]': 'Close one session, or all sessions and the daemon.',
  'login URL --profile NAME': 'Log in by hand, in a window, and keep the login in a profile.',
  doctor: 'Show which browser is used and why, and what is missing.',
  install: 'Install a browser if none is found.',
  'completion bash|zsh|fish': 'Print a shell completion script.',
  'help [COMMAND]': 'Show the arguments and options of a command.',
}

/** The help of one command, or the overview of all; null for an unknown command. */
export function help(command?: string): string | null {
  if (command === undefined) return overview()
  const spec = Object.hasOwn(commandSpecs, command) ? commandSpecs[command] : undefined
  return spec ? commandHelp(command, spec) : (programHelp(command) ?? null)
}

function overview(): string {
  const verbs = Object.entries(commandSpecs).map(([command, spec]): [string, string] => [usageOf(command, spec), spec.description])
  return [
    'pagehand: budgeted eyes and hands on web pages for language models',
    '',
    'Commands on a page:',
    ...columns(verbs),
    '',
    'Other commands:',
    ...columns(Object.entries(programCommands)),
    '',
    ...sharedHelp,
    '',
    'Run pagehand help COMMAND for the options of one command.',
    '',
    exitCodes,
  ].join('\n')
}

/** columns of the same width, although they are two tables */
const sharedRows = columns(optionRows({ ...generalOptions, ...sessionFlags }))
const sharedHelp = [
  'Options of every command on a page:',
  ...sharedRows.slice(0, Object.keys(generalOptions).length),
  '',
  'Options of the command that opens a session; they apply until the session is stopped:',
  ...sharedRows.slice(Object.keys(generalOptions).length),
]

function commandHelp(command: string, spec: CommandSpec): string {
  const { description, required } = spec
  const options = optionsOf(spec)
  const own = Object.fromEntries(Object.entries(options).filter(([field]) => !required.includes(field)))
  const rows = [...required.map((field): [string, string] => [placeholder(field), describe(options[field])]), ...optionRows(own)]
  return [
    `pagehand ${usageOf(command, spec)}   ${description}`,
    '',
    ...(rows.length > 0 ? [...columns(rows), ''] : []),
    ...sharedHelp,
    '',
    exitCodes,
  ].join('\n')
}

const usageOf = (command: string, { required, positional = [], fields }: CommandSpec): string =>
  [
    command,
    ...required.map(field => `${placeholder(field)}${fields[field]?.type === 'array' ? '…' : ''}`),
    ...positional.map(field => `[${placeholder(field)}]`),
  ].join(' ')

/** what an argument is, with the values it can have */
const describe = ({ description = '', enum: words }: OptionSpec = { type: 'string' }): string =>
  words ? `${description}: ${words.join(', ')}` : description
