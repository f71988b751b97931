import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { commands } from '../../src/contract/commands.ts'

type JsonSchema = {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: JsonSchema
}

function typeOf({ type, enum: values, const: value, items }: JsonSchema): string {
  if (value !== undefined) return literal(value)
  if (values) return values.map(literal).join(' | ')
  if (type === 'array') return items?.enum ? `(${typeOf(items)})[]` : `${typeOf(items ?? {})}[]`
  return type === 'integer' ? 'number' : (type ?? 'unknown')
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

function fieldLines([name, schema]: [string, JsonSchema], isRequired: boolean): string[] {
  const words = [schema.description, schema.default === undefined ? undefined : `@default ${JSON.stringify(schema.default)}`].filter(
    Boolean,
  )
  const declaration = isRequired ? `${name}: ${typeOf(schema)}` : `${name}?: ${typeOf(schema)} | undefined`
  return [...(words.length ? [`    /** ${words.join(' ')} */`] : []), `    ${declaration}`]
}

function verbLines([name, { description, input }]: [string, (typeof commands)[keyof typeof commands]]): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: { [field: string]: JsonSchema }
    required?: string[]
  }
  const fields = Object.entries(properties).flatMap(field => fieldLines(field, required.includes(field[0])))
  const body = fields.length ? [`  ${name}: {`, ...fields, '  }'] : [`  ${name}: NoFields`]
  return [`  /** ${description} */`, ...body]
}

test('the types of command inputs are those of the verb table', () => {
  const path = fileURLToPath(new URL('../../src/contract/command-inputs.generated.ts', import.meta.url))
  const generated = [
    '// made by `npm run gen` from commands.ts, so that the types of a command are readable in an editor and need no zod',
    '',
    'type NoFields = { [field in never]: never }',
    '',
    '/**',
    ' * What a caller writes for each verb of a driver; fields with a default may be left out.',
    ' *',
    ' * @example',
    " * const input: CommandInputs['click'] = { ref: 'e12' }",
    ' */',
    'export interface CommandInputs {',
    ...Object.entries(commands).flatMap(verbLines),
    '}',
    '',
    '/**',
    ' * The verbs of a driver.',
    ' *',
    ' * @example',
    " * const name: DriverVerb = 'click'",
    ' */',
    'export type DriverVerb = keyof CommandInputs',
    '',
  ].join('\n')
  if (process.env.UPDATE) writeFileSync(path, generated)
  expect(readFileSync(path, 'utf8'), 'run `npm run gen` and commit the diff').toBe(generated)
})
