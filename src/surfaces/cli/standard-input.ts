import type { CommandLine } from './run-command.ts'

export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** the field of a command that holds words for the page */
const typedFields: { readonly [verb: string]: string } = { fill: 'value', type: 'text' }

/**
 * Replaces `-` in `fill REF -` and `type REF -` by the words on standard input, without the final line break: arguments are visible to
 * every user in `ps`, and remain in the history of the shell.
 */
export async function withStandardInput(line: CommandLine): Promise<CommandLine> {
  const field = typedFields[line.verb]
  if (field === undefined || line.args[field] !== '-') return line
  return { ...line, args: { ...line.args, [field]: (await readStandardInput()).replace(/\r?\n$/, '') } }
}
