// `npm run bench:studio`: what the studio costs: pictures, commands through a window, and many chats at once.
// --quick measures less, --write updates docs/bench-studio.md.
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MockLanguageModelV4 } from 'ai/test'
import { launch } from 'pagehand/browser'
import { WebSocket } from 'ws'
import { startStudio } from '../dist/studio/server.js'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, write: { type: 'boolean' } } })
if (options.quick && options.write) throw new TypeError('--write needs a full run; remove --quick')
const amount = options.quick ? { seconds: 2, clicks: 10, commands: 10, chats: 4 } : { seconds: 10, clicks: 120, commands: 100, chats: 20 }

const still = '<title>Still</title><button onclick="this.textContent=1+Number(this.textContent)">0</button>'
const moving = `<title>Moving</title><canvas id=c width=1200 height=700></canvas><script>const g=c.getContext('2d');let t=0;(function draw(){t++;g.fillStyle='hsl('+t%360+' 70% 60%)';g.fillRect((t*7)%1200,(t*3)%700,90,90);requestAnimationFrame(draw)})()</script><button style="position:fixed;top:10px;left:10px" onclick="this.textContent=1+Number(this.textContent)">0</button>`
const form =
  "<title>Form</title><input aria-label=Name><button onclick=\"document.title='Hello '+document.querySelector('input').value\">Greet</button>"
const pages = { '/still': still, '/moving': moving, '/form': form }
const site = createServer((request, response) => response.setHeader('content-type', 'text/html').end(pages[request.url] ?? still))
await new Promise(resolve => site.listen(0, '127.0.0.1', resolve))
const siteUrl = `http://127.0.0.1:${site.address().port}`

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
const at95 = list => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0
const ms = value => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const mb = bytes => `${(bytes / 1e6).toFixed(0)} MB`

/** CPU seconds and private bytes of a process, with or without its descendants. */
const usageOf = async (root, alone = false) => {
  const stats = new Map()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      const shared = Number(readFileSync(`/proc/${name}/statm`, 'utf8').split(' ')[2])
      stats.set(Number(name), {
        parent: Number(fields[1]),
        cpu: (Number(fields[11]) + Number(fields[12])) / 100,
        private: (Number(fields[21]) - shared) * 4096,
      })
    } catch {
      // it has ended
    }
  }
  const belongs = pid => pid === root || (!alone && stats.has(pid) && stats.get(pid).parent > 1 && belongs(stats.get(pid).parent))
  let [cpu, bytes] = [0, 0]
  for (const [pid, stat] of stats) if (belongs(pid)) [cpu, bytes] = [cpu + stat.cpu, bytes + stat.private]
  return { cpu, bytes }
}

/** A model that does what `turn` says; the master gives the message to the browser agent. */
const scripted = turn =>
  new MockLanguageModelV4({
    doStream: async ({ prompt, tools }) => {
      const last = prompt.at(-1)
      const isMaster = tools?.some(({ name }) => name === 'sub-agent')
      const text = last.content.map?.(part => part.text ?? JSON.stringify(part.output ?? '')).join('\n') ?? ''
      const said = isMaster
        ? last.role === 'tool'
          ? 'Done.'
          : { name: 'sub-agent', input: { task: text } }
        : await turn(JSON.stringify(prompt), prompt)
      const parts =
        typeof said === 'string'
          ? [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: said },
              { type: 'text-end', id: 't' },
            ]
          : [{ type: 'tool-call', toolCallId: `c${Math.random()}`, toolName: said.name, input: JSON.stringify(said.input) }]
      const finish = {
        type: 'finish',
        finishReason: { unified: typeof said === 'string' ? 'stop' : 'tool-calls' },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      }
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of [{ type: 'stream-start', warnings: [] }, ...parts, finish]) controller.enqueue(part)
            controller.close()
          },
        }),
      }
    },
  })

