// What the surfaces cost: characters of tool lists, time of the command line above a bare Node, sizes of answers.
// Peers are measured where they are installed: PAGEHAND_PEERS=/some/node_modules npm run bench:surfaces
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const cli = join(root, 'dist', 'cli.js')
const peers = process.env.PAGEHAND_PEERS
const folder = mkdtempSync(join(tmpdir(), 'pagehand-bench-'))
const env = { ...process.env, PAGEHAND_RUNTIME_DIR: join(folder, 'run') }

const servers = {
  'pagehand mcp': [cli, 'mcp'],
  'pagehand mcp --tools agent': [cli, 'mcp', '--tools', 'agent'],
  'pagehand mcp --tools browser': [cli, 'mcp', '--tools', 'browser'],
  ...(peers && { '@playwright/mcp': [binOf('@playwright/mcp')], 'chrome-devtools-mcp': [binOf('chrome-devtools-mcp')] }),
}

console.log('| tools an MCP client is told | tools | characters |\n|---|---:|---:|')
for (const [name, args] of Object.entries(servers)) {
  const tools = await listOf(args)
  const told = tools?.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  console.log(told ? `| ${name} | ${told.length} | ${JSON.stringify(told).length.toLocaleString('en')} |` : `| ${name} | not measured | |`)
}

console.log('\n| one command, host running | ms, best of 30 | above bare Node |\n|---|---:|---:|')
spawnSync(process.execPath, [cli, 'open', `file://${join(root, 'examples/shop/index.html')}`], { env, cwd: root })
const lines = {
  'node -e 0': ['-e', '0'],
  'pagehand --version': [cli, '--version'],
  'pagehand status': [cli, 'status'],
  'pagehand query e3 text': [cli, 'query', 'e3', 'text'],
}
const times = best(lines)
for (const [line, ms] of Object.entries(times)) console.log(`| ${line} | ${ms.toFixed(1)} | ${(ms - times['node -e 0']).toFixed(1)} |`)

console.log('\n| answer on the shop page | characters |\n|---|---:|')
for (const words of [
  ['snapshot'],
  ['observe', '--task', 'add a teapot to the cart'],
  ['extract', '--query', 'price of the dutch oven'],
  ['click', 'e3'],
  ['back'],
]) {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, ...words], { env, encoding: 'utf8' })
  console.log(`| pagehand ${words.join(' ')} | ${(stdout + stderr).trim().length.toLocaleString('en')} |`)
}
console.log(`| (its HTML) | ${readFileSync(join(root, 'examples/shop/index.html'), 'utf8').length.toLocaleString('en')} |`)
spawnSync(process.execPath, [cli, 'stop'], { env })
rmSync(folder, { recursive: true, force: true })

async function listOf(args) {
  if (!existsSync(args[0])) return null
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

function binOf(name) {
  const { bin } = JSON.parse(readFileSync(join(peers, name, 'package.json'), 'utf8'))
  return join(peers, name, typeof bin === 'string' ? bin : Object.values(bin)[0])
}

/** in turns, and the best of each: what else runs on the machine only ever adds */
function best(lines) {
  const times = Object.fromEntries(Object.keys(lines).map(line => [line, Number.POSITIVE_INFINITY]))
  for (let turn = 0; turn < 30; turn++)
    for (const [line, args] of Object.entries(lines)) {
      const start = performance.now()
      spawnSync(process.execPath, args, { env })
      times[line] = Math.min(times[line], performance.now() - start)
    }
  return times
}
