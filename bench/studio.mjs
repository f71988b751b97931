// `npm run bench:studio`: what the studio costs: pictures, watched clicks, commands through a window, stops, and many chats at once.
// --quick measures less, --write updates docs/bench-studio.md.
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { launch, openSession } from 'pagehand/browser'
import { WebSocket } from 'ws'
import { at95, chunksOf, collectGarbage, median, openStudio, scripted, serveSite, usageOf, wait } from './studio-server.mjs'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, write: { type: 'boolean' }, only: { type: 'string' } } })
if ((options.quick || options.only) && options.write) throw new TypeError('--write needs a full run')
const amount = options.quick
  ? { seconds: 2, clicks: 10, commands: 10, stops: 3, chats: 4 }
  : { seconds: 5, clicks: 60, commands: 80, stops: 10, chats: 20 }

const button = '<button style="position:fixed;top:10px;left:10px" onclick="this.textContent=1+Number(this.textContent)">0</button>'
const site = await serveSite({
  '/still': `<title>Still</title>${button}`,
  '/moving': `<title>Moving</title><canvas id=c width=1200 height=700></canvas><script>const g=c.getContext('2d');let t=0;(function draw(){t++;g.fillStyle='hsl('+t%360+' 70% 60%)';g.fillRect((t*7)%1200,(t*3)%700,90,90);requestAnimationFrame(draw)})()</script>${button}`,
  '/form':
    "<title>Form</title><input aria-label=Name><button onclick=\"document.title='Hello '+document.querySelector('input').value\">Greet</button>",
  '/items': `<title>Items</title>${Array.from({ length: amount.commands }, (_, item) => `<button onclick="document.title='${item}'">Item ${item}.</button>`).join('')}`,
})

