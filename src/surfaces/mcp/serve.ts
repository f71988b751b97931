import { once } from 'node:events'
import { resolve } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { approvalLayer } from '../../approval/layer.ts'
import { messageOf } from '../../contract/error-message.ts'
import { quoted, say, term } from '../../contract/message.ts'
import { fail, type Layer, wrap } from '../../contract/run.ts'
import { recordRun, startRun } from '../../evidence/record.ts'
import { fileRunStore } from '../../evidence/run-store.ts'
import { saveScreenshots } from '../../evidence/screenshots.ts'
import { isUserBrowser, type OpenOptions, type OpenSession } from '../flags/session-flags.ts'
import type { ResponderOptions } from '../respond/context.ts'
import { lazySession } from '../respond/lazy-session.ts'
import { stderr, stdout } from '../terminal.ts'
import { agentTools } from '../tools/agent-tools.ts'
import { browserTool } from '../tools/browser-tool.ts'
import { agentPrompt, browserPrompt, systemPrompt } from '../tools/prompts.ts'
import type { Toolbox } from '../tools/tool.ts'
import { webTools } from '../tools/web-tools.ts'
import { createElicitation } from './elicitation.ts'
import { createServedFiles } from './files.ts'
import type { Connection } from './http-clients.ts'
import { type McpOptions, mcpHelp, parseMcpOptions } from './options.ts'
import { mcpServer } from './server.ts'

export interface ServeOptions {
  readonly version: string
  readonly open: OpenSession
  /** The names of the secrets that a session will have; throws if the file cannot be used. */
  secretNames(file: string | undefined): readonly string[]
  /** Rejects if a session could not be opened with these options, without opening one. */
  check(options: OpenOptions): Promise<void>
}

