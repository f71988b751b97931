import { kebab } from './option-spec.ts'

/** Commands whose name is not that of the verb. */
const names: { readonly [verb: string]: string } = { evaluate: 'eval' }

/** The name of a verb on the command line: `scrollIntoView` is `scroll-into-view`. */
export const commandName = (verb: string): string => names[verb] ?? kebab(verb)
