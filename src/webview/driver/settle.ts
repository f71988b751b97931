import type { FailureCode } from '../../contract/failures.ts'
import type { Effect, PageInfo, PageResult } from '../../contract/page-api.ts'
import { parsePageResult } from '../../render/decode/answers.ts'
import { pageJs } from '../expressions.ts'
import { type Limits, now, pause } from './clock.ts'
import type { Ask } from './evaluate.ts'
import type { ScriptOptions } from './host.ts'

export interface Rest {
  readonly effect: Effect
  readonly settled: boolean
  readonly pending: readonly string[]
  /** false: the page took back what was set */
  readonly committed: boolean
  readonly page: PageInfo
}

type Settling = Required<Pick<ScriptOptions, 'settleMs' | 'networkMs' | 'pollMs'>>

export const info = (ask: Ask, limits: Limits): Promise<PageResult<'info'>> =>
  ask.patiently(sealed => pageJs('info', null, sealed), parsePageResult<'info'>, limits)

/**
 * Waits while something is pending, and not longer: changes and animations for `settleMs`, requests and a new document for `networkMs`.
 * `startedAt` is the document that was acted on.
 */
export async function settle(
  ask: Ask,
  startedAt: number,
  first: Effect,
  options: Settling,
  limits: Limits,
): Promise<Rest | { code: FailureCode; message: string }> {
  const start = now()
  let effect = first
  let committed = true
  for (;;) {
    const answer = await ask.patiently(sealed => pageJs('settled', null, sealed), parsePageResult<'settled'>, limits)
    if (!answer.ok) return answer.error
    const { data, meta } = answer
    const moved = meta.startedAt !== startedAt
    if (!moved) {
      effect = data.effect
      committed = data.committed
    }
    const pending = moved ? data.pending.filter(each => each !== 'changes') : data.pending
    const isLoading = pending.some(each => /request|load|navigation/.test(each))
    const settled = moved ? !isLoading : data.settled
    if (settled || now() - start > (isLoading ? options.networkMs : options.settleMs)) {
      const page = await info(ask, limits)
      if (!page.ok) return page.error
      const went = moved && !effect.url ? { ...effect, url: page.data.url } : effect
      return { effect: went, settled, pending: settled ? [] : pending, committed: moved || committed, page: page.data }
    }
    await pause(options.pollMs, limits)
  }
}
