import type { CommandArguments } from '../../contract/commands.ts'
import { say, term } from '../../contract/message.ts'
import type { ActionData, PageData } from '../../contract/results.ts'
import { PagehandError } from './errors.ts'
import { createInputContext } from './input/create-input-context.ts'
import type { Page } from './page/page.ts'
import type { SessionContext } from './session-context.ts'
import { watchInterruptions } from './settle/interruptions.ts'
import { watchDialogAnswer } from './settle/settle.ts'
import type { Deadline } from './timeout.ts'

/** Answers the open dialog, and waits for what the script that it has blocked does then. */
export async function answerDialog(
  context: SessionContext,
  { accept, text }: CommandArguments<'dialog'>,
  deadline: Deadline,
): Promise<Omit<ActionData, keyof PageData>> {
  const selected = context.pages().current()
  const page = pageWithDialog(context.pages().all(), selected)
  const input = createInputContext(context, page, deadline)
  const watcher = watchDialogAnswer(input)
  try {
    await watcher.ready
    const { type, message } = await page.dialogs.answer(accept, text)
    const answered = { type, message, accepted: accept, ...(page !== selected && { tab: page.id }) }
    if (type === 'beforeunload' && accept) return { effect: { answered }, trusted: true, settled: false, pending: ['navigation'] }
    const interruptions = watchInterruptions(input, deadline.signal)
    const next = interruptions.dialog.then(() => ({ effect: {}, settled: false, pending: ['dialog'] }))
    const outcome = watcher.outcome().catch(unsettled)
    const { effect, settled, pending } = await Promise.race([outcome, next, interruptions.aborted]).finally(interruptions.end)
    const url = 'url' in effect ? { url: effect.url } : {}
    return { effect: { ...url, answered }, trusted: true, settled, ...(pending.length > 0 && { pending }) }
  } finally {
    watcher.end()
  }
}

const unsettled = (error: Error) => ({
  effect: {},
  settled: false,
  pending: [error instanceof PagehandError && error.code === 'dialog_open' ? 'dialog' : 'scripts'],
})

/** The selected page, or the only other one that shows a dialog: a dialog of a popup blocks its opener too. */
function pageWithDialog(pages: readonly Page[], selected: Page): Page {
  if (selected.dialogs.pending()) return selected
  const others = pages.filter(({ dialogs }) => dialogs.pending())
  if (others.length > 1)
    throw new PagehandError(
      'invalid_input',
      say`Tabs ${term(others.map(({ id }) => id).join(', '))} show dialogs: select one of them first.`,
    )
  return others[0] ?? selected
}