const open = async (model, more = {}) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'pagehand-bench-'))
  const studio = await startStudio({ dataFolder, webFolder: dataFolder, version: 'bench', model, ...more })
  const { origin, hash } = new URL(studio.link)
  const login = await fetch(`${origin}/api/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token: hash.slice(7) }),
  })
  const headers = { 'content-type': 'application/json', origin, cookie: login.headers.get('set-cookie').split(';')[0] }
  const mutate = async (path, input) =>
    (await (await fetch(`${origin}/api/trpc/${path}`, { method: 'POST', headers, body: JSON.stringify(input) })).json()).result?.data
  const say = (id, text, browser) =>
    fetch(`${origin}/api/chat`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        id,
        message: { id: `u${Math.random()}`, role: 'user', parts: [{ type: 'text', text }] },
        ...(browser && { browser }),
      }),
    })
  const close = async () => {
    await studio.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { studio, origin, headers, mutate, say, close }
}

async function* chunksOf(response) {
  let rest = ''
  for await (const bytes of response.body) {
    rest += new TextDecoder().decode(bytes)
    const lines = rest.split('\n\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6))
  }
}

/** Frames of a page that paints all the time, CPU, and what a viewer costs the clicks of the agent. */
const measureLive = async () => {
  const chromium = await launch()
  const { studio, origin, headers, mutate, close } = await open(
    scripted(() => 'x'),
    { session: { browser: chromium } },
  )
  const watch = async chat => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/live/${chat}`, { headers })
    const seen = { frames: 0, bytes: 0, close: () => socket.close() }
    socket.on('message', data => {
      const message = JSON.parse(String(data))
      if (message.type !== 'frame') return
      seen.frames++
      seen.bytes += data.length
      socket.send(JSON.stringify({ type: 'ack', seq: message.seq }))
    })
    await new Promise(resolve => socket.once('open', resolve))
    return seen
  }
  const chat = (await mutate('chat.create', {})).id
  const browser = await studio.studio.browserOf(chat)
  const during = async (path, watched) => {
    await browser.session.open(`${siteUrl}${path}`)
    const viewer = watched ? await watch(chat) : undefined
    await new Promise(resolve => setTimeout(resolve, 1_000))
    const [before, own, start, frames, bytes] = [
      await usageOf(chromium.pid),
      process.cpuUsage(),
      performance.now(),
      viewer?.frames,
      viewer?.bytes,
    ]
    await new Promise(resolve => setTimeout(resolve, amount.seconds * 1_000))
    const seconds = (performance.now() - start) / 1_000
    const spent = process.cpuUsage(own)
    const result = {
      fps: viewer ? (viewer.frames - frames) / seconds : 0,
      kbps: viewer ? (viewer.bytes - bytes) / seconds / 1_000 : 0,
      browserCpu: ((await usageOf(chromium.pid)).cpu - before.cpu) / seconds,
      serverCpu: (spent.user + spent.system) / 1e6 / seconds,
    }
    viewer?.close()
    return result
  }
  const live = { movingAlone: await during('/moving', false), moving: await during('/moving', true), still: await during('/still', true) }

  // clicks with and without a viewer, in turns, so that both have the same load
  const clicks = { plain: [], watched: [] }
  const { run, snapshot } = browser.session
  const gated = browser.gate(run)
  for (let i = 0; i < amount.clicks; i++) {
    for (const kind of i % 2 ? ['plain', 'watched'] : ['watched', 'plain']) {
      const viewer = kind === 'watched' ? await watch(chat) : undefined
      await browser.session.open(`${siteUrl}/still`)
      const ref = /button "0".*?\[ref=(e\d+)\]/.exec((await snapshot()).text)[1]
      const start = performance.now()
      const result = await gated({ name: 'click', ref })
      clicks[kind].push(performance.now() - start)
      if (!result.ok) throw new Error(result.error.message)
      viewer?.close()
    }
  }
  await close()
  await chromium.close()
  return { ...live, clicks }
}

/** From the arrival of a command in a window to its accepted result, and from call to call of the model. */
const measureRemote = async () => {
  const marks = []
  let left = amount.commands
  const model = scripted(() => {
    marks.push(performance.now())
    return left-- > 0 ? { name: 'browser-act', input: { action: 'press', keys: 'Escape' } } : { name: 'close', input: { summary: 'done' } }
  })
  const { mutate, say, close } = await open(model, { drive: 'remote' })
  const sessionId = (await mutate('chat.create', {})).id
  const place = { clientId: 'w', tabId: 't1', viewKey: 'w', cdpTargetId: '' }
  const trips = []
  for await (const { type, data } of chunksOf(await say(sessionId, 'Press Escape', place))) {
    if (type !== 'data-browser-command') continue
    const start = performance.now()
    const page = { url: 'https://example.org/', title: 'Example' }
    const result = { ok: true, data: { page, effect: { changed: [] }, text: '', tree: { role: 'document' } } }
    mutate('tab.reportBrowserCommandResult', { sessionId, clientId: 'w', tabId: 't1', commandId: data.commandId, result }).then(() =>
      trips.push(performance.now() - start),
    )
  }
  await close()
  return { trips, steps: marks.slice(1).map((mark, index) => mark - marks[index]) }
}

