import { columns, optionRows } from '../flags/option-help.ts'
import type { OptionSpecs } from '../flags/option-spec.ts'
import { parseOptions } from '../flags/parse-options.ts'
import { browserFlags, isProfileName } from '../flags/session-flags.ts'

export interface StudioFlags {
  readonly port: number
  readonly model?: string
  readonly db?: string
  readonly data?: string
  readonly open: boolean
  readonly drive: 'local' | 'remote'
  readonly demo: boolean
  readonly headed: boolean
  readonly profile?: string
}

const options: OptionSpecs = {
  port: { type: 'integer', value: 'PORT', description: 'listen on this port of this machine; 0 picks a free one', default: 0 },
  model: {
    type: 'string',
    value: 'NAME',
    description: 'provider/model, or rules for the built-in rules without a model (default: by OPENAI_API_KEY or OPENAI_BASE_URL)',
  },
  db: { type: 'string', value: 'URL', description: 'a PostgreSQL server instead of the embedded database (default: DATABASE_URL)' },
  data: { type: 'string', value: 'FOLDER', isPath: true, description: 'where chats, runs and pictures are kept' },
  drive: {
    type: 'string',
    enum: ['local', 'remote'],
    description: 'who operates the browser: this machine, or the desktop application that shows the page',
    default: 'local',
  },
  open: { type: 'boolean', description: 'do not open the page in a browser', default: true },
  demo: { type: 'boolean', description: 'play a purchase in the demo shop; without a terminal, end when it is done' },
  headed: { type: 'boolean', description: 'show the windows of the browsers that the agent uses' },
  profile: {
    ...browserFlags.profile,
    description: 'the browser of the agent: temporary, chrome (tabs that you lend in your own browser) or a profile that is kept',
  },
}

export const studioHelp = `pagehand studio   Chat with an agent and watch its browser, in a page on this machine

${columns(optionRows(options)).join('\n')}

The page is served to this machine only, and only to those who have the printed link. Chats and runs are kept until you remove them.
Without a model the built-in rules understand plain instructions such as: search for tea, click Sign in, fill Email with a@b.example.

Needs the packages ai and, for the embedded database, @electric-sql/pglite. Stop it with Control+C.

Exit codes: 0 stopped, or the demo was played, 1 it could not be started, 2 usage error.
`

/** Parses the words after `pagehand studio`. Returns a sentence about the first mistake instead of throwing. */
export function parseStudioFlags(words: readonly string[]): StudioFlags | string {
  const parsed = parseOptions(words, options)
  if (!parsed.ok) return parsed.why
  if (parsed.positionals.length > 0) return `unexpected argument ${parsed.positionals[0]}`
  const { port = 0, model, db, data, open = true, drive = 'local', demo = false, headed = false, profile } = parsed.options
  if (typeof port !== 'number' || port < 0 || port > 65_535) return `--port is a port from 0 to 65535, not ${port}`
  if (typeof profile === 'string' && !isProfileName(profile))
    return `--profile is a name of letters, digits, dots and dashes, not ${profile}`
  if (drive !== 'local' && drive !== 'remote') return `--drive is local or remote, not ${drive}`
  return {
    port,
    drive,
    open: open === true,
    demo: demo === true,
    headed: headed === true,
    ...(typeof model === 'string' && { model }),
    ...(typeof profile === 'string' && { profile }),
    ...(typeof db === 'string' && { db }),
    ...(typeof data === 'string' && { data }),
  }
}
