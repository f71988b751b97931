import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js'
import { type Risk, verbs } from '../../contract/commands.ts'
import { inputSchema, type Tool, type Toolbox } from '../tools/tool.ts'
import type { ServedFiles } from './files.ts'

export interface McpServerOptions {
  readonly version: string
  readonly instructions?: string
  /** The screenshots and reports that a client may read as resources. @default none */
  readonly files?: ServedFiles
}

/** Serves a toolbox over MCP. The caller connects a transport and closes the server. */
export function mcpServer<Result>(toolbox: Toolbox<Result>, { version, instructions, files }: McpServerOptions): Server {
  const capabilities = { tools: {}, ...(files && { resources: {} }) }
  const server = new Server({ name: 'pagehand', version }, { capabilities, ...(instructions && { instructions }) })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolbox.tools.map(tool => ({
      name: tool.name,
      title: titleOf(tool),
      description: tool.description,
      inputSchema: { ...inputSchema(tool), type: 'object' as const },
      annotations: annotationsOf(tool),
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const stop = reportProgress(params._meta?.progressToken, async (progressToken, seconds) =>
      sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: seconds, message: `${params.name} is running for ${seconds} s` },
      }),
    )
    try {
      const { ok, text, picture } = toolbox.toModel(await toolbox.execute(params.name, params.arguments ?? {}, { signal }))
      const image = toolbox.images && picture ? [{ type: 'image' as const, data: picture.base64, mimeType: picture.mime }] : []
      const link =
        picture?.path !== undefined && files ? [{ type: 'resource_link' as const, ...files.add(picture.path, picture.mime) }] : []
      return { content: [{ type: 'text' as const, text }, ...image, ...link], ...(!ok && { isError: true }) }
    } finally {
      stop()
    }
  })
  if (files) {
    server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [...(await files.list())] }))
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const content = await files.read(uri)
      if (!content) throw new McpError(ErrorCode.InvalidParams, `there is no resource ${uri.slice(0, 200)}`)
      return { contents: [content] }
    })
  }
  return server
}

/** Reports every second that a call is still running, to a client that asked for it. Returns the function that ends the reports. */
function reportProgress(token: string | number | undefined, send: (token: string | number, seconds: number) => Promise<void>): () => void {
  if (token === undefined) return () => {}
  let seconds = 0
  // the client may have disconnected
  const timer = setInterval(() => void send(token, ++seconds).catch(() => {}), 1_000)
  return () => clearInterval(timer)
}

/** `web_scroll_into_view` is "Scroll into view". */
function titleOf({ name }: Tool): string {
  const words = name
    .replace(/^(web|browser)[_-]/, '')
    .replace('dblclick', 'double-click')
    .replace(/[_-](?!click)/g, ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Hints for a client that asks its user before a call, from the table of verbs; a tool for several verbs may do anything. */
function annotationsOf(tool: Tool): ToolAnnotations {
  const { risk, verb } = tool
  // what was typed into a page is lost when it is left
  const isReadOnly = risk !== undefined && harmless.includes(risk) && verb !== 'close'
  return {
    title: titleOf(tool),
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly && risk !== 'leave' && verb !== 'close',
    // a form that is sent twice is two orders
    idempotentHint: verb !== undefined && verbs[verb].idempotent && !Object.hasOwn(tool.input.shape, 'submit'),
    openWorldHint: true,
  }
}
const harmless: readonly Risk[] = ['look', 'move']
