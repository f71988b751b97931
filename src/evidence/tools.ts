import { createQueue } from '../contract/queue.ts'
import { typedMark, withoutTyped } from '../contract/typed-text.ts'
import { agentToolList } from '../surfaces/tools/agent-tool-list.ts'
import { browserToolList } from '../surfaces/tools/browser-tool.ts'
import type { Tool, Toolbox } from '../surfaces/tools/tool.ts'
import { webToolList } from '../surfaces/tools/web-tools.ts'

/** A tool call of a model, or its answer. */
export type ToolEvent =
  | { readonly type: 'tool.call'; readonly call: number; readonly tool: string; readonly arguments: unknown }
  | { readonly type: 'tool.result'; readonly call: number; readonly ok: boolean; readonly text: string; readonly arguments?: unknown }

export interface ToolEventSink {
  /** number of calls that the log has already */
  readonly calls?: number
  write(event: ToolEvent): Promise<void>
  /** whether words were typed during this call and the page shows all of them */
  isShown(call: number): boolean
}

/** Wraps a toolbox: each call is logged before it is made, and its answer after it. Calls run one at a time, so that steps belong to one. */
export function recordTools({ calls = 0, write, isShown }: ToolEventSink): <Result>(box: Toolbox<Result>) => Toolbox<Result> {
  const enqueue = createQueue()
  return box => ({
    ...box,
    execute: (name, args = {}, options) =>
      enqueue(async () => {
        const call = ++calls
        const tool = [...box.tools, ...allTools].find(each => each.name === name)
        // if nothing can be written, the layer below refuses to act; reading is still allowed
        await write({ type: 'tool.call', call, tool: tool?.name ?? loggedName(name), arguments: loggedArguments(tool, args) }).catch(
          () => {},
        )
        const result = await box.execute(name, args, options)
        const { ok, text } = box.toModel(result)
        await write({ type: 'tool.result', call, ok, text, ...(ok && isShown(call) && { arguments: args }) }).catch(() => {})
        return result
      }),
  })
}

/** Tools that a box does not offer are known too: the record shows which one the model tried. */
const allTools: readonly Tool[] = [...webToolList({ allowEval: true }), ...agentToolList, ...browserToolList]
const loggedName = (name: unknown): string => (typeof name === 'string' && /^[\w-]{1,40}$/.test(name) ? name : '[unknown]')

/** The arguments of a call as they may be shown before its outcome is known. */
export const shownArguments = (name: string, args: unknown): unknown =>
  loggedArguments(
    allTools.find(tool => tool.name === name),
    args,
  )

/** Arguments as they may be logged before the outcome is known: only fields of the tool, without typed text. */
function loggedArguments(tool: Tool | undefined, args: unknown): unknown {
  if (!tool || typeof args !== 'object' || args === null) return typedMark
  const known = knownFields(tool, args as Fields)
  return tool.risk === 'look' ? known : withoutTyped(known)
}

type Fields = { readonly [field: string]: unknown }

/** A field that no tool has may hold anything, and so may what is nested deeper than the actions of a call or the fields of a form. */
function knownFields(tool: Tool, fields: Fields, depth = 0): Fields {
  const known = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(known)
    if (typeof value !== 'object' || value === null) return value
    return depth < 1 ? knownFields(tool, value as Fields, depth + 1) : typedMark
  }
  const isKnown = (field: string) => Object.hasOwn(tool.input.shape, field) || (depth > 0 && field === 'value')
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => (isKnown(field) ? [field, known(value)] : ['[unknown]', typedMark])),
  )
}
