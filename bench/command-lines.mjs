import { leftOf, processesOf, runProgram } from './processes.mjs'
import { agentBrowserBinary, binOf, cli } from './products.mjs'

/** The products that also have a CLI, each with a daemon that keeps its browser open between commands. */
const commandLines = [
  { name: 'pagehand', program: () => [process.execPath, cli], click: ref => ['click', ref], stop: ['stop'] },
  { name: 'agent-browser', program: () => [agentBrowserBinary()], click: ref => ['click', `@${ref}`], stop: ['close'] },
]

/** Calls `work` with both CLIs, each with the page open. */
export async function withCommandLines({ products, environment }, url, work) {
  const open = []
  try {
    for (const { name, program, click, stop } of commandLines) {
      const { env, mark } = environment()
      const run = args => runProgram([...program(), ...args], env)
      const { refOf } = products.find(product => product.name === name)
      open.push({ name, env, mark, run, click: ref => run(click(ref)), snapshot: () => run(['snapshot']), refOf, stop: () => run(stop) })
      await run(['open', url])
    }
    return await work(open)
  } finally {
    for (const { mark, stop } of open) {
      const all = processesOf(mark)
      await stop()
      await leftOf(all)
    }
  }
}

/** agent-browser as npx starts it if its install script did not run: through Node.js. */
export const agentBrowserByNode = [process.execPath, binOf('agent-browser')]
