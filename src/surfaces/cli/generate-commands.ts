import * as z from 'zod'
import { type VerbSpec, verbs } from '../../contract/commands.ts'
import { type CommandSpec, type CommandSpecs, kebab, type OptionSpec } from './command-spec.ts'

/** what people call these */
const names: { readonly [verb: string]: string } = { evaluate: 'eval' }
/** the host answers these for all sessions, not one page */
const others = ['status']

/** The table of verbs without its schemas, so that the client loads in a moment: `npm run gen` writes it to slice.ts. */
export function generateCommands(): CommandSpecs {
  const rows = Object.entries(verbs as { readonly [verb: string]: VerbSpec<z.ZodRawShape> }).filter(([verb]) => !others.includes(verb))
  return Object.fromEntries(
    rows.map(([verb, { description, input }]) => [names[verb] ?? kebab(verb), { verb, description, ...fieldsOf(input) }]),
  )
}

function fieldsOf(input: z.ZodObject): Pick<CommandSpec, 'required' | 'fields'> {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  const fields = Object.entries(properties).map(([field, schema]): [string, OptionSpec] => {
    const { type, description, enum: words, default: otherwise, const: only } = schema as z.core.JSONSchema.JSONSchema
    return [
      field,
      {
        type: (only === true ? 'boolean' : type) as OptionSpec['type'],
        ...(description !== undefined && { description: description }),
        ...(words && { enum: words.map(String) }),
        ...(otherwise !== undefined && { default: otherwise as string | number | boolean }),
      },
    ]
  })
  return { required: required, fields: Object.fromEntries(fields) }
}
