// The same six tasks through the MCP servers of pagehand and Playwright, done by a reader that knows nothing but the texts it is sent: it
// looks for a control in the answers so far, asks for a snapshot if it is not there, and counts every call and every character.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { openProducts } from './products.mjs'
import { progress } from './progress.mjs'
import { openTaskSite } from './task-site.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pagehand-tasks-'))
const cv = join(folder, 'cv.txt')
writeFileSync(cv, 'Baker since 2019.')

/** How each product does what a task needs, in as few calls as it offers. */
const pagehandCalls = {
  args: ['--upload-root', folder],
  open: url => [['web_open', { url }]],
  snapshot: () => ['web_snapshot', {}],
  click: ref => [['web_click', { ref }]],
  fill: (fields, submit) => [['web_fill', { fields: fields.map(({ ref, value }) => ({ ref, value })), ...(submit && { submit: true }) }]],
  upload: ref => [['web_upload', { ref, files: [cv] }]],
  drag: (ref, to) => [['web_drag', { ref, to }]],
  waitFor: text => ['web_wait', { text }],
}
const playwrightCalls = {
  args: [],
  open: url => [['browser_navigate', { url }]],
  snapshot: () => ['browser_snapshot', {}],
  click: target => [['browser_click', { target }]],
  fill: (fields, submit) => [
    ['browser_fill_form', { fields: fields.map(({ ref: target, name, kind, value }) => ({ target, name, type: kind, value })) }],
    ...(submit ? [['browser_click', { target: submit }]] : []),
  ],
  upload: target => [
    ['browser_click', { target }],
    ['browser_file_upload', { paths: [cv] }],
  ],
  drag: (startTarget, endTarget) => [['browser_drag', { startTarget, endTarget }]],
  waitFor: text => ['browser_wait_for', { text }],
}

/** A reader of texts. `find` takes the newest line that fits; a snapshot is asked for only if no answer so far shows it. */
class Reader {
  calls = 0
  chars = 0
  failed = []
  #texts = []

  constructor(client, product) {
    this.client = client
    this.product = product
  }

  async call([name, args]) {
    const { content, isError } = await this.client.callTool({ name, arguments: args })
    const text = content.map(part => part.text ?? '').join('\n')
    this.calls++
    this.chars += text.length + JSON.stringify(args).length
    if (isError) this.failed.push(`${name}: ${text.split('\n')[0].slice(0, 160)}`)
    this.#texts.unshift(text)
    return text
  }

  async act(calls) {
    for (const call of calls) await this.call(call)
  }