/** A window that shows the live view of a chat: it acknowledges every picture at once. */
async function watch({ origin, headers }, chat) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/live/${chat}`, { headers })
  const seen = { frames: 0, bytes: 0, marks: 0, close: () => socket.close() }
  const first = new Promise(resolve => {
    socket.on('message', data => {
      const message = JSON.parse(String(data))
      if (message.type === 'target') seen.marks++
      if (message.type !== 'frame') return
      seen.frames++
      seen.bytes += data.length
      socket.send(JSON.stringify({ type: 'ack', seq: message.seq }))
      resolve()
    })
  })
  await new Promise(resolve => socket.once('open', resolve))
  return { seen, first }
}

/** Pictures of a page, and the CPU that they cost. */
async function measureLive() {
  const chromium = await launch()
  const studio = await openStudio(
    scripted(() => 'x'),
    { session: { browser: chromium } },
  )
  const chat = (await studio.mutate('chat.create', {})).id
  const browser = await studio.studio.browserOf(chat)
  const during = async (path, isWatched) => {
    await browser.session.open(`${site.url}${path}`)
    const { seen } = isWatched ? await watch(studio, chat) : { seen: { frames: 0, bytes: 0, close() {} } }
    await wait(1_000)
    const [before, own, start, { frames, bytes }] = [await usageOf(chromium.pid), process.cpuUsage(), performance.now(), { ...seen }]
    await wait(amount.seconds * 1_000)
    const seconds = (performance.now() - start) / 1_000
    const spent = process.cpuUsage(own)
    const result = {
      fps: (seen.frames - frames) / seconds,
      kbps: (seen.bytes - bytes) / seconds / 1_000,
      browserCpu: ((await usageOf(chromium.pid)).cpu - before.cpu) / seconds,
      serverCpu: (spent.user + spent.system) / 1e6 / seconds,
    }
    seen.close()
    return result
  }
  const live = {
    product: chromium.product,
    movingAlone: await during('/moving', false),
    moving: await during('/moving', true),
    still: await during('/still', true),
  }
  await studio.close()
  await chromium.close()
  return live
}

/** Clicks with and without a window that watches, in turns, so that both have the same load. */
async function measureClicks(path) {
  const chromium = await launch()
  const studio = await openStudio(
    scripted(() => 'x'),
    { session: { browser: chromium } },
  )
  const chat = (await studio.mutate('chat.create', {})).id
  const browser = await studio.studio.browserOf(chat)
  const times = { plain: [], watched: [] }
  let marks = 0
  const gated = browser.gate(browser.session.run)
  for (let pair = -3; pair < amount.clicks; pair++) {
    for (const kind of pair % 2 ? ['plain', 'watched'] : ['watched', 'plain']) {
      await browser.session.open(`${site.url}${path}`)
      const viewer = kind === 'watched' ? await watch(studio, chat) : undefined
      await viewer?.first
      const ref = /button "0".*?\[ref=(e\d+)\]/.exec((await browser.session.snapshot()).text)[1]
      const start = performance.now()
      const result = await gated({ name: 'click', ref })
      const ms = performance.now() - start
      if (!result.ok) throw new Error(result.error.message)
      // the first pairs warm up
      if (pair >= 0) times[kind].push(ms)
      if (pair >= 0) marks += viewer?.seen.marks ?? 0
      viewer?.seen.close()
    }
  }
  await studio.close()
  await chromium.close()
  return { ...times, marks, ratio: median(times.watched.map((time, index) => time / times.plain[index])) }
}

/** Commands that a window carries out in a real browser: from their arrival to the accepted result. */
async function measureRemote() {
  const marks = []
  let item = 0
  const refs = []
  const model = scripted(text => {
    marks.push(performance.now())
    for (const [, number, ref] of text.matchAll(/Item (\d+)\.\\*".{0,40}?\[ref=(e\d+)\]/g)) refs[number] = ref
    if (marks.length === 1) return { name: 'open-url', input: { url: `${site.url}/items` } }
    if (item === amount.commands) return { name: 'close', input: { summary: 'done' } }
    return { name: 'browser-act', input: { action: 'click', ref: refs[item++] ?? 'e1' } }
  })
  const studio = await openStudio(model, { drive: 'remote' })
  await studio.mutate('settings.set', { limits: { steps: amount.commands + 10 } })
  const session = await openSession()
  const sessionId = (await studio.mutate('chat.create', {})).id
  const place = { clientId: 'w', tabId: 't1', viewKey: 'w', cdpTargetId: '' }
  const [trips, whole] = [[], []]
  let reason
  for await (const { type, data } of chunksOf(await studio.say(sessionId, `Click all items at ${site.url}/items`, place))) {
    if (type === 'data-sub-agent-run') reason = data.stopReason ?? reason
    if (type !== 'data-browser-command') continue
    const arrival = performance.now()
    session.run(data.command).then(async result => {
      const start = performance.now()
      const report = { sessionId, clientId: 'w', tabId: 't1', commandId: data.commandId, result }
      const { accepted } = await studio.mutate('tab.reportBrowserCommandResult', report)
      if (!accepted) return
      trips.push(performance.now() - start)
      whole.push(performance.now() - arrival)
    })
  }
  const title = (await session.snapshot()).meta?.title
  if (reason !== 'closed') throw new Error(`the run ended with ${reason} after ${item} clicks`)
  await session.close()
  await studio.close()
  const steps = marks.slice(2).map((mark, index) => mark - marks[index + 1])
  return { trips, whole, steps, done: item, title }
}

/** From the request to stop until its answer, and until another window shows the end. */
async function measureStop() {
  const model = scripted((_, prompt) =>
    prompt.some(({ role }) => role === 'tool')
      ? { name: 'browser-wait', input: { textIncludes: 'never', timeoutMs: 60_000 } }
      : { name: 'open-url', input: { url: `${site.url}/still` } },
  )
  const chromium = await launch()
  const studio = await openStudio(model, { session: { browser: chromium } })
  const times = { back: [], front: [] }
  for (let turn = 0; turn < amount.stops; turn++) {
    const chatId = (await studio.mutate('chat.create', {})).id
    let start = 0
    const first = await studio.say(chatId, `Wait at ${site.url}/still`)
    const isWaiting = new Promise(resolve => {
      void (async () => {
        for await (const { type, data } of chunksOf(first))
          if (type === 'data-browser-event' && data.verb === 'wait' && data.state === 'running') resolve()
      })()
    })
    await isWaiting
    const other = (async () => {
      for await (const { type } of chunksOf(await studio.follow(chatId)))
        if (type === 'data-manual-stop') times.front.push(performance.now() - start)
    })()
    await wait(200)
    start = performance.now()
    await studio.mutate('run.stop', { chatId })
    times.back.push(performance.now() - start)
    await other
  }
  await studio.close()
  await chromium.close()
  return times
}

/** Chats that open a page, fill in a field and click, all at the same time. */
async function measureChats() {
  const refIn = (text, line) => [...text.matchAll(new RegExp(`${line}.{0,80}?\\[ref=(e\\d+)\\]`, 'g'))].at(-1)?.[1] ?? 'e1'
  const model = scripted((text, prompt) => {
    const calls = prompt.filter(({ role }) => role === 'tool').length
    if (calls === 0) return { name: 'open-url', input: { url: `${site.url}/form` } }
    if (calls === 1) return { name: 'browser-act', input: { action: 'fill', ref: refIn(text, 'textbox'), text: 'Ann' } }
    if (calls === 2) return { name: 'browser-act', input: { action: 'click', ref: refIn(text, 'button') } }
    return { name: 'close', input: { summary: 'greeted' } }
  })
  const studio = await openStudio(model)
  const one = async () => {
    const id = (await studio.mutate('chat.create', {})).id
    const start = performance.now()
    let reason
    for await (const { type, data } of chunksOf(await studio.say(id, `Greet at ${site.url}/form`)))
      if (type === 'data-sub-agent-run') reason = data.stopReason
    const time = performance.now() - start
    const { text } = await (await studio.studio.browserOf(id)).session.snapshot()
    return { time, ok: reason === 'closed' && text.includes('Hello Ann') }
  }
  const memory = async () => {
    for (let round = 0; round < 3; round++) {
      collectGarbage()
      await wait(200)
    }
    const { heapUsed, external } = process.memoryUsage()
    return { server: heapUsed + external, browser: (await usageOf(process.pid, { descendantsOnly: true })).bytes }
  }
  await one()
  const alone = await one()
  const before = await memory()
  const start = performance.now()
  const all = await Promise.all(Array.from({ length: amount.chats }, one))
  const total = performance.now() - start
  const after = await memory()
  await studio.close()
  return {
    alone: alone.time,
    total,
    times: all.map(({ time }) => time),
    finished: all.filter(({ ok }) => ok).length,
    serverPerChat: (after.server - before.server) / amount.chats,
    browserPerChat: (after.browser - before.browser) / amount.chats,
  }
}

const ms = value => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const mb = bytes => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
const spread = list => `${ms(median(list))} | ${ms(at95(list))}`

const measures = {
  live: measureLive,
  still: () => measureClicks('/still'),
  moving: () => measureClicks('/moving'),
  remote: measureRemote,
  stop: measureStop,
  chats: measureChats,
}
const loads = [loadavg()[0]]
const results = {}
for (const [name, measure] of Object.entries(measures)) {
  if (options.only && !options.only.split(',').includes(name)) continue
  results[name] = await measure()
  if (options.only) console.log(name, JSON.stringify(results[name]))
}
loads.push(loadavg()[0])
site.close()
if (options.only) process.exit(0)

const { live, still, moving, remote, stop, chats } = results
const report = `# Bench: studio

