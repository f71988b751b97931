import * as z from 'zod'
import type { Risk, VerbName } from '../../contract/commands.ts'
import { type Failure, failure } from '../../contract/failures.ts'
import type { AbortSignalLike } from '../../contract/run.ts'
import type { SavedScreenshot } from '../respond/responder.ts'

/** A tool as a model is offered it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** absent where one tool stands for verbs of several risks */
  readonly risk?: Risk
  /** absent where it stands for several, or for none */
  readonly verb?: VerbName
}

/** What a tool call comes to for the model: text within its budget, and the picture where one was taken. */
export interface ToolResult {
  readonly ok: boolean
  readonly text: string
  readonly error?: Failure
  readonly picture?: SavedScreenshot
}

/** Tools and the one function that carries out a call of any of them; it never throws. */
export interface Toolbox<Result = ToolResult> {
  readonly tools: readonly Tool[]
  /** the picture of a screenshot goes to the model too, not only its path */
  readonly images: boolean
  execute(name: string, args?: unknown, options?: { readonly signal?: AbortSignalLike | undefined }): Promise<Result>
  /** what the model gets to read of a result */
  toModel(result: Result): ToolResult
}

/** The answer to a call of a tool that is not there. */
export const noSuchTool = (name: unknown, tools: readonly Tool[]): Failure =>
  failure(
    'unsupported_action',
    `there is no tool ${JSON.stringify(String(name).slice(0, 40))}; there are ${tools.map(tool => tool.name).join(', ')}.`,
  )

/** The schema of an input, flat and as short as it can be: no $schema, no bounds that only say "a safe integer". */
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
