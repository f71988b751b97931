import * as z from 'zod'
import { type VerbSpec, verbs } from '../../contract/commands.ts'
import { commandName } from '../flags/command-name.ts'
import type { OptionSpec } from '../flags/option-spec.ts'
import type { CommandSpec, CommandSpecs } from './command-spec.ts'

/** `pagehand status` lists all sessions, so the verb of one session has no command */
const omitted = ['status']

/** The table of verbs without its schemas, which are slow to load: `npm run gen` writes it to commands.generated.ts. */
export function generateCommands(): CommandSpecs {
  const rows = Object.entries(verbs as { readonly [verb: string]: VerbSpec<z.ZodRawShape> }).filter(([verb]) => !omitted.includes(verb))
  return Object.fromEntries(
    rows.map(([verb, { description, input }]) => [commandName(verb), { verb, description, ...fieldsOf(verb, input) }]),
  )
}

function fieldsOf(verb: string, input: z.ZodObject): Pick<CommandSpec, 'required' | 'positional' | 'fields'> {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  const fields = Object.entries(properties).map(([field, schema]): [string, OptionSpec] => {
    const { type, enum: words, default: initial, const: only, ...rest } = schema as z.core.JSONSchema.JSONSchema
    const description = descriptions[verb]?.[field] ?? rest.description ?? (field === 'ref' ? 'element ref, such as e12' : undefined)
    const value = verb === 'dialog' && field === 'accept' ? 'accept or dismiss' : valueNames[field]
    return [
      field,
      {
        type: (only === true ? 'boolean' : type) as OptionSpec['type'],
        ...(description !== undefined && { description }),
        ...(value !== undefined && { value }),
        ...(words && { enum: words.map(String) }),
        ...(initial !== undefined && { default: initial as string | number | boolean }),
      },
    ]
  })
  const positional = positionals[verb]
  return { required, ...(positional && { positional }), fields: Object.fromEntries(fields) }
}

/** optional fields that people write without a flag: `tabs close t2` */
const positionals: { readonly [verb: string]: readonly string[] } = { tabs: ['operation', 'tab'] }

/** how `--help` names the value of a field; TEXT or N if it is not here */
const valueNames: { readonly [field: string]: string } = {
  ref: 'REF',
  after: 'REF',
  mark: 'REF',
  scope: 'SELECTOR',
  selector: 'SELECTOR',
  url: 'URL',
  tab: 'TAB',
  modifiers: 'KEY',
}

const modifiers = 'key to hold down: Alt, Control, Meta or Shift; can be repeated'

/**
 * Sentences for people who read `--help`. The tools spend no characters on a field whose name tells a model enough, and describe a boolean
 * by its value instead of its flag.
 */
const descriptions: { readonly [verb: string]: { readonly [field: string]: string } } = {
  snapshot: { interactiveOnly: 'include headings, text and images' },
  click: { modifiers },
  dblclick: { modifiers },
  query: { kind: 'what to read', limitChars: 'maximum number of characters' },
  longpress: { ms: 'how long to hold, in milliseconds' },
  fill: { value: 'text to fill in', commit: 'leave the field afterwards, which fires its change event' },
  fillForm: { fields: 'fields to set as REF=VALUE, such as e3=tea; true and false check and uncheck' },
  type: { text: 'text to type' },
  drag: { to: 'ref of the element to drop on' },
  select: { values: 'values or visible texts of the options' },
  press: { key: 'key or key combination' },
  scroll: { direction: 'where to scroll' },
  wait: {
    load: 'event of the page',
    networkIdle: 'the page has loaded and has sent no request for 500 ms',
    domStable: 'the DOM has not changed for 500 ms',
    state: 'state of the element given by --ref',
    timeoutMs: 'give up after this many milliseconds',
    pollMs: 'time between two checks, in milliseconds',
  },
  screenshot: { label: 'part of the file name', fullPage: 'the whole page, not only the viewport' },
  evaluate: { js: 'expression to evaluate', limitChars: 'maximum number of characters' },
  tabs: { operation: 'what to do', tab: 'tab id, such as t2; close takes the current tab by default', url: 'URL to open in a new tab' },
  dialog: { accept: 'accept (or ok, yes, true) or dismiss (or cancel, no, false)', text: 'answer to a prompt' },
}
