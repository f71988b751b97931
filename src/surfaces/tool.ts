import { z } from 'zod'
import type { Failure } from '../contract/failures.ts'
import type { AbortSignalLike } from '../contract/run.ts'
import type { Kept } from './talk.ts'

/** A tool as a model is offered it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
}

/** What a tool call comes to. `text` is for the model and within its budget; nothing is ever thrown. */
export interface ToolResult {
  readonly ok: boolean
  readonly text: string
  readonly error?: Failure
  readonly picture?: Kept
}

/** Tools and the one function that carries out a call of any of them. */
export interface Toolbox<Result extends ToolResult = ToolResult> {
  readonly tools: readonly Tool[]
  /** gives the picture of a screenshot to the model, not only its path */
  readonly images: boolean
  execute(name: string, args?: unknown, options?: { readonly signal?: AbortSignalLike | undefined }): Promise<Result>
}

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
