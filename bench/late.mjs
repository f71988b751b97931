import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { rotate, withAll } from './connect.mjs'
import { median } from './measure.mjs'
import { progress } from './progress.mjs'

/** What a click starts, and whether it ends within the waiting limits: 5 s for requests and 2 s for everything else. */
export const lateCases = [
  { name: 'fetch, 300 ms', press: 'answer(300)', ends: true },
  { name: 'timer, 500 ms', press: 'setTimeout(arrive, 500)', ends: true },
  { name: 'timer 300 ms, then fetch 300 ms', press: 'setTimeout(() => answer(300), 300)', ends: true },
  { name: 'fetch, 1.5 s', press: 'answer(1500)', ends: true },
  {
    name: 'two frames, then microtasks',
    press: 'requestAnimationFrame(() => requestAnimationFrame(() => Promise.resolve().then(() => queueMicrotask(arrive))))',
    ends: true,
  },
  { name: 'pushState, then fetch 300 ms', press: "history.pushState({}, '', '?part=2'); answer(300)", ends: true },
  { name: 'scroll to the end of an infinite list, fetch 300 ms', press: 'end.scrollIntoView()', ends: true },
  { name: 'transition, 400 ms', press: "box.classList.add('open')", ends: true },
  { name: 'fetch, 3 s', press: 'answer(3000)', ends: true },
  { name: 'timer, 10 s', press: 'setTimeout(arrive, 10000)', ends: false },
]

/** Per case and product: where the late text was seen, or that it was reported as pending, and ms until the model had that result. */
export async function lateOf(setup, { rounds }) {
  const site = await openLateSite()
  try {
    return await withAll(setup, async clients => {
      const results = []
      for (const [at, { name, ends }] of lateCases.entries()) {
        const visits = clients.map(() => [])
        for (let round = 0; round < rounds; round++)
          for (const client of rotate(clients, round)) {
            progress(`late: ${name}, ${client.product.name}`)
            visits[clients.indexOf(client)].push(await visit(client, `${site.url}${at}`))
          }
        results.push({ case: name, ends, products: clients.map(({ product }, i) => worst(product.name, visits[i])) })
      }
      return results
    })
  } finally {
    site.close()
  }
}

/** Ordered from best to worst. */
const outcomes = ['in the click', 'in the snapshot', 'reported pending', 'missed']

async function visit(client, url) {
  await client.open(url)
  const { text } = await client.snapshot()
  const clicked = await client.click(client.product.refOf(text, 'Press'))
  if (clicked.text.includes(words)) return { outcome: outcomes[0], ms: clicked.ms }
  const seen = await client.snapshot()
  if (seen.text.includes(words)) return { outcome: outcomes[1], ms: clicked.ms + seen.ms }
  if (saysPending.test(clicked.text)) return { outcome: outcomes[2], ms: clicked.ms }
  return { outcome: outcomes[3], ms: clicked.ms + seen.ms }
}

// pagehand says "still going on"; the others are phrases that other products might use
const saysPending = /still going on|\bpending\b|not settled|in progress|still (?:loading|running|waiting)/i

/** The worst outcome counts, because a model cannot rely on a better one. */
function worst(product, visits) {
  const at = Math.max(...visits.map(({ outcome }) => outcomes.indexOf(outcome)))
  const same = visits.filter(({ outcome }) => outcome === outcomes[at])
  return { product, outcome: outcomes[at], times: same.length, of: visits.length, ms: median(same.map(({ ms }) => ms)) }
}

// the text of a button, because every product shows buttons by default
const words = 'Here at last'

const pageOf = ({ press }) => `<!doctype html><html lang="en"><title>Late</title>
<style>#box { height: 20px; transition: height 400ms linear } #box.open { height: 80px } #far { height: 3000px }</style>
<button onclick="press()">Press</button> <p id="told"></p> <div id="box"></div> <div id="far"></div> <div id="end">The end</div>
<script>
  const arrive = () => { told.append(Object.assign(document.createElement('button'), { textContent: ['Here', 'at', 'last'].join(' ') })) }
  const answer = ms => fetch('/after/' + ms).then(response => response.text()).then(arrive)
  box.ontransitionend = arrive
  const more = new IntersectionObserver(([seen]) => { if (seen.isIntersecting) { more.disconnect(); answer(300) } })
  more.observe(end)
  function press() { ${press} }
</script>`

/** `/0` is the page of the first case; `/after/300` responds after 300 ms. */
async function openLateSite() {
  const server = createServer(async (request, response) => {
    const after = /^\/after\/(\d+)$/.exec(request.url)
    if (after) await pause(Number(after[1]))
    const shown = lateCases[/^\/(\d+)/.exec(request.url)?.[1]]
    response.writeHead(after || shown ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(shown ? pageOf(shown) : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
