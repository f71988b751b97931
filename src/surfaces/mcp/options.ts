import { parseArgs } from 'node:util'
import { messageOf } from '../../contract/error-message.ts'
import type { OptionSpec } from '../cli/command-spec.ts'
import { flagOf, isProfileName, profileSays, type RuleFlags, ruleFlags } from '../flags/session-flags.ts'
import { rulesFrom, type SessionRules } from '../tools/policy.ts'

export interface McpOptions extends SessionRules {
  readonly tools: 'web' | 'browser' | 'agent'
  readonly allowEval: boolean
  readonly images: boolean
  readonly headed: boolean
  readonly window?: string
  readonly profile?: string
  readonly attach?: string
  readonly evidence?: string
  readonly http?: number
  readonly origins: readonly string[]
}

export const mcpHelp = `pagehand mcp   Serve the tools to an MCP client over stdio

  --tools web|browser|agent   the web tools (default), the one browser tool, or the tools of a sub-agent
  --allow-eval                offer web_eval: run JavaScript in the page
  --images                    give the model the picture of a screenshot, not only its path
  --headed                    show the window
  --viewport WxH              its size, such as 1280x720
  --profile NAME              ${profileSays}
  --attach ENDPOINT           use a running browser, such as http://127.0.0.1:9222
  --evidence FOLDER           write down every call, with pictures and snapshots, and make a report of it when the client has gone
${Object.entries(ruleFlags).map(ruleLine).join('\n')}
  --http PORT                 listen on this machine instead of stdio; 0 takes any port. The address and the token go to standard error;
                              PAGEHAND_TOKEN sets the token
  --allow-origin ORIGIN       with --http: a web page that may call; may be given more than once

The browser starts with the first call, and ends with the client.

Exit codes: 0 the client has gone, 2 wrong use.
`

function ruleLine([field, taken]: [string, OptionSpec]): string {
  const value = taken.type === 'boolean' ? '' : field === 'deny' ? ' NAME' : ' HOST'
  return `  ${`--${flagOf(field, taken)}${value}`.padEnd(27)} ${taken.description}`
}

/** The options, or what is wrong with them. */
export function mcpOptions(given: readonly string[]): McpOptions | string {
  let values: ReturnType<typeof parse>['values']
  try {
    values = parse(given).values
  } catch (error) {
    return messageOf(error)
  }
  const { tools = 'web', viewport, profile, attach, evidence, http } = values
  if (tools !== 'web' && tools !== 'browser' && tools !== 'agent') return `--tools is web, browser or agent, not ${tools}`
  if (viewport !== undefined && !/^\d{2,5}x\d{2,5}$/.test(viewport)) return `--viewport is a size such as 1280x720, not ${viewport}`
  if (http !== undefined && !(/^\d{1,5}$/.test(http) && Number(http) < 65_536)) return `--http needs a port, not ${http}`
  if (profile !== undefined && !isProfileName(profile)) return `--profile is a name of letters, digits, dots and dashes, not ${profile}`
  const rules = rulesFrom(ruleFlagsIn(values))
  if (!rules.ok) return rules.error.message.replace(/\.$/, '')
  return {
    ...rules.data,
    tools,
    allowEval: values['allow-eval'] ?? false,
    images: values.images ?? false,
    headed: values.headed ?? false,
    origins: values['allow-origin'] ?? [],
    ...(viewport !== undefined && { window: viewport }),
    ...(profile !== undefined && { profile }),
    ...(attach !== undefined && { attach }),
    ...(evidence !== undefined && { evidence }),
    ...(http !== undefined && { http: Number(http) }),
  }
}

type Values = { readonly [flag: string]: unknown }
const ruleFlagsIn = (values: Values): RuleFlags =>
  Object.fromEntries(
    Object.entries(ruleFlags).flatMap(([field, taken]) => {
      const flag = flagOf(field, taken)
      return values[flag] === undefined ? [] : [[field, flag.startsWith('no-') ? !values[flag] : values[flag]]]
    }),
  )

const ruleOptions = Object.fromEntries(
  Object.entries(ruleFlags).map(([field, taken]) => [
    flagOf(field, taken),
    taken.type === 'boolean' ? ({ type: 'boolean' } as const) : ({ type: 'string', multiple: true } as const),
  ]),
)

const parse = (given: readonly string[]) =>
  parseArgs({
    args: [...given],
    options: {
      tools: { type: 'string' },
      'allow-eval': { type: 'boolean' },
      images: { type: 'boolean' },
      headed: { type: 'boolean' },
      viewport: { type: 'string' },
      profile: { type: 'string' },
      attach: { type: 'string' },
      evidence: { type: 'string' },
      http: { type: 'string' },
      'allow-origin': { type: 'string', multiple: true },
      ...ruleOptions,
    },
  })
