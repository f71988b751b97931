// `npm run bench:surfaces`: characters of tool lists, time of a command and size of results, compared with other products.
import { readFileSync } from 'node:fs'
import { agentBrowserByNode, withCommandLines } from './command-lines.mjs'
import { connect } from './connect.mjs'
import { count, ms, table } from './print.mjs'
import { runProgram } from './processes.mjs'
import { openProducts } from './products.mjs'
import { progress } from './progress.mjs'
import { openSite } from './site.mjs'

const shop = readFileSync(new URL('../examples/shop/index.html', import.meta.url), 'utf8')
const setup = await openProducts()
const site = await openSite()
site.show(shop)
try {
  await print(['tools listed to an MCP client', 'tools', 'characters'], toolLists())
  await print(['one command, daemon running', 'ms, best of 30', 'above bare Node'], commands())
  await print(['result on the shop page', 'characters'], results())
} finally {
  progress('')
  site.close()
  setup.remove()
}

async function print(titles, rows) {
  const text = table(titles, await rows)
  progress('')
  process.stdout.write(`${text}\n\n`)
}

async function toolLists() {
  const [ours, ...peers] = setup.products
  const others = ['agent', 'browser'].map(tools => ({
    ...ours,
    name: `${ours.name} --tools ${tools}`,
    server: [...ours.server, '--tools', tools],
  }))
  const rows = []
  for (const product of [ours, ...others, ...peers]) {
    progress(`tools of ${product.name}`)
    const client = await connect({ ...product, close: undefined }, setup)
    const listed = (await client.listTools()).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    await client.close()
    rows.push([`${product.name} ${product.version}`, count(listed.length), count(JSON.stringify(listed).length)])
  }
  return rows
}

function commands() {
  return withCommandLines(setup, site.url, async ([ours, theirs]) => {
    await ours.snapshot()
    const lines = {
      'node -e 0': () => runProgram([process.execPath, '-e', '0'], ours.env),
      'pagehand --version': () => ours.run(['--version']),
      'pagehand status': () => ours.run(['status']),
      'pagehand query e3 text': () => ours.run(['query', 'e3', 'text']),
      'agent-browser --version': () => theirs.run(['--version']),
      'agent-browser --version, through Node.js': () => runProgram([...agentBrowserByNode, '--version'], theirs.env),
      'agent-browser get url': () => theirs.run(['get', 'url']),
    }
    const taken = await best(lines)
    return Object.entries(taken).map(([line, each]) => [line, ms(each), (each - taken['node -e 0']).toFixed(1)])
  })
}

/** The best time of each, alternating: other load on the machine can only add time. */
async function best(lines) {
  const taken = Object.fromEntries(Object.keys(lines).map(line => [line, Number.POSITIVE_INFINITY]))
  for (let turn = 0; turn < 30; turn++)
    for (const [line, run] of Object.entries(lines)) {
      progress(`${line}, ${turn + 1} of 30`)
      taken[line] = Math.min(taken[line], (await run()).ms)
    }
  return taken
}

async function results() {
  const rows = []
  for (const product of setup.products) {
    progress(`results of ${product.name}`)
    const client = await connect(product, setup)
    await client.open(site.url)
    const seen = await client.snapshot()
    const clicked = await client.click(product.refOf(seen.text, 'Add Cast Iron Skillet, 26 cm to cart'))
    await client.close()
    rows.push([`${product.name} ${product.snapshot()[0]}`, count(seen.text.length)])
    rows.push([`${product.name} ${product.click('')[0]}`, count(clicked.text.length)])
  }
  return [...rows, ...(await derivedCommands()), ['(its HTML)', count(shop.length)]]
}

/** Calls that a model can use instead of a full snapshot. */
function derivedCommands() {
  return withCommandLines(setup, site.url, async ([{ run }]) => {
    const rows = []
    for (const words of [
      ['observe', '--task', 'add a teapot to the cart'],
      ['extract', '--query', 'price of the dutch oven'],
    ])
      rows.push([`pagehand ${words.join(' ')}`, count((await run(words)).text.length)])
    return rows
  })
}
