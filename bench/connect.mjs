import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { isBrowser, leftOf, processesOf } from './processes.mjs'

/** Starts the server of a product and connects to it as any MCP client does. */
export async function connect(product, { environment }) {
  const [command, ...args] = product.server
  const { env, mark } = environment()
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }))

  /** The text for the model, and the time of the call. */
  const call = async ([name, args]) => {
    const start = performance.now()
    const { content, isError } = await client.callTool({ name, arguments: args })
    const ms = performance.now() - start
    const text = content.map(part => part.text ?? '').join('\n')
    if (isError) throw new Error(`${product.name}, ${name}: ${text}`)
    return { text, ms }
  }
  return {
    product,
    open: url => call(product.open(url)),
    snapshot: () => call(product.snapshot()),
    click: ref => call(product.click(ref)),
    /** The fastest way to click and then get the whole page. */
    async clickAndSnapshot(ref) {
      if (product.clickAndSnapshot) return call(product.clickAndSnapshot(ref))
      const clicked = await call(product.click(ref))
      const seen = await call(product.snapshot())
      return { text: `${clicked.text}\n${seen.text}`, ms: clicked.ms + seen.ms }
    },
    listTools: async () => (await client.listTools()).tools,
    /** The processes of the server, without those of the browser. */
    processes: () => processesOf(mark).filter(each => !isBrowser(each)),
    /** Closes the connection and returns the number of processes left. */
    async close() {
      const all = processesOf(mark)
      if (product.close) await call(product.close())
      await client.close()
      return (await leftOf(all)).length
    },
  }
}

/** Runs all products at the same time, each with its own server and browser; they are measured in turns. */
export async function withAll(setup, work) {
  const open = []
  try {
    for (const product of setup.products) open.push(await connect(product, setup))
    return await work(open)
  } finally {
    for (const each of open) await each.close()
  }
}

/** Rotates the order with every round, because the second runs with the garbage of the first. */
export const rotate = (list, round) => list.map((_, at) => list[(at + round) % list.length])
