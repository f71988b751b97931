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

/** Two aligned columns. Long descriptions are wrapped; a name that is too long for its column is on a separate line. */
export function columns(rows: readonly (readonly [name: string, description: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length).filter(length => length <= maxNameWidth))
  const indent = ' '.repeat(width + 5)
  return rows.map(([name, description]) => {
    const lines = wrap(description, maxWidth - indent.length)
    const start = name.length > width ? `  ${name}\n${indent}` : `  ${name.padEnd(width)}   `
    return `${start}${lines.join(`\n${indent}`)}`.trimEnd()
  })
}
const maxNameWidth = 32
const maxWidth = 120

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