/** `pagehand mcp`: resolves with the exit code when the client has disconnected and everything is closed. */
export async function serveMcp(words: readonly string[], serveOptions: ServeOptions): Promise<number> {
  if (words.includes('--help')) {
    stdout.write(mcpHelp)
    return 0
  }
  const options = parseMcpOptions(words)
  if (typeof options === 'string') {
    stderr.write(`pagehand mcp: ${options}${options.endsWith('.') ? '' : '.'} Run: pagehand mcp --help\n`)
    return 2
  }
  let names: readonly string[] = []
  try {
    names = serveOptions.secretNames(options.browser.secrets)
    await serveOptions.check({ ...options.browser, ...(options.hosts && { hosts: options.hosts }) })
  } catch (error) {
    stderr.write(`pagehand mcp: ${messageOf(error)}\n`)
    return 2
  }
  const connect = () => createConnection(options, serveOptions, names)
  if (options.http === undefined) await serveStdio(await connect())
  else {
    // loaded on demand: its packages load Node's HTTP client, which stdio does not need
    const { serveHttp } = await import('./http.ts')
    const token = process.env.PAGEHAND_TOKEN
    const http = await serveHttp({ port: options.http, origins: options.origins, connect, ...(token && { token }) })
    // a token that was given is known, and standard error often ends up in a log
    stderr.write(`pagehand mcp: ${http.url}\n${token ? '' : `authorization: Bearer ${http.token}\n`}`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await http.close()
  }
  return 0
}

/** Each client has its own tools, browser and evidence. */
async function createConnection(options: McpOptions, { version, open }: ServeOptions, names: readonly string[]): Promise<Connection> {
  const { evidence, approvals } = options
  const store = approvals && fileRunStore(evidence === undefined ? {} : { folder: evidence })
  const journal = await store?.create({ label: 'mcp' })
  const record = journal ? recordRun(journal) : evidence === undefined ? undefined : await startRun(evidence, { label: 'mcp' })
  const person = createElicitation()
  const asking =
    approvals && journal && store
      ? approvalLayer({
          journal,
          sites: options.sites,
          approve: person.approve,
          grants: store.grants,
          commandFor: id => `pagehand approve ${id}${evidence === undefined ? '' : ` --folder ${JSON.stringify(resolve(evidence))}`}`,
          ...(Object.keys(approvals).length > 0 && { policy: approvals }),
        })
      : undefined
  const { toolbox, close } = createToolbox(options, {
    open: record ? withLayers(open, [...(asking ? [asking] : []), record.layer]) : open,
    saveScreenshot: record?.saveScreenshot ?? saveScreenshots(),
  })
  const files = createServedFiles()
  const server = mcpServer(record?.tools(toolbox) ?? toolbox, {
    version,
    instructions: prompts[options.tools](toolbox.tools) + secretsPrompt(names),
    files,
  })
  person.connect(server)
  return {
    server,
    close: async () => {
      await close()
      await record?.end().catch(error => stderr.write(`pagehand mcp: the report of ${record.run} was not written: ${error}\n`))
    },
  }
}

/** The model gets to know the names of secrets, never a value. */
const secretsPrompt = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `\n- To enter a secret of the user, fill in or type its name: ${names.map(name => `{{secret:${name}}}`).join(', ')}. Each works only on its own sites.`

const prompts = { web: systemPrompt, browser: browserPrompt, agent: agentPrompt }

const withLayers =
  (open: OpenSession, layers: readonly Layer[]): OpenSession =>
  async options => {
    const opened = await open(options)
    return opened.ok ? { ok: true, data: { ...opened.data, run: wrap(opened.data.run, ...layers) } } : opened
  }

interface ToolboxContext {
  readonly open: OpenSession
  readonly saveScreenshot: NonNullable<ResponderOptions['saveScreenshot']>
}

function createToolbox(options: McpOptions, { open, saveScreenshot }: ToolboxContext): { toolbox: Toolbox; close(): Promise<void> } {
  const { tools, images, policy, hosts, limits, browser } = options
  const { allowEval = false } = browser
  const session: OpenOptions = { ...browser, ...(hosts && { hosts }) }
  const respond = { allowEval, images, saveScreenshot, ...(policy && { policy }), ...(limits && { limits }) }
  if (tools === 'browser') {
    const allowUserBrowser = isUserBrowser(browser)
    const toolbox = browserTool({ start: request => startBrowser(request, { open, session }) }, { ...respond, allowUserBrowser })
    return { toolbox, close: toolbox.close }
  }
  const { run, close } = lazySession(() => open(session), { isEager: isUserBrowser(browser) })
  return { toolbox: tools === 'agent' ? withModelResults(agentTools(run, respond)) : webTools(run, respond), close }
}

/** The same tools, with results as the model reads them. */
const withModelResults = <Result>(toolbox: Toolbox<Result>): Toolbox => ({
  ...toolbox,
  execute: async (...call) => toolbox.toModel(await toolbox.execute(...call)),
  toModel: result => result,
})

/** A model chooses among known profiles: any other name would create a folder, or use a login of the user. */
async function startBrowser(
  { profile, debuggingUrl }: { readonly profile?: string; readonly debuggingUrl?: string },
  { open, session }: { open: OpenSession; session: OpenOptions },
) {
  const { attach } = session
  const names = new Set(['temporary', ...(attach ? ['chrome'] : []), ...(session.profile ? [session.profile] : [])])
  if (profile && !names.has(profile))
    return fail('unknown_profile', say`There is no profile ${quoted(profile, 64)}. There are: ${term([...names].join(', '))}.`)
  // any other port might belong to a program that is not a browser
  if (debuggingUrl && attach && withoutSlash(debuggingUrl) !== withoutSlash(attach))
    return fail('disabled', say`debugging_url must be ${term(attach)}, the endpoint that the user gave, or be omitted.`)
  const opened = await open({ ...session, ...(profile && { profile }), ...(debuggingUrl && { attach: debuggingUrl }) })
  return opened.ok ? { ok: true as const, data: { ...opened.data, description: profile ?? session.profile ?? 'temporary' } } : opened
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/** A client has disconnected when its end of the pipe is closed. */
async function serveStdio({ server, close }: Connection): Promise<void> {
  const disconnected = Promise.race([
    once(process.stdin, 'end'),
    once(process.stdin, 'close'),
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
  ])
  await server.connect(new StdioServerTransport())
  await disconnected
  await server.close()
  await close()
}
