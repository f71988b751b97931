import * as z from 'zod'
import { type Verb, verbs } from '../../contract/commands.ts'
import { kebab, type Row, type Slice, type Taken } from './command-spec.ts'

/** what people call these */
const names: { readonly [verb: string]: string } = { evaluate: 'eval' }
/** the host answers these for all sessions, not one page */
const others = ['status']

/** The table of verbs without its schemas, so that the client loads in a moment: `npm run gen` writes it to slice.ts. */
export function sliced(): Slice {
  const rows = Object.entries(verbs as { readonly [verb: string]: Verb<z.ZodRawShape> }).filter(([verb]) => !others.includes(verb))
  return Object.fromEntries(rows.map(([verb, { says, input }]) => [names[verb] ?? kebab(verb), { verb, says, ...fieldsOf(input) }]))
}

function fieldsOf(input: z.ZodObject): Pick<Row, 'needs' | 'fields'> {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  const fields = Object.entries(properties).map(([field, schema]): [string, Taken] => {
    const { type, description, enum: words, default: otherwise, const: only } = schema as z.core.JSONSchema.JSONSchema
    return [
      field,
      {
        type: (only === true ? 'boolean' : type) as Taken['type'],
        ...(description !== undefined && { says: description }),
        ...(words && { words: words.map(String) }),
        ...(otherwise !== undefined && { otherwise: otherwise as string | number | boolean }),
      },
    ]
  })
  return { needs: required, fields: Object.fromEntries(fields) }
}
