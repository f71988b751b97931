import { type ToolSet, tool } from 'ai'
import * as z from 'zod'
import type { AbortSignalLike } from '../contract/run.ts'
import { modelOutput, toAiSdk } from '../surfaces/tools/adapters.ts'
import type { AgentResult } from '../surfaces/tools/agent-tools.ts'
import type { Tool, Toolbox } from '../surfaces/tools/tool.ts'
import type { RunState } from './run-state.ts'

/** Parks the run for a login, a code or a captcha. */
export const handoffTool: Tool = {
  name: 'browser-handoff',
  description: 'Ask a person to do what only they can: log in, enter a code, solve a captcha.',
  input: z.strictObject({ reason: z.string().describe('what the person should do') }),
}

/** The toolbox with the tools that the agent carries out itself. */
export const withHandoff = (
  toolbox: Toolbox<AgentResult>,
  handOff: (input: unknown, signal: AbortSignalLike | undefined) => Promise<AgentResult>,
): Toolbox<AgentResult> => ({
  ...toolbox,
  tools: [...toolbox.tools.slice(0, -1), handoffTool, ...toolbox.tools.slice(-1)],
  execute: (name, input, options) => (name === handoffTool.name ? handOff(input, options?.signal) : toolbox.execute(name, input, options)),
})

/** The tools as the AI SDK takes them. Every call goes through the guard of the run, which checks the input and never throws. */
export function guardedTools(toolbox: Toolbox<AgentResult>, state: RunState): ToolSet {
  const adapted = toAiSdk(toolbox)
  return Object.fromEntries(
    toolbox.tools.map(({ name, description }) => [
      name,
      tool({
        description,
        inputSchema: adapted[name]?.inputSchema as never,
        execute: (input: unknown, { toolCallId, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal }) =>
          state.call(name, input, { id: toolCallId, signal: abortSignal }),
        toModelOutput: ({ output }: { output: unknown }) => modelOutput(toolbox.toModel(output as AgentResult), false) as never,
      } as never),
    ]),
  )
}
