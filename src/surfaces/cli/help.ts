import { fieldsOf, general } from './arguments.ts'
import { type CommandSpec, kebab, type OptionSpec, placeholder } from './command-spec.ts'
import { commandSpecs } from './commands.generated.ts'
import { programHelp } from './program-help.ts'

export const exits = 'Exit codes: 0 done, 1 it did not work (standard error says why and what to do next), 2 wrong use.\n'

/** commands that are no verbs of a page */
export const others: { readonly [command: string]: string } = {
  'html FILE|-': 'A page from a file or standard input, without a browser.',
  batch: 'Run commands from standard input, one per line, in one go.',
  'mcp [--http PORT]': 'Serve the tools to an MCP client over stdio.',
  'report FOLDER': 'Make the report of recorded runs, and check their logs.',
  status: 'Say which sessions are open and where they are.',
  'stop [--session NAME]': 'Close one session, or everything.',
  doctor: 'Say which browser is used and why, and what is missing.',
  install: 'Get a browser where there is none.',
  'completion bash|zsh|fish': 'Print the completion of a shell.',
  'help [COMMAND]': 'Say what a command takes.',
}

/** what can be written where a yes or no is required: arguments.ts reads it */
const answerWords = 'accept or dismiss; yes or no, true or false are the same'

/** What all commands are, or what one takes. */
export function help(command?: string): string | null {
  if (command === undefined) return everything()
  const row = Object.hasOwn(commandSpecs, command) ? commandSpecs[command] : undefined
  return row ? one(command, row) : (programHelp(command) ?? null)
}

function everything(): string {
  const verbs = Object.entries(commandSpecs).map(([command, row]): [string, string] => [usage(command, row), row.description])
  return [
    'pagehand: budgeted eyes and hands on web pages for language models',
    '',
    ...columns(verbs),
    '',
    ...columns(Object.entries(others)),
    '',
    'pagehand help COMMAND tells the options of one. Every command takes:',
    ...optionLines(general),
    '',
    exits,
  ].join('\n')
}

function one(command: string, row: CommandSpec): string {
  const { description, required: needs } = row
  const fields = fieldsOf(row)
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !needs.includes(field)))
  const required = needs.flatMap(field => {
    const taken = fields[field]
    const said = taken?.enum?.join(', ') ?? taken?.description ?? (taken?.type === 'boolean' ? answerWords : undefined)
    return said ? [`  ${placeholder(field).padEnd(22)} ${said}`] : []
  })
  return [
    `pagehand ${usage(command, { required: needs, fields })}   ${description}`,
    '',
    ...required,
    ...optionLines(own),
    ...(required.length + Object.keys(own).length > 0 ? [''] : []),
    'Also, as for every command:',
    ...optionLines(general),
    '',
    exits,
  ].join('\n')
}

export const usage = (command: string, { required: needs, fields }: Pick<CommandSpec, 'required' | 'fields'>): string =>
  [command, ...needs.map(field => `${placeholder(field)}${fields[field]?.type === 'array' ? '…' : ''}`)].join(' ')

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, description]) => `  ${name.padEnd(width)}   ${description}`)
}

export const optionLines = (fields: { readonly [field: string]: OptionSpec }): string[] => columns(Object.entries(fields).map(optionRow))

function optionRow([field, { type, description, enum: words, default: otherwise }]: [string, OptionSpec]): [string, string] {
  const value = type === 'boolean' ? '' : type === 'integer' ? ' N' : words ? ` ${words.join('|')}` : ' TEXT'
  const name = `--${type === 'boolean' && otherwise === true ? 'no-' : ''}${kebab(field)}${value}`
  const known = otherwise === undefined || type === 'boolean' ? '' : `default ${otherwise}`
  return [name, [description, known].filter(Boolean).join('; ')]
}
