import type { Tool, Toolbox } from '../tool.ts'

/** What a model asked for and what it was told, in the order in which it is written down. */
export type ToolEvent =
  | { readonly type: 'tool.call'; readonly call: number; readonly tool: string; readonly arguments: unknown }
  | { readonly type: 'tool.result'; readonly call: number; readonly ok: boolean; readonly text: string; readonly arguments?: unknown }

export interface Listener {
  note(event: ToolEvent): Promise<void>
  /** true: all that was typed since this was last asked is there for everybody to see */
  isOpen(): boolean
}

/** The same tools; every call is written down before it is made, with its answer after it. One call at a time, so that steps belong to it. */
export function recorded<Result>(box: Toolbox<Result>, { note, isOpen }: Listener): Toolbox<Result> {
  let calls = 0
  let before: Promise<unknown> = Promise.resolve()
  const execute: Toolbox<Result>['execute'] = async (name, args = {}, options) => {
    const call = ++calls
    const [shown, isWhole] = withheld(
      box.tools.find(tool => tool.name === name),
      args,
    )
    // where nothing can be written the layer below refuses to act; to look is still allowed
    await note({ type: 'tool.call', call, tool: String(name).slice(0, 80), arguments: shown }).catch(() => {})
    isOpen()
    const result = await box.execute(name, args, options)
    const { ok, text } = box.toModel(result)
    const reveal = ok && !isWhole && isOpen()
    await note({ type: 'tool.result', call, ok, text, ...(reveal && { arguments: args }) }).catch(() => {})
    return result
  }
  return {
    ...box,
    execute(name, args, options) {
      const done = before.then(() => execute(name, args, options))
      before = done.catch(() => {})
      return done
    },
  }
}

const typing = /^(text|value|values|key)$/

/** Words for the page are shown when it turns out that they are no secret; what only looks has none. */
function withheld(tool: Tool | undefined, args: unknown): readonly [shown: unknown, isWhole: boolean] {
  if (tool?.risk === 'look' || typeof args !== 'object' || args === null) return [args, true]
  let isWhole = true
  const hide = (field: string, value: unknown) => {
    if (!typing.test(field)) return value
    isWhole = false
    return '[typed]'
  }
  try {
    return [JSON.parse(JSON.stringify(args, hide)), isWhole]
  } catch {
    // a caller inside of this program may pass what is no JSON; the tool itself will say what is wrong with it
    return ['[not JSON]', true]
  }
}
