import { createQueue } from '../contract/queue.ts'
import { isTyped, typedMark } from '../layers/evidence.ts'
import { agentToolList } from '../surfaces/tools/agent-tools.ts'
import { browserToolList } from '../surfaces/tools/browser-tool.ts'
import type { Tool, Toolbox } from '../surfaces/tools/tool.ts'
import { webToolList } from '../surfaces/tools/web-tools.ts'

/** What a model asked for and what it was told, in the order in which it is written down. */
export type ToolEvent =
  | { readonly type: 'tool.call'; readonly call: number; readonly tool: string; readonly arguments: unknown }
  | { readonly type: 'tool.result'; readonly call: number; readonly ok: boolean; readonly text: string; readonly arguments?: unknown }

export interface Listener {
  note(event: ToolEvent): Promise<void>
  /** true: words were typed during this call, and the page shows all of them */
  isShown(call: number): boolean
}

/** The same tools; every call is written down before it is made, with its answer after it. One call at a time, so that steps belong to it. */
export function recordTools({ note, isShown }: Listener): <Result>(box: Toolbox<Result>) => Toolbox<Result> {
  let calls = 0
  const enqueue = createQueue()
  return box => ({
    ...box,
    execute: (name, args = {}, options) =>
      enqueue(async () => {
        const call = ++calls
        const tool = [...box.tools, ...ours].find(each => each.name === name)
        // where nothing can be written the layer below refuses to act; to look is still allowed
        await note({ type: 'tool.call', call, tool: tool?.name ?? nameFor(name), arguments: shown(tool, args) }).catch(() => {})
        const result = await box.execute(name, args, options)
        const { ok, text } = box.toModel(result)
        await note({ type: 'tool.result', call, ok, text, ...(ok && isShown(call) && { arguments: args }) }).catch(() => {})
        return result
      }),
  })
}

/** what a box refuses and does not even list has a name too, and a record that hid it would hide what was tried */
const ours: readonly Tool[] = [...webToolList({ allowEval: true }), ...agentToolList, ...browserToolList]
const nameFor = (name: unknown): string => (typeof name === 'string' && /^[\w-]{1,40}$/.test(name) ? name : '[unknown]')

/** What may be told of arguments before anybody knows what becomes of them: fields of the tool, and none that is typed. */
function shown(tool: Tool | undefined, args: unknown): unknown {
  if (!tool || typeof args !== 'object' || args === null) return typedMark
  const known = (fields: object, isInner: boolean): object =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => {
        if (!Object.hasOwn(tool.input.shape, field)) return ['[unknown]', typedMark]
        if (tool.risk !== 'look' && isTyped(field, value)) return [field, typedMark]
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return [field, value]
        return [field, isInner ? typedMark : known(value, true)]
      }),
    )
  return known(args, false)
}
