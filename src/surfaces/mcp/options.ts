import { readFileSync } from 'node:fs'
import { type ApprovalPolicy, parseApprovalPolicy, requireSites } from '../../approval/approval-policy.ts'
import { messageOf } from '../../contract/error-message.ts'
import { columns, optionRows } from '../flags/option-help.ts'
import type { OptionSpecs } from '../flags/option-spec.ts'
import { parseOptions } from '../flags/parse-options.ts'
import {
  type BrowserFlags,
  browserFlags,
  formatPolicyFlags,
  invalidBrowserFlag,
  isUserBrowser,
  pickBrowserFlags,
  ruleFlags,
} from '../flags/session-flags.ts'
import { rulesFrom, type SessionRules } from '../tools/session-rules.ts'

const toolSets = ['web', 'browser', 'agent'] as const

export interface McpOptions extends SessionRules {
  readonly browser: BrowserFlags
  readonly tools: (typeof toolSets)[number]
  readonly images: boolean
  readonly evidence?: string
  /** asks a person before actions that this policy does not allow */
  readonly approvals?: ApprovalPolicy
  /** the hosts that pages may be opened of without asking */
  readonly sites: readonly string[]
  readonly http?: number
  readonly origins: readonly string[]
}

const options: OptionSpecs = {
  tools: {
    type: 'string',
    enum: toolSets,
    description: 'the web tools, the single browser tool, or the tools of a sub-agent',
    default: 'web',
  },
  images: { type: 'boolean', description: 'return screenshots as images, not only as file paths' },
  ...browserFlags,
  allowEval: { type: 'boolean', description: 'offer web_eval, which runs JavaScript in the page' },
  uploadRoot: { ...browserFlags.uploadRoot, description: 'files of this folder may be uploaded; can be repeated (default: none)' },
  evidence: {
    type: 'string',
    value: 'FOLDER',
    description: 'record every call with screenshots and snapshots, and write a report when the client disconnects',
  },
  ...ruleFlags,
  approvals: {
    type: 'string',
    value: 'FILE|default|off',
    description:
      'ask a person before actions that this policy does not allow: by a form of the client if it has one, else with pagehand approve (default: off; with --profile chrome or --attach: default)',
  },
  site: {
    type: 'array',
    value: 'HOST',
    description: 'with --approvals: a site that may be opened without asking; can be repeated (default: those of --allow-host)',
  },
  http: {
    type: 'integer',
    value: 'PORT',
    description:
      'listen on this port of this machine instead of stdio; 0 picks a free port. The URL and a random token are printed to standard error; PAGEHAND_TOKEN sets the token instead, and is not printed',
  },
  allowOrigin: { type: 'array', value: 'ORIGIN', description: 'with --http: accept calls from web pages of this origin; can be repeated' },
}

export const mcpHelp = `pagehand mcp   Serve the tools to an MCP client over stdio or HTTP

${columns(optionRows(options)).join('\n')}

The browser starts with the first call and closes when the client disconnects. With --profile chrome or --attach, the server connects to your
own browser when it starts, and only closes the tabs that it opened there.

Exit codes: 0 the client disconnected, 2 usage error.
`

/** Parses the words after `pagehand mcp`. Returns a sentence about the first mistake instead of throwing. */
export function parseMcpOptions(words: readonly string[]): McpOptions | string {
  const parsed = parseOptions(words, options)
  if (!parsed.ok) return parsed.why
  if (parsed.positionals.length > 0) return `unexpected argument ${parsed.positionals[0]}`
  const { tools = 'web', http, evidence, allowOrigin, approvals, site, ...given } = parsed.options
  if (!isToolSet(tools)) return `--tools is web, browser or agent, not ${tools}`
  if (http !== undefined && !isPort(http)) return `--http is a port from 0 to 65535, not ${http}`
  const origins = Array.isArray(allowOrigin) ? allowOrigin : []
  const noOrigin = origins.find(each => !isOrigin(each))
  if (noOrigin !== undefined) return `--allow-origin is an origin such as https://app.example, not ${noOrigin}`
  if (origins.length > 0 && http === undefined) return '--allow-origin needs --http'
  const browser = pickBrowserFlags(given)
  const wrong = invalidBrowserFlag(browser)
  if (wrong) return wrong
  const rules = rulesFrom(given, `The server was started with ${formatPolicyFlags(given)}; only the user can change that.`)
  if (!rules.ok) return rules.error.message
  const sites = Array.isArray(site) ? site : (rules.data.hosts?.allow ?? [])
  // the own browser of a user has all their logins
  const policyFile = typeof approvals === 'string' ? approvals : isUserBrowser(browser) ? 'default' : 'off'
  const policy = policyFile === 'off' ? undefined : readPolicy(policyFile, sites)
  if (typeof policy === 'string') return policy
  if (site !== undefined && !policy) return '--site needs --approvals'
  return {
    ...rules.data,
    browser,
    sites,
    ...(policy && { approvals: policy }),
    tools,
    images: given.images === true,
    origins,
    ...(typeof evidence === 'string' && { evidence }),
    ...(http !== undefined && { http }),
  }
}

/** The policy of a file, or a sentence about what is wrong with it: nothing starts without its rules (TRUST C2). */
function readPolicy(file: string, sites: readonly string[]): ApprovalPolicy | string {
  try {
    requireSites(sites)
    if (file === 'default') return {}
    const parsed = parseApprovalPolicy(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.ok ? parsed.value : `--approvals ${file}: ${parsed.error.message}`
  } catch (error) {
    return `--approvals ${file}: ${messageOf(error)}`
  }
}

const isToolSet = (value: unknown): value is McpOptions['tools'] => toolSets.some(each => each === value)
/** as browsers write it in the header Origin */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).host !== '' && /^[a-z][a-z\d+.-]*:\/\/[^/?#@]+$/.test(text)
const isPort = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 65_536
