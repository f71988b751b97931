import { writeFile } from 'node:fs/promises'
import { createBrowserAgent, resumeBrowserAgent } from '../agent/browser-agent.ts'
import { modelName, resolveModel } from '../agent/model.ts'
import { formatRecording, recordingOf } from '../agent/recording.ts'
import { isResumable } from '../agent/run-record.ts'
import type { RunPlan } from '../contract/approval.ts'
import { messageOf } from '../contract/error-message.ts'
import type { RunStore } from '../contract/journal.ts'
import { toError } from '../contract/pagehand-error.ts'
import { toSentence } from '../contract/text.ts'
import { fileRunStore } from '../evidence/run-store.ts'
import { secretNames } from '../secrets/named-secrets.ts'
import { type AgentCommand, parseAgentCommand, parseResumeCommand } from '../surfaces/cli/agent/options.ts'
import { type AgentHooks, type PreparedRun, runAgent } from '../surfaces/cli/agent/run-agent.ts'
import { stderr } from '../surfaces/terminal.ts'
import { openFor, readSecrets } from './open-session.ts'

/** `pagehand agent`, and with `--resume` as the first word `pagehand run resume` */
export async function run([first, ...rest]: readonly string[]): Promise<number> {
  const words = first === undefined ? rest : [first, ...rest]
  const resume = first === '--resume' ? parseResumeCommand(rest) : undefined
  if (typeof resume === 'string') return usageError(resume, 'run')
  const command = resume?.command ?? parseAgentCommand(words)
  if (typeof command === 'string') return usageError(command, 'agent')
  return runAgent(command, hooks => prepare(command, hooks, resume?.id))
}

/** Opens the browser and creates the agent; a run that cannot begin leaves no browser behind. */
async function prepare(
  command: AgentCommand,
  { onEvent, handoff, approve }: AgentHooks,
  resumed: string | undefined,
): Promise<PreparedRun> {
  const { goal, url, agentLimits, price, evidence, browser, hosts, policy, approvals, plan, sites, redact } = command
  const model = await resolveModel(command.model)
  const names = secretNames(readSecrets(browser.secrets))
  const opened = await openFor('agent')({ ...browser, folder: process.cwd(), ...(hosts && { hosts }) })
  if (!opened.ok) throw toError(opened.error)
  const { run: driver, close } = opened.data
  const store = fileRunStore(evidence === undefined ? {} : { folder: evidence })
  try {
    const options = {
      model,
      run: driver,
      onEvent,
      secrets: names,
      limits: agentLimits,
      ...(price && { prices: { [modelName(model)]: price } }),
      ...(evidence !== undefined && { evidence }),
      ...(policy && { policy }),
      ...(handoff && { handoff }),
      ...(sites && { sites }),
      redact,
      approvals: {
        grants: store.grants,
        ...(approve && { approve }),
        ...(approvals && { policy: approvals }),
        ...(plan.length > 0 && { plan: planOf(command) }),
      },
    }
    const agent =
      resumed === undefined
        ? await createBrowserAgent({ ...options, goal, ...(url !== undefined && { page: url }) })
        : await resumeBrowserAgent(resumed, { ...options, ...(goal !== '' && { goal }) })
    return {
      async run(runOptions) {
        const result = await agent.run(runOptions)
        if (command.record !== undefined) {
          if (isResumable(result)) stderr.write(notRecordedYet(result.run, command.record))
          else await writeRecording(store, result.run, command.record)
        }
        return result
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The plan of `--plan`: for the sites of the run, with its limits. */
const planOf = ({ goal, url, sites = url === undefined ? [] : [new URL(url).host], plan, agentLimits }: AgentCommand): RunPlan => ({
  sites,
  classes: plan,
  text: goal,
  ...(Object.keys(agentLimits).length > 0 && { limits: agentLimits }),
})

/** The recording of a run that waits would be a part of one, with a goal whose secrets nobody has seen typed. */
const notRecordedYet = (run: string, file: string): string =>
  `${file}: not written, because the run has not ended. Write it with: pagehand run resume ${run} --record ${file}\n`

/** What the run did, for `pagehand replay`; the outcome of the run does not depend on it. */
async function writeRecording(store: RunStore, run: string, file: string): Promise<void> {
  try {
    const recording = recordingOf(await store.read(run))
    await writeFile(file, formatRecording(recording), { mode: 0o600 })
    stderr.write(`${file}: ${recording.steps.length} steps; repeat them with: pagehand replay ${file}\n`)
  } catch (error) {
    stderr.write(`pagehand: the recording was not written: ${messageOf(error)}\n`)
  }
}

function usageError(why: string, about: string): number {
  stderr.write(`pagehand: ${toSentence(why)} Run: pagehand help ${about}\n`)
  return 2
}
