import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { leftOf, processesOf } from './processes.mjs'

/** Starts the server of a product, and speaks to it as any MCP client does. */
export async function connect(product, { environment, executablePath }) {
  const [command, ...args] = product.server
  const { env, mark } = environment()
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }))

  /** what the model is told, and how long it took */
  const call = async ([name, given]) => {
    const start = performance.now()
    const { content, isError } = await client.callTool({ name, arguments: given })
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
    /** the quickest way to press something and see the whole page afterwards */
    async clickAndLook(ref) {
      if (product.clickAndLook) return call(product.clickAndLook(ref))
      const clicked = await call(product.click(ref))
      const seen = await call(product.snapshot())
      return { text: `${clicked.text}\n${seen.text}`, ms: clicked.ms + seen.ms }
    },
    listTools: async () => (await client.listTools()).tools,
    /** its processes but for those of the browser */
    processes: () => processesOf(mark).filter(({ program }) => program !== executablePath),
    /** how many processes are still there afterwards */
    async close() {
      const all = processesOf(mark)
      if (product.close) await call(product.close())
      await client.close()
      return (await leftOf(all)).length
    },
  }
}

/** All products at once, each with its own server and browser; what is measured of them is measured in turns. */
export async function withAll(ground, work) {
  const open = []
  try {
    for (const product of ground.products) open.push(await connect(product, ground))
    return await work(open)
  } finally {
    for (const each of open) await each.close()
  }
}

/** Who starts changes with every round, because who comes second finds the garbage of the first. */
export const turned = (list, round) => list.map((_, at) => list[(at + round) % list.length])
