import { fieldsOf, general } from './arguments.ts'
import { kebab, placeholder, type Row, type Taken } from './command-spec.ts'
import { slice } from './commands.generated.ts'
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
  const row = Object.hasOwn(slice, command) ? slice[command] : undefined
  return row ? one(command, row) : (programHelp(command) ?? null)
}

function everything(): string {
  const verbs = Object.entries(slice).map(([command, row]): [string, string] => [usage(command, row), row.says])
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

function one(command: string, row: Row): string {
  const { says, needs } = row
  const fields = fieldsOf(row)
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !needs.includes(field)))
  const required = needs.flatMap(field => {
    const taken = fields[field]
    const said = taken?.words?.join(', ') ?? taken?.says ?? (taken?.type === 'boolean' ? answerWords : undefined)
    return said ? [`  ${placeholder(field).padEnd(22)} ${said}`] : []
  })
  return [
    `pagehand ${usage(command, { needs, fields })}   ${says}`,
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

export const usage = (command: string, { needs, fields }: Pick<Row, 'needs' | 'fields'>): string =>
  [command, ...needs.map(field => `${placeholder(field)}${fields[field]?.type === 'array' ? '…' : ''}`)].join(' ')

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, says]) => `  ${name.padEnd(width)}   ${says}`)
}

export const optionLines = (fields: { readonly [field: string]: Taken }): string[] => columns(Object.entries(fields).map(optionRow))

function optionRow([field, { type, says, words, otherwise }]: [string, Taken]): [string, string] {
  const value = type === 'boolean' ? '' : type === 'integer' ? ' N' : words ? ` ${words.join('|')}` : ' TEXT'
  const name = `--${type === 'boolean' && otherwise === true ? 'no-' : ''}${kebab(field)}${value}`
  const known = otherwise === undefined || type === 'boolean' ? '' : `default ${otherwise}`
  return [name, [says, known].filter(Boolean).join('; ')]
}