\`npm run bench:studio -- --write\` wrote this page. Machine: ${cpus().length} cores, load ${loads[0].toFixed(1)} before and ${loads[1].toFixed(1)} after the browsers of the last measurement, Node ${process.versions.node}, ${results.live.product}. Times depend on the load; ratios are measured side by side.

## Live view

One window, 1280 x 720, JPEG, acknowledged frame by frame; ${amount.seconds} s each. CPU is in cores.

| page | frames per second | data | CPU of the browser | CPU of the server |
|---|---:|---:|---:|---:|
| paints all the time, nobody watches | – | – | ${live.movingAlone.browserCpu.toFixed(2)} | ${live.movingAlone.serverCpu.toFixed(2)} |
| paints all the time | ${live.moving.fps.toFixed(1)} | ${live.moving.kbps.toFixed(0)} kB/s | ${live.moving.browserCpu.toFixed(2)} | ${live.moving.serverCpu.toFixed(2)} |
| still | ${live.still.fps.toFixed(1)} | ${live.still.kbps.toFixed(0)} kB/s | ${live.still.browserCpu.toFixed(2)} | ${live.still.serverCpu.toFixed(2)} |

## Clicks of the agent while a window watches

${amount.clicks} pairs of clicks, in turns, including the mark of the target in the live view.

| page | not watched | watched | median of the ratios | target |
|---|---:|---:|---:|---:|
| still | ${ms(median(still.plain))} | ${ms(median(still.watched))} | ${still.ratio.toFixed(3)} | < 1.05 |
| paints all the time | ${ms(median(moving.plain))} | ${ms(median(moving.watched))} | ${moving.ratio.toFixed(3)} | < 1.05 |

## Commands through a window (\`--drive remote\`)

A run with ${remote.done} of ${amount.commands} clicks, ${remote.trips.length} commands, carried out in a real browser.

| | median | 95th percentile |
|---|---:|---:|
| from the event with the command until the server has accepted its result: inspect, click, snapshot, screenshot … | ${spread(remote.whole)} |
| of that, from the result in the window until the server has accepted it | ${spread(remote.trips)} |
| a whole step, from one call of the model to the next: command, click, snapshot, log on disk | ${spread(remote.steps)} |

## Stop

${amount.stops} runs that wait for a text, stopped by a request.

| | median | slowest | target |
|---|---:|---:|---:|
| until the server says that the run has ended | ${ms(median(stop.back))} | ${ms(Math.max(...stop.back))} | < 1 s |
| until another window is told | ${ms(median(stop.front))} | ${ms(Math.max(...stop.front))} | < 1 s |

## Chats at the same time

Each opens a page, fills in a field, clicks and ends, in a Chromium of its own, which stays open.

| | |
|---|---:|
| one chat | ${ms(chats.alone)} |
| ${amount.chats} chats at once, until the last has ended | ${ms(chats.total)} |
| one of them, median / slowest | ${ms(median(chats.times))} / ${ms(Math.max(...chats.times))} |
| finished with the right page | ${chats.finished} of ${amount.chats} |
| memory of the server per chat, after garbage collection | ${mb(chats.serverPerChat)} |
| memory of the browser per chat (PSS) | ${mb(chats.browserPerChat)} |
`
process.stdout.write(report)
if (options.write) await writeFile(new URL('../docs/bench-studio.md', import.meta.url), report)
process.exit(0)
