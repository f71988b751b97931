// `npm run bench:sessions`: the cost of a session, compared with other MCP servers and CLIs that use the same Chromium.
// --json prints JSON, --quick measures less, --write updates docs/bench-sessions.md.
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { clicksOf, commandsOf } from './clicks.mjs'
import { lateOf } from './late.mjs'
import { manyOf } from './many.mjs'
import { openProducts } from './products.mjs'
import { progress } from './progress.mjs'
import { sessionDocumentOf, sessionReportOf } from './session-report.mjs'
import { judgeSessions } from './session-targets.mjs'
import { openSite } from './site.mjs'
import { memoryOf, startsOf } from './starts.mjs'

const { values: options } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, write: { type: 'boolean' } } })
if (options.quick && options.write) throw new TypeError('--write needs a full run; remove --quick')
const rounds = options.quick ? { clicks: 1, late: 1, starts: 1 } : { clicks: 15, late: 3, starts: 9 }

const load = [loadavg()[0]]
const site = await openSite()
const setup = await openProducts()
try {
  const starts = await startsOf(setup, site, { rounds: rounds.starts })
  const memory = await memoryOf(setup, site)
  const clicks = await clicksOf(setup, site, { rounds: rounds.clicks })
  const commands = await commandsOf(setup, site, { rounds: rounds.clicks })
  const late = await lateOf(setup, { rounds: rounds.late })
  const many = await manyOf(setup, site)
  load.push(loadavg()[0])
  const measured = {
    versions: await setup.versions(),
    machine: { cores: cpus().length, load },
    rounds,
    starts,
    memory,
    clicks,
    commands,
    late,
    many,
  }
  const result = { ...measured, targets: judgeSessions(measured) }

  if (options.write) await writeFile(new URL('../docs/bench-sessions.md', import.meta.url), sessionDocumentOf(result))
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : sessionReportOf(result))
} finally {
  progress('')
  site.close()
  setup.remove()
}
