import { connect, rotate, withAll } from './connect.mjs'
import { median } from './measure.mjs'
import { canListProcesses, residentOf } from './processes.mjs'
import { progress } from './progress.mjs'

const html = `<!doctype html><html lang="en"><title>Start</title><h1>Start</h1>
  <button onclick="told.textContent = 'pressed ' + ++presses">Press</button> <p id="told"></p><script>presses = 0</script>`

/** ms from starting a server to its first snapshot, with the steps in between, and the number of processes left afterwards. */
export async function startsOf(setup, site, { rounds }) {
  site.show(html)
  const taken = setup.products.map(({ name }) => ({ product: name, ready: [], opened: [], seen: [], left: 0 }))
  // the first round only fills the disk caches
  for (let round = -1; round < rounds; round++)
    for (const product of rotate(setup.products, round + 1)) {
      progress(`cold start, round ${round + 1} of ${rounds}, ${product.name}`)
      const start = performance.now()
      const client = await connect(product, setup)
      const ready = performance.now() - start
      await client.open(site.url)
      const opened = performance.now() - start
      await client.snapshot()
      const seen = performance.now() - start
      const left = await client.close()
      const all = taken[setup.products.indexOf(product)]
      all.left += left
      if (round >= 0) for (const [step, ms] of Object.entries({ ready, opened, seen })) all[step].push(ms)
    }
  return taken.map(({ product, ready, opened, seen, left }) => ({
    product,
    left,
    ready: median(ready),
    opened: median(opened),
    seen: median(seen),
  }))
}

/** Resident memory of each product without its browser, after the first snapshot and after 50 clicks; undefined without /proc. */
export async function memoryOf(setup, site) {
  if (!canListProcesses) return undefined
  site.show(html)
  return withAll(setup, async clients => {
    const results = []
    for (const client of clients) {
      progress(`memory, ${client.product.name}`)
      await client.open(site.url)
      const { text } = await client.snapshot()
      const first = { bytes: residentOf(client.processes()), processes: client.processes().length }
      const ref = client.product.refOf(text, 'Press')
      for (let click = 0; click < 50; click++) await client.click(ref)
      results.push({ product: client.product.name, first, after: { bytes: residentOf(client.processes()) } })
    }
    return results
  })
}
