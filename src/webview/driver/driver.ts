import { derivedCommands } from '../../contract/commands.ts'
import { createDataKey } from '../../contract/data-key.ts'
import { messageOf } from '../../contract/error-message.ts'
import { quoted, say, term } from '../../contract/message.ts'
import { parseCommand } from '../../contract/parse-command.ts'
import { createQueue } from '../../contract/queue.ts'
import { type AbortSignalLike, type AnyCommand, fail, type Result, type Run, typed } from '../../contract/run.ts'
import { SessionSecrets } from '../../secrets/session-secrets.ts'
import { InterruptedError, now } from './clock.ts'
import { maxWaitMs, type ScriptPage, scriptVerbs } from './commands.ts'
import { createEvaluator } from './evaluate.ts'
import type { ScriptHost, ScriptOptions } from './host.ts'

/** a page that does not answer an expression for so long is stuck in a script; one that is loading may take longer */
const evaluateMs = 5_000
const deadlines = { act: 15_000, look: 10_000, leave: 30_000, wait: maxWaitMs + 2_000 } as const

/**
 * A `Run` for any WebView that can evaluate a string. Runs one command at a time and never throws.
 * It cannot see closed shadow roots and frames of other origins, and its input is not trusted.
 *
 * @example
 * const run = scriptDriver({ evaluate: expression => webView.executeJavaScript(expression) })
 * const tools = webTools(run)
 */
export function scriptDriver(host: ScriptHost, given: ScriptOptions = {}): Run {
  const options = { settleMs: 2_000, networkMs: 5_000, pollMs: 50, files: [], allowEval: false, secrets: {}, ...given }
  const secrets = new SessionSecrets()
  const page: ScriptPage = {
    secrets,
    evaluator: createEvaluator(host, options.pollMs, given.seal ? { seal: given.seal } : {}),
    host,
    options,
    dataKey: createDataKey(),
    lastRef: 0,
  }
  const enqueue = createQueue()
  return typed(secrets.layer((command, signal) => enqueue(() => runCommand(page, command, signal))))
}

function unsupported(name: string): Result<never> {
  const reason = Object.hasOwn(derivedCommands, name)
    ? 'is computed from snapshots by webTools, browserTool and agentTools, not by a driver'
    : 'needs a browser that is driven from outside; this is a page that evaluates strings'
  return fail(
    'unsupported_action',
    say`${quoted(name, 40)} ${term(reason)}. The actions here are ${term(Object.keys(scriptVerbs).join(', '))}.`,
  )
}

async function runCommand(page: ScriptPage, given: AnyCommand, signal?: AbortSignalLike): Promise<Result> {
  const spec = Object.hasOwn(scriptVerbs, given.name) ? scriptVerbs[given.name] : undefined
  if (!spec) return unsupported(given.name)
  const parsed = parseCommand(given)
  if (!parsed.ok) return parsed
  const command: AnyCommand = parsed.value
  if (signal?.aborted) return fail('aborted', say`${term(command.name)} was stopped before it began.`)
  const [kind, verb] = spec
  const ms = deadlines[kind]
  const isQuick = kind === 'act' || kind === 'look'
  try {
    return await verb(page, command, { deadline: now() + ms, signal, evaluateMs: isQuick ? evaluateMs : undefined })
  } catch (error) {
    if (!(error instanceof InterruptedError))
      return fail(kind === 'act' ? 'outcome_unknown' : 'not_bound', 'The expression could not be evaluated.', {
        page: { error: messageOf(error) },
      })
    if (error.reason === 'aborted')
      return fail('aborted', say`${term(command.name)} was stopped${kind === 'act' ? '; it may have happened' : ''}.`)
    const code = kind === 'act' ? 'outcome_unknown' : 'page_unresponsive'
    return fail(
      code,
      say`The page did not answer within ${Math.round((isQuick ? evaluateMs : ms) / 1_000)} s; a dialog may be open, or its scripts are stuck.`,
    )
  }
}
