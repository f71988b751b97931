import { columns, optionRows } from '../flags/option-help.ts'
import type { OptionSpecs } from '../flags/option-spec.ts'
import { parseOptions } from '../flags/parse-options.ts'

export interface RelayFlags {
  readonly port: number | undefined
  readonly idleMs: number | undefined
  readonly json: boolean
  /** started by another command: prints one line and ends when it is not needed any more */
  readonly background: boolean
}

const options: OptionSpecs = {
  port: { type: 'integer', value: 'PORT', description: 'listen on this port of this machine', default: 17_419 },
  idle: {
    type: 'integer',
    value: 'SECONDS',
    description: 'detach from a tab after this time without a command, so that the bar of Chrome disappears',
    default: 20,
  },
  json: { type: 'boolean', description: 'print the state of the running relay as JSON' },
}

export const relayHelp = `pagehand relay   Let programs on this machine use tabs that you lend in your own Chrome

${columns(optionRows(options)).join('\n')}

Commands with --profile chrome start it when they need it. Started by hand, it shows the code to pair with and what happens, and stays until
Control+C. If it is running already, it prints its state: the browser, the tabs that are shared, and the programs that use them.

Load the extension once: open chrome://extensions, switch on Developer mode, choose Load unpacked, and select the printed folder. Then click
its icon and enter the code. From then on, click the icon in a tab and choose Lend this tab; Take this tab back ends it.

Exit codes: 0 stopped, or the state was printed, 1 it could not be started, 2 usage error.
`

/** Parses the words after `pagehand relay`. Returns a sentence about the first mistake instead of throwing. */
export function parseRelayFlags(words: readonly string[]): RelayFlags | string {
  const background = words[0] === '--background'
  const parsed = parseOptions(background ? words.slice(1) : words, options)
  if (!parsed.ok) return parsed.why
  if (parsed.positionals.length > 0) return `unexpected argument ${parsed.positionals[0]}`
  const { port, idle, json } = parsed.options
  if (port !== undefined && (typeof port !== 'number' || port < 0 || port > 65_535)) return `--port is a port from 0 to 65535, not ${port}`
  if (idle !== undefined && (typeof idle !== 'number' || idle < 1)) return `--idle is a number of seconds, not ${idle}`
  return { port, idleMs: idle === undefined ? undefined : idle * 1_000, json: json === true, background }
}
