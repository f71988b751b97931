import { leftOf, processesOf, runProgram } from './processes.mjs'
import { agentBrowserBinary, binOf, cli } from './products.mjs'

/** The products that are command lines too, each with a host that keeps its browser between commands. */
const known = [
  { name: 'pagehand', program: () => [process.execPath, cli], click: ref => ['click', ref], stop: ['stop'] },
  { name: 'agent-browser', program: () => [agentBrowserBinary()], click: ref => ['click', `@${ref}`], stop: ['close'] },
]

/** Both with the page open. */
export async function withCommandLines({ products, environment }, url, work) {
  const open = []
  try {
    for (const { name, program, click, stop } of known) {
      const { env, mark } = environment()
      const run = words => runProgram([...program(), ...words], env)
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

/** agent-browser through the Node program that npx runs, where its install script was not */
export const agentBrowserByNode = [process.execPath, binOf('agent-browser')]
