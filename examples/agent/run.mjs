// Runs an agent with OpenAI:                    OPENAI_API_KEY=… node examples/agent/run.mjs "What does https://example.org/ say?"
// with a local server or another provider:      OPENAI_BASE_URL=http://127.0.0.1:1234/v1 PAGEHAND_MODEL=… node examples/agent/run.mjs TASK
// without a key, by fixed rules without AI:     node examples/agent/run.mjs "open https://example.org/, click Learn more"
import { createInterface } from 'node:readline/promises'
import { perform } from './agent.mjs'

/** Asks the person at the terminal before the agent sends a form, pays, deletes or leaves the site. */
async function approve({ command, classes, target, url }) {
  if (!process.stdin.isTTY) return 'pending'
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await prompt.question(`${command.name} "${target?.name ?? ''}" on ${url} (${classes.join(', ')})? y/n `)
  prompt.close()
  return { approved: answer.trim() === 'y', scope: 'once' }
}

const task = process.argv.slice(2).join(' ')
if (!task) {
  console.error('usage: node examples/agent/run.mjs TASK')
  process.exitCode = 2
} else {
  const { reason, summary, need, report } = await perform(task, {
    evidence: 'evidence',
    approvals: { approve },
    onEvent: event => {
      if (event.type === 'call') console.error(`${event.step}. ${event.verb} ${event.target ?? ''}`)
    },
  })
  console.log(`${reason}: ${summary}`)
  if (need?.kind === 'approval') console.log(`Approve it: npx pagehand approve ${need.id} --folder evidence`)
  if (report) console.log(`Report: ${report}`)
}
