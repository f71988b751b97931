import { withCommandLines } from './command-lines.mjs'
import { rotate, withAll } from './connect.mjs'
import { median } from './measure.mjs'
import { rowsPage } from './pages.mjs'
import { progress } from './progress.mjs'

const controls = `<h1>Counter</h1><button onclick="told.textContent = 'pressed ' + ++presses">Press</button>
  <p id="told"></p><script>presses = 0</script>`
const pages = [
  { name: 'static, 40 elements', html: rowsPage(40, controls).html },
  { name: '2,000 elements', html: rowsPage(2_000, controls).html },
  { name: '20,000 elements', html: rowsPage(20_000, controls).html },
]

/** Cheap rounds are repeated more often. */
export const [leastRounds, patienceMs] = [5, 120_000]

/** The same with CLI commands: each starts a process that calls a running daemon. */
export async function commandsOf(setup, site, { rounds }) {
  const results = []
  for (const { name, html } of pages.slice(0, 2)) {
    site.show(html)
    const products = await withCommandLines(setup, site.url, async lines => {
      const taken = []
      for (const line of lines) taken.push({ ...line, shown: (await line.snapshot()).text, clicked: [], viewed: [] })
      for (let round = -1; round < rounds; round++)
        for (const each of rotate(taken, round + 1)) {
          progress(`commands on ${name}, round ${round + 1} of ${rounds}, ${each.name}`)
          const clicked = await each.click(each.refOf(each.shown, 'Press'))
          const viewed = await each.snapshot()
          each.shown = viewed.text
          if (round < 0) continue
          each.clicked.push(clicked)
          each.viewed.push(viewed)
        }
      return taken.map(({ name, clicked, viewed }) => ({ product: name, click: typical(clicked), snapshot: typical(viewed) }))
    })
    results.push({ page: name, products })
  }
  return results
}

/** Per page and product: ms and characters of a click, of a snapshot, and of both. */
export function clicksOf(setup, site, { rounds }) {
  return withAll(setup, async clients => {
    const results = []
    for (const { name, html } of pages) {
      site.show(html)
      const taken = []
      for (const client of clients) {
        await client.open(site.url)
        const { text } = await client.snapshot()
        taken.push({ client, shown: text, click: [], snapshot: [], both: [] })
      }
      const deadline = performance.now() + patienceMs
      // the first round only warms up
      for (let round = -1; round < Math.min(leastRounds, rounds) || (round < rounds && performance.now() < deadline); round++)
        for (const each of rotate(taken, round + 1)) {
          progress(`${name}, round ${round + 1} of ${rounds}, ${each.client.product.name}`)
          const measured = await measureOnce(each)
          each.shown = measured.both.text
          if (round >= 0) for (const [what, answer] of Object.entries(measured)) each[what].push(answer)
        }
      results.push({ page: name, rounds: taken[0].click.length, products: taken.map(figures) })
    }
    return results
  })
}

/** Refs come from the previous snapshot, as for a model. The page changes between snapshots, because ours is shortened if it does not. */
async function measureOnce({ client, shown }) {
  const { refOf } = client.product
  const click = await client.click(refOf(shown, 'Press'))
  const snapshot = await client.snapshot()
  const both = await client.clickAndSnapshot(refOf(snapshot.text, 'Press'))
  return { click, snapshot, both }
}

function figures({ client, click, snapshot, both }) {
  return {
    product: client.product.name,
    click: { ...typical(click), reportsText: click.every(({ text }) => /pressed \d/.test(text)) },
    snapshot: typical(snapshot),
    both: typical(both),
  }
}

const typical = answers => ({ ms: median(answers.map(({ ms }) => ms)), chars: median(answers.map(({ text }) => text.length)) })
