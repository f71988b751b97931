import type { Effect, FailureBase, PageInfo, PageResult, SettleReport } from '../../contract/page-api.ts'
import { parsePageResult } from '../../render/decode/answers.ts'
import { pageJs } from '../expressions.ts'
import { now, pause, type TimeLimit } from './clock.ts'
import type { PageEvaluator } from './evaluate.ts'
import type { ScriptOptions } from './host.ts'

export interface SettleResult extends SettleReport {
  readonly page: PageInfo
}

interface SettleOptions {
  /** identifies the document that was acted on */
  readonly startedAt: number
  /** the effect that the action returned */
  readonly effect: Effect
  readonly limits: Required<Pick<ScriptOptions, 'settleMs' | 'networkMs' | 'pollMs'>>
}

export const readInfo = (page: PageEvaluator, limit: TimeLimit): Promise<PageResult<'info'>> =>
  page.untilAnswered(options => pageJs('info', null, options), parsePageResult<'info'>, limit)

/** Waits while anything is pending: for changes and animations up to `settleMs`, for requests and a new document up to `networkMs`. */
export async function settle(
  page: PageEvaluator,
  { startedAt, effect: first, limits }: SettleOptions,
  limit: TimeLimit,
): Promise<SettleResult | FailureBase<'page'>> {
  const start = now()
  let effect = first
  let committed = true
  for (;;) {
    const response = await page.untilAnswered(options => pageJs('settled', null, options), parsePageResult<'settled'>, limit)
    if (!response.ok) return response
    const { data, meta } = response
    const hasNavigated = meta.startedAt !== startedAt
    if (!hasNavigated) {
      effect = data.effect
      committed = data.committed
    }
    const pending = hasNavigated ? data.pending.filter(each => each !== 'changes') : data.pending
    const isLoading = pending.some(each => /request|load|navigation/.test(each))
    const settled = hasNavigated ? !isLoading : data.settled
    const elapsedMs = now() - start
    // a timer that is due after the limit is not worth waiting for
    const isLate = pending.every(each => Number(/^timer in (\d+)/.exec(each)?.[1] ?? 0) > limits.settleMs - elapsedMs)
    if (settled || isLate || elapsedMs > (isLoading ? limits.networkMs : limits.settleMs)) {
      const info = await readInfo(page, limit)
      if (!info.ok) return info
      const finalEffect = hasNavigated && !effect.url ? { ...effect, url: info.data.url } : effect
      return { effect: finalEffect, settled, pending: settled ? [] : pending, committed: hasNavigated || committed, page: info.data }
    }
    await pause(limits.pollMs, limit)
  }
}
