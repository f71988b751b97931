// `npm run bench:acting`: the time of actions by the injected script and by Playwright, alternating in one Chromium.
// --write updates the table in docs/webview-actions.md.
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { AgentBrowser } from '../dist/index.js'
import { scriptDriver } from '../dist/script.js'
import { inTab, open, openBrowser } from './browser.mjs'
import { median } from './measure.mjs'
import { count, ms, table, times } from './print.mjs'
import { progress } from './progress.mjs'
import { openSite } from './site.mjs'

const { values: options } = parseArgs({ options: { write: { type: 'boolean' } } })
const rounds = 15

const controls = `<button id=b onclick="o.textContent = ++n">Count</button> <output id=o></output> <label>Name <input id=i></label>
  <label>Sure <input id=c type=checkbox></label> <label>Size <select id=s><option>S<option>M<option>L</select></label><script>n = 0</script>`
const filler = elements =>
  Array.from(
    { length: elements / 4 },
    (_, at) => `<li><a href="/${at}">Item ${at}</a> <span>in stock</span> <button>Add ${at}</button></li>`,
  ).join('')
const pages = [40, 2_000, 20_000].map(elements => ({
  name: `${count(elements)} elements`,
  html: `<!doctype html><html lang=en><title>Actions</title><body>${controls}<ul>${filler(elements)}</ul>`,
}))

/** Each action: its name, the element, the kind and payload for the injected script, and the Playwright call. */
const actions = [
  ['click', 'button Count', 'click', () => null, page => page.locator('#b').click()],
  ['fill', 'textbox Name', 'fill', round => ({ value: `name ${round}` }), (page, round) => page.locator('#i').fill(`name ${round}`)],
  [
    'check, uncheck',
    'checkbox Sure',
    round => (round % 2 ? 'uncheck' : 'check'),
    () => null,
    (page, round) => page.locator('#c').setChecked(round % 2 === 0),
  ],
  [
    'select',
    'combobox Size',
    'select',
    round => ({ values: ['SML'[round % 3]] }),
    (page, round) => page.locator('#s').selectOption('SML'[round % 3]),
  ],
]

const site = await openSite()
const browser = await openBrowser()
try {
  const rows = []
  for (const page of pages)
    await inTab(browser, AgentBrowser.getScript(), async tab => {
      await open(tab, site, page.html)
      for (const action of actions) {
        progress(`${page.name}, ${action[0]}`)
        rows.push([`${action[0]}, ${page.name}`, ...figures(await inTurns(tab, action))])
      }
    })
  const text = table(['action', 'ours', 'ours, settled', 'Playwright', 'ratio', 'our result', 'page snapshot'], rows)
  if (options.write) await write(text)
  process.stdout.write(`${text}\n`)
} finally {
  progress('')
  await browser.close()
  site.close()
}

async function inTurns(tab, [, element, kind, payload, theirs]) {
  const evaluate = expression => tab.evaluate(expression)
  const run = scriptDriver({ evaluate })
  const snapshot = AgentBrowser.parseSnapshot(await evaluate(AgentBrowser.snapshotJs()))
  const { ref } = Object.values(snapshot.refs).find(({ role, name }) => `${role} ${name}` === element)
  const taken = { ours: [], settled: [], theirs: [], chars: 0, page: (await tab.ariaSnapshot({ mode: 'ai', timeout: 0 })).length }
  for (let round = 0; round < rounds; round++) {
    const name = typeof kind === 'string' ? kind : kind(round)
    const argument = payload(round)
    taken.ours.push(
      await timed(async () => {
        const answer = AgentBrowser.parseActionResult(await evaluate(AgentBrowser.actionJs(ref, name, argument)))
        if (!answer.ok) throw new Error(answer.error.message)
        taken.chars = JSON.stringify(answer).length
      }),
    )
    taken.theirs.push(await timed(() => theirs(tab, round + 1)))
    taken.settled.push(
      await timed(async () => {
        const result = await run({ name: typeof kind === 'string' ? kind : kind(round), ref, ...payload(round + 2) })
        if (!result.ok) throw new Error(result.error.message)
      }),
    )
  }
  return taken
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function figures({ ours, settled, theirs, chars, page }) {
  return [ms(median(ours)), ms(median(settled)), ms(median(theirs)), times(median(theirs) / median(ours)), count(chars), count(page)]
}

async function write(text) {
  const file = new URL('../docs/webview-actions.md', import.meta.url)
  const before = await readFile(file, 'utf8')
  await writeFile(file, before.replace(/(<!-- bench -->\n)[\s\S]*?(\n<!-- \/bench -->)/, `$1\n${text}\n$2`))
}
