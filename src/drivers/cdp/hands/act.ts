import { fail, type Result } from '../../../contract/run.ts'
import type { Did, HandCommand, Hands } from './context.ts'

/** Carries out one verb of the hands on the tab in front. What it throws becomes a failure of the command. */
export async function act(command: HandCommand, _hands: Hands, _signal: AbortSignal): Promise<Result<Did>> {
  return fail('unsupported_action', `${command.name} is not carried out by this driver yet.`)
}
