import type { ParsedCommand } from '../../contract/commands.ts'

const mostGone = 3

/**
 * What of a difference is worth telling after an action: what vanished is counted after the first few, since nothing can be done with it,
 * and where the focus left is told by where it went.
 */
export function summarizeDiff(call: ParsedCommand, lines: readonly string[]): readonly string[] {
  const own = 'ref' in call && call.ref !== undefined ? `[ref=${call.ref}] now [focused]` : undefined
  const worth = lines.filter(line => !line.endsWith(' no longer [focused]') && !(own && line.startsWith('~ ') && line.endsWith(own)))
  const gone = worth.filter(isGone)
  if (gone.length <= mostGone + 1) return worth
  const last = worth.at(-1) ?? ''
  const footer = last.startsWith('… more: ') ? last : undefined
  const many = gone.length - mostGone + Number(/(\d+) vanished/.exec(footer ?? '')?.[1] ?? 0)
  const kept = worth.filter(line => line !== footer && (!isGone(line) || gone.indexOf(line) < mostGone))
  const others = footer?.replace(/(, )?\d+ vanished/, '').replace(/^… more: : .*/, '')
  return [...kept, ...(others ? [others] : []), `… ${many} more vanished`]
}

const isGone = (line: string): boolean => line.startsWith('- ')
/** a line that only tells where the focus is */
export const isAboutFocus = (line: string): boolean => /^~ .* (now|no longer) \[focused\]$/.test(line)
