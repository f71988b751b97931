import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { fail, type Result } from '../../contract/run.ts'
import { type EvidenceRecord, startRun } from '../../evidence/record.ts'
import { saveScreenshots } from '../../evidence/screenshots.ts'
import type { HostRules } from '../../policy/host-rules.ts'
import { lazySession, type OpenedSession } from '../respond/lazy-session.ts'
import type { ResponderOptions } from '../respond/responder.ts'
import { agentTools } from '../tools/agent-tools.ts'
import { browserTool } from '../tools/browser-tool.ts'
import { agentPrompt, browserPrompt, systemPrompt } from '../tools/prompts.ts'
import type { Toolbox } from '../tools/tool.ts'
import { webTools } from '../tools/web-tools.ts'
import type { Connected } from './http.ts'
import { type McpOptions, mcpHelp, mcpOptions } from './options.ts'
import { mcpServer } from './server.ts'

export interface Wanted {
  readonly headed?: boolean
  readonly window?: string
  readonly profile?: string
  readonly attach?: string
  readonly hosts?: HostRules
}
export interface Serving {
  readonly version: string
  open(wanted: Wanted): Promise<Result<OpenedSession>>
}

/** `pagehand mcp`: resolves with the exit code when the client has gone and everything is closed. */
export async function serveMcp(given: readonly string[], serving: Serving): Promise<number> {
  if (given.includes('--help')) {
    process.stdout.write(mcpHelp)
    return 0
  }
  const options = mcpOptions(given)
  if (typeof options === 'string') {
    process.stderr.write(`pagehand mcp: ${options}. Run: pagehand mcp --help\n`)
    return 2
  }
  const connect = () => connected(options, serving)
  if (options.http === undefined) await overStdio(await connect())
  else {
    // its packages load Node's own HTTP client, and nobody who speaks over stdio needs to wait for that
    const { serveHttp } = await import('./http.ts')
    const token = process.env.PAGEHAND_TOKEN
    const http = await serveHttp({ port: options.http, origins: options.origins, connect, ...(token && { token }) })
    process.stderr.write(`pagehand mcp: ${http.url}\nauthorization: Bearer ${http.token}\n`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await http.close()
  }
  return 0
}

/** a client has its tools, its browser and its record for itself */
async function connected(options: McpOptions, { version, open }: Serving): Promise<Connected> {
  const record = options.evidence === undefined ? undefined : await startRun(options.evidence, { label: 'mcp' })
  const { box, close } = toolboxOf(options, {
    open: record ? recording(open, record) : open,
    saveScreenshot: record?.saveScreenshot ?? saveScreenshots(),
  })
  const tools = record?.tools(box) ?? box
  return {
    server: mcpServer(tools, { version, instructions: prompts[options.tools](box.tools) }),
    close: async () => {
      await close()
      await record?.end().catch(error => process.stderr.write(`pagehand mcp: no report of ${record.run}: ${error}\n`))
    },
  }
}

/** how to use the tools that are served */
const prompts = { web: systemPrompt, browser: browserPrompt, agent: agentPrompt }

const recording =
  (open: Serving['open'], { layer }: EvidenceRecord): Serving['open'] =>
  async wanted => {
    const opened = await open(wanted)
    return opened.ok ? { ok: true, data: { ...opened.data, run: layer(opened.data.run) } } : opened
  }

interface Making {
  readonly open: Serving['open']
  readonly saveScreenshot: NonNullable<ResponderOptions['saveScreenshot']>
}

function toolboxOf(options: McpOptions, { open, saveScreenshot }: Making): { box: Toolbox<never>; close(): Promise<void> } {
  const { tools, allowEval, images, headed, window, profile, attach, hosts, policy } = options
  const wanted: Wanted = {
    headed,
    ...(window && { window }),
    ...(profile && { profile }),
    ...(attach && { attach }),
    ...(hosts && { hosts }),
  }
  const talking = { allowEval, images, saveScreenshot, ...(policy && { policy }) }
  if (tools === 'browser') {
    const box = browserTool(
      {
        start: async ({ profile: asked, debuggingUrl }) => {
          // a model chooses among what there is; a name of its own would be a folder that it makes, or a login of the user
          const names = new Set(['openclaw', 'chrome', ...(profile ? [profile] : [])])
          if (asked && !names.has(asked))
            return fail(
              'unknown_profile',
              `There is no profile ${JSON.stringify(asked.slice(0, 64))}. There are: ${[...names].join(', ')}.`,
            )
          const opened = await open({ ...wanted, ...(asked && { profile: asked }), ...(debuggingUrl && { attach: debuggingUrl }) })
          return opened.ok ? { ok: true, data: { ...opened.data, says: asked ?? profile ?? 'openclaw' } } : opened
        },
      },
      talking,
    )
    return { box: box as unknown as Toolbox<never>, close: box.close }
  }
  const { run, close } = lazySession(() => open(wanted))
  return { box: (tools === 'agent' ? agentTools(run, talking) : webTools(run, talking)) as unknown as Toolbox<never>, close }
}

/** the client is gone when its end of the pipe is */
async function overStdio({ server, close }: Connected): Promise<void> {
  const gone = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await server.connect(new StdioServerTransport())
  await gone
  await server.close()
  await close()
}
