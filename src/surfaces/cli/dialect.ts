import { type Dialect, type OptionName, plainRefs } from '../../render/text/dialect.ts'
import { kebab } from '../flags/option-spec.ts'

// The notes of a snapshot name flags that work when they are copied.

/** Neither a file nor a session has flags for how long to collect elements, so a part of the page is all that can be shown. */
const createFlagDialect = (flagOf: (option: OptionName) => string | undefined, flagForAll: string): Dialect => ({
  option: (name, value) => {
    if (name === 'interactiveOnly' && value === 'false') return flagForAll
    const flag = flagOf(name)
    return flag === undefined || value === undefined ? flag : `${flag} ${value}`
  },
  instead: () => '--scope',
  refs: plainRefs,
})

const commonFlags = ['maxChars', 'scope', 'after', 'format'] as const satisfies OptionName[]
const flagOrNone = (flags: readonly OptionName[]) => (option: OptionName) => (flags.includes(option) ? `--${kebab(option)}` : undefined)

/** `pagehand snapshot` and the other commands of a session */
export const sessionDialect = createFlagDialect(flagOrNone([...commonFlags, 'limitChars', 'offset']), '--no-interactive-only')
/** `pagehand html` */
export const htmlDialect = createFlagDialect(flagOrNone([...commonFlags, 'maxNodes']), '--all')