  /** The ref on the first line after `near` that fits. */
  #refIn(text, pattern, near) {
    const lines = text.split('\n')
    const from = near === undefined ? 0 : lines.findIndex(line => line.includes(near))
    if (from < 0) return undefined
    const line = lines.slice(from).find(each => pattern.test(each) && /\bref=\w+/.test(each) && !/^\s*- .*→/.test(each))
    return line && /\bref=(\w+)/.exec(line)?.[1]
  }

  async find(pattern, { near, late, fresh = false } = {}) {
    for (const text of fresh ? this.#texts.slice(0, 1) : this.#texts) {
      const ref = this.#refIn(text, pattern, near)
      if (ref) return ref
    }
    let ref = this.#refIn(await this.call(this.product.snapshot()), pattern, near)
    if (!ref && late) {
      await this.call(this.product.waitFor(late))
      ref = this.#refIn(this.#texts[0], pattern, near) ?? this.#refIn(await this.call(this.product.snapshot()), pattern, near)
    }
    if (!ref) throw new Error(`${pattern} is not in the snapshot:\n${this.#texts[0].slice(0, 3_000)}`)
    return ref
  }

  /** Until the newest answers say so; waits and looks only if they do not. */
  async sees(text, since) {
    if (this.#texts.slice(0, this.calls - since).some(each => each.includes(text))) return
    await this.call(this.product.waitFor(text))
    if (this.#texts[0].includes(`"${text}`) || this.#texts[0].startsWith('ok: wait')) return
    if (!(await this.call(this.product.snapshot())).includes(text))
      throw new Error(`"${text}" did not appear:\n${this.#texts[0].slice(0, 3_000)}`)
  }

  forget() {
    this.#texts = []
  }
}

const field = name => new RegExp(`(textbox|searchbox|combobox|checkbox|spinbutton)\\b.*"${name}|"${name}"?.*(textbox|combobox|checkbox)`)
const button = name => new RegExp(`button "${name}"`)

/** Finds the fields and sets them in one call; `submit` names the button that sends the form. */
async function fill(reader, fields, submit, options = {}) {
  const found = []
  for (const [name, value, kind = 'textbox'] of fields) found.push({ ref: await reader.find(field(name), options), name, kind, value })
  await reader.act(reader.product.fill(found, submit && (await reader.find(button(submit), options))))
}
const click = async (reader, name, options) => reader.act(reader.product.click(await reader.find(button(name), options)))

const tasks = {
  'log in with a code': async (reader, url) => {
    await reader.act(reader.product.open(`${url}login`))
    await fill(
      reader,
      [
        ['Email', 'ann@example.org'],
        ['Password', 'correct horse'],
      ],
      'Continue',
    )
    const before = reader.calls
    await fill(reader, [['Code', '481920']], 'Verify', { late: 'We sent a code' })
    await reader.sees('Welcome, Ann', before)
  },
  'search, filter and sort': async (reader, url) => {
    await reader.act(reader.product.open(`${url}shop`))
    await fill(
      reader,
      [
        ['Search', 'teapot'],
        ['In stock only', 'true', 'checkbox'],
        ['Sort by', 'Lowest price', 'combobox'],
      ],
      'Apply',
    )
    const before = reader.calls
    await reader.act(reader.product.click(await reader.find(/link "Teapot/, { fresh: true })))
    await reader.sees('Price: $', before)
  },
  'cancel an order': async (reader, url) => {
    await reader.act(reader.product.open(`${url}orders`))
    await click(reader, 'Cancel', { near: '#1017' })
    await fill(reader, [['Reason', 'Ordered by mistake', 'combobox']])
    const before = reader.calls
    await click(reader, 'Cancel order')
    await reader.sees('Order #1017 was cancelled', before)
  },
  'apply with a file and an error': async (reader, url) => {
    await reader.act(reader.product.open(`${url}apply`))
    await reader.act(reader.product.upload(await reader.find(/"CV"|button "Choose File"/)))
    await fill(
      reader,
      [
        ['First name', 'Ann'],
        ['Last name', 'Lee'],
        ['Email', 'ann@example.org'],
        ['Phone', '555 0199'],
        ['Start', 'Next month', 'combobox'],
        ['I can work at night', 'true', 'checkbox'],
        ['About you', 'I bake.'],
      ],
      'Send application',
    )
    const wrong = reader.calls - 1
    await reader.sees('ten digits', wrong)
    const before = reader.calls
    await fill(reader, [['Phone', '5550199123']], 'Send application')
    await reader.sees('Application 7731 received', before)
  },
  'pay in a frame of another origin': async (reader, url) => {
    await reader.act(reader.product.open(`${url}checkout`))
    const before = reader.calls
    await fill(
      reader,
      [
        ['Card number', '4242424242424242'],
        ['Expiry', '12/30'],
        ['Security code', '123'],
      ],
      'Pay now',
    )
    await reader.sees('Paid. Receipt 5512', before)
  },
  'move a ticket on a board': async (reader, url) => {
    await reader.act(reader.product.open(`${url}board`))
    const before = reader.calls
    await reader.act(reader.product.drag(await reader.find(/Fix login/), await reader.find(/region "Done"/)))
    await reader.sees('Done (3)', before)
  },
}

async function runAll(product, calls, { environment }, url) {
  const [command, ...args] = product.server
  const { env } = environment()
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args: [...args, ...calls.args], env, cwd: folder, stderr: 'ignore' }))
  const results = {}
  try {
    for (const [name, task] of Object.entries(tasks)) {
      progress(`${product.name}: ${name}`)
      const reader = new Reader(client, calls)
      const start = performance.now()
      const problem = await task(reader, url).then(
        () => '',
        error => error.message.slice(0, 1_500),
      )
      results[name] = { calls: reader.calls, chars: reader.chars, ms: performance.now() - start, failed: reader.failed, problem }
    }
  } finally {
    await client.close()
  }
  return results
}

const site = await openTaskSite()
const setup = await openProducts()
try {
  const productNamed = name => setup.products.find(each => each.name === name)
  const ours = await runAll(productNamed('pagehand'), pagehandCalls, setup, site.url)
  const theirs = await runAll(productNamed('@playwright/mcp'), playwrightCalls, setup, site.url)
  const row = cells => `| ${cells.join(' | ')} |`
  const cell = ({ calls, chars, failed, problem }) => [calls, chars.toLocaleString('en'), problem ? 'not done' : `${failed.length}`]
  const total = results =>
    Object.values(results).reduce((sum, { calls, chars }) => ({ calls: sum.calls + calls, chars: sum.chars + chars }), {
      calls: 0,
      chars: 0,
    })
  const [a, b] = [total(ours), total(theirs)]
  console.log(
    [
      '',
      row(['task', 'calls', 'characters', 'failed calls', 'calls (Playwright)', 'characters', 'failed calls']),
      row(['---', '---:', '---:', '---:', '---:', '---:', '---:']),
      ...Object.keys(tasks).map(name => row([name, ...cell(ours[name]), ...cell(theirs[name])])),
      row(['all', a.calls, a.chars.toLocaleString('en'), '', b.calls, b.chars.toLocaleString('en'), '']),
      '',
      `calls ${(a.calls / b.calls).toFixed(2)}x, characters ${(a.chars / b.chars).toFixed(2)}x of @playwright/mcp`,
      await setup.versions(),
      '',
    ].join('\n'),
  )
  for (const [product, results] of Object.entries({ pagehand: ours, playwright: theirs }))
    for (const [name, { failed, problem }] of Object.entries(results))
      for (const line of [...failed, ...(problem ? [problem] : [])]) console.log(`${product}, ${name}: ${line}`)
} finally {
  setup.remove()
  site.close()
  rmSync(folder, { recursive: true, force: true })
}
