// Runs an agent with the model of your choice:  PAGEHAND_MODEL_KEY=… PAGEHAND_MODEL=… node examples/agent/run.mjs "What does example.org say?"
// PAGEHAND_MODEL_URL is the base URL of a Chat Completions API; default: OpenAI.
import { perform } from './agent.mjs'

const task = process.argv.slice(2).join(' ')
const { PAGEHAND_MODEL_KEY: key, PAGEHAND_MODEL: name, PAGEHAND_MODEL_URL: url = 'https://api.openai.com/v1' } = process.env
if (!task || !key || !name) {
  console.error('usage: PAGEHAND_MODEL_KEY=… PAGEHAND_MODEL=… node examples/agent/run.mjs TASK')
  process.exitCode = 2
} else {
  const { text, report } = await perform(task, { model: { url, name, key }, folder: 'evidence' })
  console.log(`${text}\n\nReport: ${report}`)
}
