import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'

// Cloudflare Workers run in workerd, which `npm run test:engines` installs.

const root = fileURLToPath(new URL('..', import.meta.url))
const binaries = join(root, 'engines-tests/node_modules/@cloudflare')
const workerd = (existsSync(binaries) ? readdirSync(binaries) : []).map(name => join(binaries, name, 'bin/workerd')).find(existsSync)
const folder = mkdtempSync(join(tmpdir(), 'pagehand-worker-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const worker = `
  import { AgentBrowser } from './src/index.ts'
  import { snapshot } from './src/html.ts'
  import { scriptDriver } from './src/script.ts'
  import { toOpenAI, webTools } from './src/tools.ts'
  import { createCommandClient } from './src/wire.ts'

  export default {
    async fetch() {
      const run = scriptDriver({ evaluate: async () => JSON.stringify({ ok: true }) })
      const tools = webTools(run)
      const refused = await tools.execute('web_click', { ref: 'the button' })
      return Response.json({
        sealed: !AgentBrowser.getScript().includes('__PAGEHAND_SEAL__'),
        html: snapshot('<a href="/x">Link</a>').snapshotText,
        tools: toOpenAI(tools.tools).length,
        refused: refused.text,
        wire: typeof createCommandClient,
      })
    },
  }`

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`

test.skipIf(!workerd)('pagehand, pagehand/script, pagehand/html, pagehand/tools and pagehand/wire run in a Cloudflare Worker', async () => {
  await build({
    stdin: { contents: worker, resolveDir: root, loader: 'ts' },
    bundle: true,
    outfile: join(folder, 'worker.js'),
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })
  writeFileSync(join(folder, 'worker.capnp'), config)
  const server = spawn(workerd as string, ['serve', '--control-fd=3', join(folder, 'worker.capnp')], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  server.stderr?.setEncoding('utf8').on('data', text => {
    errors += text
  })
  try {
    const control = createInterface({ input: server.stdio[3] as Readable })
    const ended = once(server, 'exit').then(() => Promise.reject(new Error(errors)))
    const [line] = (await Promise.race([once(control, 'line'), ended])) as [string]
    const { port } = JSON.parse(line) as { readonly port: number }
    const answer = await (await fetch(`http://127.0.0.1:${port}/`)).json()
    expect(answer).toEqual({
      sealed: true,
      html: expect.stringContaining('[link href="/x"] "Link"'),
      tools: 24,
      refused: expect.stringContaining('invalid_ref'),
      wire: 'function',
    })
  } finally {
    if (server.kill()) await once(server, 'exit')
  }
})