/** Chats that open a page, fill in a field and click, all at the same time. */
const measureChats = async () => {
  const refIn = (text, line) => [...text.matchAll(new RegExp(`${line}.{0,80}?\\[ref=(e\\d+)\\]`, 'g'))].at(-1)?.[1] ?? 'e1'
  const model = scripted((text, prompt) => {
    const calls = prompt.filter(({ role }) => role === 'tool').length
    if (calls === 0) return { name: 'open-url', input: { url: `${siteUrl}/form` } }
    if (calls === 1) return { name: 'browser-act', input: { action: 'fill', ref: refIn(text, 'textbox'), text: 'Ann' } }
    if (calls === 2) return { name: 'browser-act', input: { action: 'click', ref: refIn(text, 'button') } }
    return { name: 'close', input: { summary: 'greeted' } }
  })
  const { studio, mutate, say, close } = await open(model)
  const one = async () => {
    const id = (await mutate('chat.create', {})).id
    const start = performance.now()
    let reason
    for await (const { type, data } of chunksOf(await say(id, `Greet at ${siteUrl}/form`)))
      if (type === 'data-sub-agent-run') reason = data.stopReason
    const title = (await (await studio.studio.browserOf(id)).session.snapshot()).text
    return { time: performance.now() - start, ok: reason === 'closed' && title.includes('Hello Ann') }
  }
  await one()
  global.gc?.()
  const memory = async () => {
    const server = process.memoryUsage().rss
    return { server, browser: (await usageOf(process.pid)).bytes - (await usageOf(process.pid, true)).bytes }
  }
  const before = await memory()
  const alone = await one()
  const start = performance.now()
  const all = await Promise.all(Array.from({ length: amount.chats }, one))
  const total = performance.now() - start
  global.gc?.()
  const after = await memory()
  const chats = amount.chats + 1
  await close()
  return {
    alone: alone.time,
    total,
    times: all.map(({ time }) => time),
    finished: all.filter(({ ok }) => ok).length,
    serverPerChat: (after.server - before.server) / chats,
    browserPerChat: (after.browser - before.browser) / chats,
  }
}

const loads = [loadavg()[0]]
const live = await measureLive()
const remote = await measureRemote()
const chats = await measureChats()
loads.push(loadavg()[0])
site.close()

const percent = share => `${(share * 100).toFixed(0)} %`
const slower = median(live.clicks.watched.map((time, index) => time / live.clicks.plain[index]))
const report = `# Bench: studio

\`npm run bench:studio -- --write\` wrote this page. Machine: ${cpus().length} cores, load ${loads.map(load => load.toFixed(1)).join(' to ')}, Node ${process.versions.node}. Times depend on the load; ratios are measured side by side.

## Live view

One window, 1280 x 800, JPEG, acknowledged picture by picture; ${amount.seconds} s each. CPU is in cores.

| page | pictures per second | data | CPU of the browser | CPU of the server |
|---|---:|---:|---:|---:|
| paints all the time, nobody watches | – | – | ${live.movingAlone.browserCpu.toFixed(2)} | ${live.movingAlone.serverCpu.toFixed(2)} |
| paints all the time | ${live.moving.fps.toFixed(1)} | ${live.moving.kbps.toFixed(0)} kB/s | ${live.moving.browserCpu.toFixed(2)} | ${live.moving.serverCpu.toFixed(2)} |
| still | ${live.still.fps.toFixed(1)} | ${live.still.kbps.toFixed(0)} kB/s | ${live.still.browserCpu.toFixed(2)} | ${live.still.serverCpu.toFixed(2)} |

A click takes ${ms(median(live.clicks.plain))} without a viewer and ${ms(median(live.clicks.watched))} with one, including the mark of its target in the picture: median ratio of ${amount.clicks} pairs ${slower.toFixed(3)}.

## Commands through a window (\`--drive remote\`)

${remote.trips.length} commands. From the arrival of a command in the window to the accepted result: median ${ms(median(remote.trips))}, 95th percentile ${ms(at95(remote.trips))}. A whole step, from one call of the model to the next, with its log on disk: median ${ms(median(remote.steps))}, 95th percentile ${ms(at95(remote.steps))}.

## Chats at the same time

Each opens a page, fills in a field, clicks and ends, in a Chromium of its own, which stays open.

| | |
|---|---:|
| one chat | ${ms(chats.alone)} |
| ${amount.chats} chats at once, until the last has ended | ${ms(chats.total)} |
| one of them, median / slowest | ${ms(median(chats.times))} / ${ms(Math.max(...chats.times))} |
| finished with the right page | ${chats.finished} of ${amount.chats} |
| memory of the server per chat | ${mb(chats.serverPerChat)} |
| memory of the browser per chat | ${mb(chats.browserPerChat)} |
`
process.stdout.write(`${report}\n${percent(slower - 1)} slower clicks with a viewer\n`)
if (options.write) await writeFile(new URL('../docs/bench-studio.md', import.meta.url), report)
process.exit(0)
