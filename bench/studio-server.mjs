// A studio with a scripted model, and what the measurements of bench/studio.mjs have in common.
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MockLanguageModelV4 } from 'ai/test'
import { startStudio } from '../dist/studio/server.js'

export const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
export const at95 = list => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0
export const wait = ms => new Promise(resolve => setTimeout(resolve, ms))

setFlagsFromString('--expose-gc')
export const collectGarbage = runInNewContext('gc')

/** Serves pages by path on loopback. */
export async function serveSite(pages) {
  const site = createServer((request, response) => response.setHeader('content-type', 'text/html').end(pages[request.url] ?? ''))
  await new Promise(resolve => site.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${site.address().port}`, close: () => site.close() }
}

/** CPU seconds, and memory in bytes with a fair part of what processes share, of a process and its descendants; or without itself. */
export async function usageOf(root, { descendantsOnly = false } = {}) {
  const stats = new Map()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      stats.set(Number(name), { parent: Number(fields[1]), cpu: (Number(fields[11]) + Number(fields[12])) / 100 })
    } catch {
      // it has ended
    }
  }
  const belongs = pid => pid === root || (stats.has(pid) && stats.get(pid).parent > 1 && belongs(stats.get(pid).parent))
  let [cpu, bytes] = [0, 0]
  for (const [pid, stat] of stats) {
    if (!belongs(pid) || (descendantsOnly && pid === root)) continue
    cpu += stat.cpu
    try {
      bytes += Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1_024
    } catch {
      // it has ended
    }
  }
  return { cpu, bytes }
}

/** A model that does what `turn` says; the master gives the message to the browser agent. */
export const scripted = turn =>
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

/** Starts a studio and logs in. */
export async function openStudio(model, more = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'pagehand-bench-'))
  const studio = await startStudio({ dataFolder, webFolder: dataFolder, version: 'bench', model, ...more })
  const { origin, hash } = new URL(studio.link)
  const login = await fetch(`${origin}/api/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token: hash.slice(7) }),
  })
  const headers = { 'content-type': 'application/json', origin, cookie: login.headers.get('set-cookie').split(';')[0] }
  const mutate = async (path, input) => {
    const answer = await (await fetch(`${origin}/api/trpc/${path}`, { method: 'POST', headers, body: JSON.stringify(input) })).json()
    if (answer.error) throw new Error(answer.error.message)
    return answer.result.data
  }
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
  const follow = id => fetch(`${origin}/api/chat/${id}/stream`, { headers })
  const close = async () => {
    await studio.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { studio: studio.studio, origin, headers, mutate, say, follow, close }
}

/** The chunks of a stream of server-sent events. */
export async function* chunksOf(response) {
  let rest = ''
  for await (const bytes of response.body) {
    rest += new TextDecoder().decode(bytes)
    const lines = rest.split('\n\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6))
  }
}
