import * as z from 'zod'
import type { Risk, VerbName } from '../../contract/commands.ts'
import { type Failure, failure } from '../../contract/failures.ts'
import { quoted, say, term } from '../../contract/message.ts'
import type { AbortSignalLike } from '../../contract/run.ts'
import type { SavedScreenshot } from '../respond/answer.ts'

/**
 * A tool as it is offered to a model.
 *
 * @example
 * const names = webTools(session.run).tools.map((tool: Tool) => tool.name)
 */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** absent if the tool represents verbs of several risks */
  readonly risk?: Risk
  /** absent if the tool represents several verbs or none */
  readonly verb?: VerbName
  /** a person may be asked before a call is carried out, under the default policy of approvals */
  readonly needsApproval?: true
}

/**
 * What the model gets for a tool call: text within its budget, and a screenshot if one was taken.
 *
 * @example
 * const { ok, text }: ToolResult = await tools.execute('web_click', { ref: 'e12' })
 */
export interface ToolResult {
  readonly ok: boolean
  readonly text: string
  readonly error?: Failure
  readonly picture?: SavedScreenshot
}

/**
 * A set of tools and the function that executes a call of any of them. It never throws.
 *
 * @example
 * const tools: Toolbox = webTools(session.run)
 * const { text } = await tools.execute('web_open', { url: 'https://example.org/' })
 */
export interface Toolbox<Result = ToolResult> {
  readonly tools: readonly Tool[]
  /** whether the model gets screenshots as images, not only as paths */
  readonly images: boolean
  execute(name: string, args?: unknown, options?: { readonly signal?: AbortSignalLike | undefined }): Promise<Result>
  /** the part of a result that the model reads */
  toModel(result: Result): ToolResult
}

/** The failure for a tool that does not exist. */
export const noSuchTool = (name: unknown, tools: readonly Tool[]): Failure =>
  failure('unsupported_action', say`there is no tool ${quoted(name, 40)}; the tools are ${term(tools.map(tool => tool.name).join(', '))}.`)

/**
 * The JSON schema of a tool's input, as short as possible: without $schema, and without bounds that only mean "a safe integer".
 *
 * @example
 * const [tool] = webTools(session.run).tools
 * const schema = tool && inputSchema(tool)
 */
export function inputSchema({ input }: Pick<Tool, 'input'>): { readonly [keyword: string]: unknown } {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return schema
}
