import type { SubAgentRunPart } from '../../../../src/wire/parts.ts'
import { useMessages } from '../messages/language.tsx'
import { amount, nearestLimit, runStateWords, usageKeys } from './step-words.ts'

/** What a run has used of its limits: a bar for the limit that is nearest, and the figures. */
export const BudgetMeter = ({ run }: { run: SubAgentRunPart }) => {
  const messages = useMessages()
  const nearest = nearestLimit(run)
  const percent = nearest === undefined ? undefined : Math.round(nearest.share * 100)
  const figures = usageKeys.filter(key => key !== 'characters' && (run.limits[key] !== undefined || run.usage[key] > 0))
  return (
    <div className="flex flex-col gap-1 text-2xs text-muted">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium text-ink">{runStateWords(run, messages)}</span>
        {figures.map(key => {
          const limit = run.limits[key]
          const used = amount(key, run.usage[key], messages)
          return (
            <span key={key} className="tabular" title={messages.run.usage[key]}>
              <span className="sr-only">{messages.run.usage[key]}: </span>
              {limit === undefined ? used : messages.run.budgetOf(used, amount(key, limit, messages))}
              {key === 'steps' || key === 'tokens' ? ` ${messages.run.usage[key].toLowerCase()}` : ''}
            </span>
          )
        })}
      </div>
      {nearest === undefined || percent === undefined ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be styled alike in all browsers
        <div
          role="meter"
          aria-label={`${messages.run.budget}: ${messages.run.usage[nearest.key]}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-1 overflow-hidden rounded-full bg-line"
        >
          <div
            className={`h-full rounded-full transition-[width] duration-500 ${percent >= 90 ? 'bg-bad' : percent >= 70 ? 'bg-warn' : 'bg-accent'}`}
            style={{ width: `${percent}%` }}
          />
        </div>
      )}
    </div>
  )
}
