import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Risk } from '../../contract/commands.ts'
import { inputSchema, type Tool, type Toolbox } from '../tools/tool.ts'

/** Serves a toolbox over MCP. The caller connects a transport and closes the server. */
export function mcpServer<Result>(toolbox: Toolbox<Result>, { version, instructions }: { version: string; instructions?: string }): Server {
  const server = new Server({ name: 'pagehand', version }, { capabilities: { tools: {} }, ...(instructions && { instructions }) })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolbox.tools.map(tool => ({
      name: tool.name,
      description: tool.description,
      inputSchema: { ...inputSchema(tool), type: 'object' as const },
      annotations: annotationsOf(tool),
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { ok, text, picture } = toolbox.toModel(await toolbox.execute(params.name, params.arguments ?? {}, { signal }))
    const image = toolbox.images && picture ? [{ type: 'image' as const, data: picture.base64, mimeType: picture.mime }] : []
    return { content: [{ type: 'text' as const, text }, ...image], ...(!ok && { isError: true }) }
  })
  return server
}

/** Hints for a client that asks its user before a call; a tool for several verbs has no read-only hint. */
function annotationsOf({ risk }: Tool) {
  return risk === undefined ? { openWorldHint: true } : { readOnlyHint: harmless.includes(risk), openWorldHint: true }
}
const harmless: readonly Risk[] = ['look', 'move']
