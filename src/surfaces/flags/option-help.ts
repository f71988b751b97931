import { flagOf, type OptionSpec, type OptionSpecs } from './option-spec.ts'

/** One row per option, for `columns`. */
export const optionRows = (options: OptionSpecs): [string, string][] => Object.entries(options).map(optionRow)

function optionRow([field, spec]: [string, OptionSpec]): [string, string] {
  const { type, value, description = '', enum: words, default: initial } = spec
  const shown = type === 'boolean' ? '' : ` ${words?.join('|') ?? value ?? (type === 'integer' ? 'N' : 'TEXT')}`
  return [
    `${flagOf(field, spec)}${shown}`,
    initial === undefined || type === 'boolean' ? description : `${description} (default: ${initial})`,
  ]
}

/** Two aligned columns; a name too long for its column gets a line of its own. */
export function columns(rows: readonly (readonly [name: string, description: string])[]): string[] {
  const names = rows.map(([name]) => name.length).filter(length => length <= maxNameWidth)
  const width = Math.max(...names)
  return rows.map(
    ([name, description]) => `  ${name.padEnd(width)}${name.length > width ? `\n${' '.repeat(width + 2)}` : ''}   ${description}`,
  )
}
const maxNameWidth = 32
