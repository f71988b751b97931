// Finished tasks on pages with 5,000 more elements: the agent with the rules as its model, beside the same steps by the MCP server of
// Playwright, done by a reader that finds each control in the newest text and asks for a snapshot only if it is not there.
// Counted are calls and the characters of their arguments and answers: the opening of the first page, and the end of the task, which is
// `close` for the agent and an answer without a call for the other side. The server of each site confirms the outcome of both.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { build } from 'esbuild'
import { createBrowserAgent, rulesModel } from '../dist/agent.js'
import { openSession } from '../dist/browser.js'
import { openProducts } from './products.mjs'
import { progress } from './progress.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-bench-agent-'))
const bundle = fileURLToPath(new URL('../dist/bench-sites.mjs', import.meta.url))
await build({
  stdin: {
    contents: "export { agentTasks } from './tasks.ts'; export { openSite } from './site.ts'",
    resolveDir: fileURLToPath(new URL('../test/agent/sites', import.meta.url)),
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: ['esbuild'],
  outfile: bundle,
})
const { agentTasks, openSite } = await import(bundle)

const extra = Number(process.env.EXTRA ?? 5_000)
const topics = `<aside><ul>${Array.from({ length: Math.ceil(extra / 2) }, (_, at) => `<li><a href="#t${at}">Topic ${at}</a></li>`).join('')}</ul></aside>`
const large = html => html.replace('<main>', `${topics}<main>`)
const taskNamed = words => agentTasks.find(({ name }) => name.includes(words))

/** The steps of each task for Playwright: what a person would do on the same pages. */
const steps = {
  'two things in a shop': async ({ act, find }) => {
    for (const item of ['Blue teapot', 'Oak tray']) await act('browser_click', { target: await find(/button "Add to cart"/, item) })
    await act('browser_click', { target: await find(/link "Cart/) })
    await act('browser_click', { target: await find(/link "Check out"/) })
    const field = async (name, value) => ({ target: await find(new RegExp(`textbox "${name}"`)), name, type: 'textbox', value })
    const fields = [await field('Full name', 'Ada Lovelace'), await field('Email', 'ada@shop.test'), await field('Address', '12 Mill Lane')]
    await act('browser_fill_form', { fields })
    await act('browser_click', { target: await find(/button "Place order"/) })
  },
  'two pages and reads': async ({ act, find, look }) => {
    await act('browser_type', { target: await find(/textbox "Email"/), text: 'ada@bank.test', submit: true })
    await act('browser_type', { target: await find(/textbox "Password"/), text: 'correct-horse', submit: true })
    await look()
  },
  'filters a table': async ({ act, find }) => {
    await act('browser_select_option', { target: await find(/combobox "Status"/), values: ['Open'] })
    await act('browser_click', { target: await find(/link "3"/) })
    await act('browser_click', { target: await find(/button "Approve"/, 'INV-1067') })
  },
  'searches with suggestions': async ({ act, find }) => {
    await act('browser_type', { target: await find(/combobox "Search a city"/), text: 'Ber' })
    await act('browser_click', { target: await find(/option "Bergen"/) })
    await act('browser_click', { target: await find(/button "Show the weather"/) })
  },
  'three months ahead': async ({ act, find }) => {
    await act('browser_click', { target: await find(/textbox "Arrival date"/) })
    for (let month = 0; month < 3; month++) await act('browser_click', { target: await find(/button "Next month"/) })
    await act('browser_click', { target: await find(/button "24"/) })
    await act('browser_click', { target: await find(/button "Book"/) })
  },
}

async function settled(task, state) {
  for (let attempt = 0; attempt < 20; attempt++) {
    if (JSON.stringify(task.outcome(state)) === JSON.stringify(task.expected)) return true
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return false
}

async function ours(task) {
  const site = await openSite(task.site, large)
  const session = await openSession()
  let opened
  const rules = rulesModel()
  const model = {
    ...rules,
    doStream: options => {
      opened ??= JSON.stringify(options.prompt.find(({ role }) => role === 'user').content).split('The page was opened:')[1]?.length ?? 0
      return rules.doStream(options)
    },
  }
  try {
    const agent = await createBrowserAgent({
      model,
      session,
      goal: task.goal({ url: site.url, file: '' }),
      page: site.url,
      evidence: folder,
      approvals: { approve: async () => ({ approved: true, scope: 'once' }) },
    })
    const { message } = await agent.run()
    const calls = message.parts.filter(({ type }) => type.startsWith('tool-') || type === 'dynamic-tool')
    const chars = calls.reduce((sum, { input, output, errorText }) => {
      const text = output?.data?.text ?? output?.error?.message ?? errorText ?? ''
      return sum + JSON.stringify(input ?? {}).length + text.length
    }, opened)
    // the page is opened before the first step of the model
    return { calls: calls.length + 1, chars, done: await settled(task, site.state) }
  } finally {
    await session.close()
    await site[Symbol.asyncDispose]()
  }
}

async function theirs(task, perform, setup) {
  const site = await openSite(task.site, large)
  const product = setup.products.find(({ name }) => name === '@playwright/mcp')
  const [command, ...args] = product.server
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env: setup.environment().env, cwd: folder, stderr: 'ignore' }))
  const count = { calls: 0, chars: 0 }
  let newest = ''
  const act = async (name, given) => {
    const { content } = await client.callTool({ name, arguments: given })
    newest = content.map(part => part.text ?? '').join('\n')
    count.calls++
    count.chars += newest.length + JSON.stringify(given).length
  }
  const look = () => act('browser_snapshot', {})
  const refIn = (pattern, near) => {
    const lines = newest.split('\n')
    const from = near === undefined ? 0 : lines.findIndex(line => line.includes(near))
    const line = from < 0 ? undefined : lines.slice(from).find(each => pattern.test(each) && /\bref=\w+/.test(each))
    return line && /\bref=(\w+)/.exec(line)?.[1]
  }
  const find = async (pattern, near) => {
    const known = refIn(pattern, near)
    if (known) return known
    await look()
    const ref = refIn(pattern, near)
    if (!ref) throw new Error(`${pattern} is not in the snapshot`)
    return ref
  }
  try {
    await act('browser_navigate', { url: site.url })
    await perform({ act, find, look })
    // the model answers its user
    count.calls++
    return { ...count, done: await settled(task, site.state) }
  } catch (error) {
    return { ...count, done: false, why: error.message }
  } finally {
    await client.close()
    await site[Symbol.asyncDispose]()
  }
}

const setup = await openProducts()
const row = cells => `| ${cells.join(' | ')} |`
const figure = number => number.toLocaleString('en')
try {
  const rows = []
  const total = { ours: { calls: 0, chars: 0 }, theirs: { calls: 0, chars: 0 } }
  for (const [words, perform] of Object.entries(steps)) {
    const task = taskNamed(words)
    progress(`pagehand: ${task.name}`)
    const one = await ours(task)
    progress(`@playwright/mcp: ${task.name}`)
    const other = await theirs(task, perform, setup)
    // a task that one of them did not finish is no comparison
    if (one.done && other.done)
      for (const [side, { calls, chars }] of [
        ['ours', one],
        ['theirs', other],
      ]) {
        total[side].calls += calls
        total[side].chars += chars
      }
    const state = ({ done, why }) => (done ? 'yes' : `no${why ? `: ${why}` : ''}`)
    rows.push(row([task.name, one.calls, figure(one.chars), state(one), other.calls, figure(other.chars), state(other)]))
  }
  const { ours: a, theirs: b } = total
  console.log(
    [
      '',
      `Pages with ${figure(extra)} more elements.`,
      '',
      row(['task', 'calls', 'characters', 'done', 'calls (Playwright)', 'characters', 'done']),
      row(['---', '---:', '---:', '---', '---:', '---:', '---']),
      ...rows,
      row(['all that both finished', a.calls, figure(a.chars), '', b.calls, figure(b.chars), '']),
      '',
      `calls ${(a.calls / b.calls).toFixed(2)}x, characters ${(a.chars / b.chars).toFixed(3)}x of @playwright/mcp (targets: 0.5x and 0.1x)`,
      await setup.versions(),
      '',
    ].join('\n'),
  )
} finally {
  setup.remove()
  rmSync(folder, { recursive: true, force: true })
  rmSync(bundle, { force: true })
}
