import type { FailureCode } from '../../contract/failures.ts'

// Callers spell the same option and the same ref differently (max_chars, maxChars, --max-chars; e15, [15]). Notes are written in the
// caller's dialect, so that no finished text is edited afterwards and the budget counts the characters that are really sent.

/**
 * The options that a note may name, by the name of the command's argument or of the limit.
 *
 * @example
 * const option: OptionName = 'maxChars'
 */
export type OptionName =
  | 'interactiveOnly'
  | 'maxChars'
  | 'limitChars'
  | 'maxNodes'
  | 'maxVisits'
  | 'maxTimeMs'
  | 'compact'
  | 'format'
  | 'scope'
  | 'after'
  | 'offset'

/**
 * How one caller writes options and refs.
 *
 * @example
 * const dialect: Dialect = createDialect({ spell: name => `--${name}` })
 * dialect.option('after', 'e5') // --after=e5
 */
export interface Dialect {
  /** an option, with its value if there is one: `after=e5`, `--after e5`; undefined if the caller has no such option */
  option(name: OptionName, value?: string): string | undefined
  /** the advice for a caller that does not have the option */
  instead(name: OptionName, value?: string): string
  readonly refs: RefStyle
  /** next steps that replace the ones in the table of failures */
  readonly hints?: Hints
}

/**
 * Next steps by failure code, for callers that cannot do what the table of failures advises.
 *
 * @example
 * const hints: Hints = { dialog_open: 'Answer the dialog with the tool answer_dialog.' }
 */
export type Hints = { readonly [code in FailureCode]?: string }

/**
 * How a ref is written.
 *
 * @example
 * const refs: RefStyle = { ref: ref => `#${ref}`, element: (label, ref) => `${label} #${ref}` }
 */
export interface RefStyle {
  /** in a sentence */
  ref(ref: string): string
  /** beside the element it names */
  element(label: string, ref: string): string
}

/** `e15` and `button "Save" [ref=e15]` */
export const plainRefs: RefStyle = { ref: ref => ref, element: (label, ref) => `${label} [ref=${ref}]` }

/** `[15]` and `[15] button "Save"`, as in the flat format; a ref inside a frame keeps its prefix: `[f1e3]` */
export const numberedRefs: RefStyle = {
  ref: ref => `[${ref.startsWith('e') ? ref.slice(1) : ref}]`,
  element: (label, ref) => `${numberedRefs.ref(ref)} ${label}`,
}

/**
 * A dialect that writes `name=value`. `spell` returns undefined for an option that the caller does not have; then the advice is that of
 * `instead`.
 *
 * @example
 * const dialect = createDialect({ spell: name => (name === 'maxChars' ? 'budget' : undefined), instead: () => 'scroll' })
 * createResponder(session.run, { dialect }) // … 8 more in view: a larger budget
 */
export function createDialect({
  spell,
  instead = () => '',
  hints,
}: {
  readonly spell: (name: OptionName) => string | undefined
  readonly instead?: Dialect['instead']
  readonly hints?: Hints
}): Dialect {
  return {
    option: (name, value) => {
      const spelled = spell(name)
      return spelled === undefined || value === undefined ? spelled : `${spelled}=${value}`
    },
    instead,
    refs: plainRefs,
    ...(hints && { hints }),
  }
}

/** The names of `RenderOptions`, for callers of `renderSnapshot`. */
export const rendererDialect: Dialect = createDialect({ spell: name => (name === 'maxChars' ? 'maxCharsTotal' : name) })
/** The names of the arguments in the table of commands. */
export const commandDialect: Dialect = createDialect({ spell: name => name })

type OptionUse = readonly [name: OptionName, value?: string]

/** Advice that names options. If the caller lacks one of them, it is advised to do something else. */
export function advise(dialect: Dialect, uses: readonly OptionUse[], write: (...options: readonly string[]) => string): string {
  const options: string[] = []
  for (const [name, value] of uses) {
    const option = dialect.option(name, value)
    if (option === undefined) return dialect.instead(name, value)
    options.push(option)
  }
  return write(...options)
}

export const adviseOption = (dialect: Dialect, name: OptionName, value: string): string =>
  advise(dialect, [[name, value]], (option = '') => option)
export const adviseLarger = (dialect: Dialect, name: OptionName): string => advise(dialect, [[name]], (option = '') => `a larger ${option}`)

/** A line that says what is missing and how to get it: `… 8 more: after=e5`. */
export const note = (missing: string, advice = ''): string => `… ${missing}${advice && `: ${advice}`}`
