// `npm run bench:sessions`: what a session costs, ours beside other MCP servers and command lines with the same Chromium.
// --json for machines; --quick for a first impression; --write for docs/bench-sessions.md
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

const { values: asked } = parseArgs({ options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, write: { type: 'boolean' } } })
if (asked.quick && asked.write) throw new TypeError('--write keeps a whole run; leave out --quick')
const rounds = asked.quick ? { clicks: 1, late: 1, starts: 1 } : { clicks: 15, late: 3, starts: 9 }

const load = [loadavg()[0]]
const site = await openSite()
const ground = await openProducts()
try {
  const starts = await startsOf(ground, site, { rounds: rounds.starts })
  const memory = await memoryOf(ground, site)
  const clicks = await clicksOf(ground, site, { rounds: rounds.clicks })
  const commands = await commandsOf(ground, site, { rounds: rounds.clicks })
  const late = await lateOf(ground, { rounds: rounds.late })
  const many = await manyOf(ground, site)
  load.push(loadavg()[0])
  const measured = {
    versions: await ground.versions(),
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

  if (asked.write) await writeFile(new URL('../docs/bench-sessions.md', import.meta.url), sessionDocumentOf(result))
  process.stdout.write(asked.json ? `${JSON.stringify(result, null, 2)}\n` : sessionReportOf(result))
} finally {
  progress('')
  site.close()
  ground.remove()
}
