import type { CommandInputs, DriverVerb } from '../contract/command-inputs.generated.ts'
import { commands } from '../contract/commands.ts'
import type { RenderOptions, RenderResult } from '../contract/limits.ts'
import { say } from '../contract/message.ts'
import { PagehandError, toError } from '../contract/pagehand-error.ts'
import { parseCommand } from '../contract/parse-command.ts'
import type { CommandData } from '../contract/results.ts'
import type { AbortSignalLike, AnyRun, Result } from '../contract/run.ts'
import type { ReadPageResult } from '../render/rank/read.ts'
import { renderSnapshot } from '../render/text/render.ts'
import { derivedCommandsLayer } from './derived-commands.ts'
import { type FillFormData, fillFormLayer } from './fill-form.ts'

/**
 * Options of a single call.
 *
 * @example
 * await session.click({ ref: 'e12' }, { signal: AbortSignal.timeout(5_000) })
 */
export interface CallOptions {
  /** Aborts the call; it then fails with `aborted`. */
  readonly signal?: AbortSignalLike | undefined
}

/**
 * The options of `snapshot`: those of the command, and how its text is rendered.
 *
 * @example
 * await session.snapshot({ viewport: 'visible', format: 'flat' })
 */
export type SnapshotTextOptions = CommandInputs['snapshot'] & Pick<RenderOptions, 'format' | 'maxNodes' | 'maxDepth' | 'maxTextPerNode'>

/**
 * A snapshot as text that is ready for a model, with the data it was made from.
 *
 * @example
 * const { text, refs, truncated }: SnapshotText = await session.snapshot()
 */
export interface SnapshotText extends Omit<RenderResult, 'error'> {
  readonly url: string
  readonly title: string
  /** Events that the caller should know about, such as a tab that opened or a dialog that waits for an answer. */
  readonly notes: readonly string[]
  /** The tree with every ref, before it was rendered. */
  readonly data: CommandData['snapshot']
}

/**
 * The options of `read`.
 *
 * @example
 * await session.read({ scope: 'main', maxChars: 10_000 })
 */
export interface ReadTextOptions {
  /** Only this part of the page: a ref or a CSS selector. @default the whole page */
  readonly scope?: string | undefined
  /** Where to start: the `nextOffset` of the previous part. @default 0 */
  readonly offset?: number | undefined
  /** Maximum length of a part. @default 6000 */
  readonly maxChars?: number | undefined
}

/**
 * The input of `fillForm`.
 *
 * @example
 * await session.fillForm({ fields: [{ ref: 'e3', value: 'tea' }], submit: true })
 */
export interface FillFormInput {
  /** In the order in which they are set; `'true'` and `'false'` check and uncheck. */
  readonly fields: readonly { readonly ref: string; readonly value: string }[]
  /** Sends the form afterwards. @default false */
  readonly submit?: boolean | undefined
}

// a verb whose fields are all optional can be called without an argument
type Input<V extends DriverVerb> = object extends CommandInputs[V]
  ? [input?: CommandInputs[V], options?: CallOptions]
  : [input: CommandInputs[V], options?: CallOptions]

type PlainVerb = Exclude<DriverVerb, 'open' | 'snapshot' | 'close' | 'status' | 'console' | 'requests'>

/**
 * The verbs of a driver as methods, with the types of the verb table. A method resolves to the data of its verb and throws `PagehandError`
 * if the command fails.
 *
 * @example
 * await session.open('https://example.org/')
 * const { text } = await session.snapshot()
 * await session.fill({ ref: 'e3', value: 'tea' })
 * await session.press({ key: 'Enter' })
 */
export type CommandMethods = { readonly [V in PlainVerb]: (...input: Input<V>) => Promise<CommandData[V]> } & {
  /** Opens a URL and waits until the page has loaded and settled. */
  open(url: string, options?: CallOptions): Promise<CommandData['open']>
  /** Takes a snapshot and renders it as text within a budget of characters. */
  snapshot(options?: SnapshotTextOptions, call?: CallOptions): Promise<SnapshotText>
  /** Reads the text of the whole page as Markdown, one part at a time. */
  read(options?: ReadTextOptions, call?: CallOptions): Promise<ReadPageResult>
  /** Sets several fields in order, and stops at the first that fails. */
  fillForm(input: FillFormInput, call?: CallOptions): Promise<FillFormData>
}

/**
 * Makes the methods for any `Run`, such as that of `scriptDriver` or `htmlDriver`. A session has them already.
 *
 * @example
 * const page = createMethods(htmlDriver('<button>Save</button>'))
 * console.log((await page.snapshot()).text)
 */
export function createMethods(run: AnyRun): CommandMethods {
  const call = async (name: DriverVerb, input: object = {}, { signal }: CallOptions = {}) => {
    if (typeof input !== 'object') throw new PagehandError('invalid_input', say`${name} takes an object, such as { ref: 'e12' }.`)
    return dataOf(await run({ ...input, name }, signal))
  }
  const callDerived = async (name: 'read' | 'fillForm', input: object = {}, { signal }: CallOptions = {}) => {
    const command = parseCommand({ ...input, name })
    if (!command.ok) throw toError(command.error)
    return dataOf(await derivedCommandsLayer()(fillFormLayer(run))(command.value, signal))
  }
  const methods = Object.fromEntries(plainVerbs.map(name => [name, (input?: object, options?: CallOptions) => call(name, input, options)]))
  return {
    ...methods,
    open: (url: string, options?: CallOptions) => call('open', { url }, options),
    read: (input?: ReadTextOptions, options?: CallOptions) => callDerived('read', input, options),
    fillForm: (input: FillFormInput, options?: CallOptions) => callDerived('fillForm', input, options),
    snapshot: async ({ format, maxNodes, maxDepth, maxTextPerNode, ...input }: SnapshotTextOptions = {}, options?: CallOptions) => {
      const data = (await call('snapshot', input, options)) as CommandData['snapshot']
      const limits = { maxCharsTotal: input.maxChars, format, maxNodes, maxDepth, maxTextPerNode }
      const { error, ...rendered } = renderSnapshot(
        data,
        Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
      )
      if (error) throw toError(error)
      return { ...rendered, url: data.meta.url, title: data.meta.title, notes: data.notes ?? [], data }
    },
  } as CommandMethods
}

// a session has its own methods of these names
const sessionMethods: ReadonlySet<DriverVerb> = new Set(['close', 'status', 'console', 'requests'])
const plainVerbs = (Object.keys(commands) as DriverVerb[]).filter(name => !sessionMethods.has(name))

function dataOf(result: Result): unknown {
  if (!result.ok) throw toError(result.error)
  return result.data
}
