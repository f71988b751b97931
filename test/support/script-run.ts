import type { ActionKind, ActionPayloads, PageInfo, PageResult, Settled, WaitCondition } from '../../src/contract/acts.ts'
import { failure } from '../../src/contract/failures.ts'
import { type Command, fail, ok, type Result, type Run } from '../../src/contract/run.ts'
import type { Looked } from './looking.ts'

const kinds: { readonly [verb: string]: ActionKind } = { scrollIntoView: 'scroll_into_view' }
const acts = 'click dblclick hover fill type select check uncheck scrollIntoView press drag'.split(' ')

/** A Run for a page of which one can only evaluate strings: the injected hands, asked until they have come to rest. */
export function scriptRun(page: Looked): Run {
  const info = async (): Promise<PageInfo> => dataOf(await page.page('info'))
  const act = async (kind: ActionKind, { name: _, ref, ...payload }: Command): Promise<Result> => {
    const done = await page.act(String(ref), kind, payload as unknown as ActionPayloads[ActionKind])
    if (!done.ok) return { ok: false, error: failure(done.error.code, done.error.message) }
    return ok({ page: await info(), trusted: done.trusted, settled: true, effect: { ...done.effect, ...(await rest()).effect } })
  }
  const rest = async (): Promise<Settled> => {
    for (;;) {
      const settled: Settled = dataOf(await page.page('settled'))
      if (settled.settled) return settled
    }
  }
  const wait = async ({ name: _, timeoutMs, pollMs: __, ...condition }: Command): Promise<Result> => {
    const began = performance.now()
    for (;;) {
      const checked = await page.page('waitCheck', condition as WaitCondition)
      if (!checked.ok) return { ok: false, error: failure(checked.error.code, checked.error.message) }
      const { met, saw } = checked.data
      const waitedMs = performance.now() - began
      if (met) return ok({ page: await info(), met, saw, waitedMs })
      if (waitedMs > Number(timeoutMs)) return fail('timeout', saw)
    }
  }
  return async command => {
    const { name, ref } = command
    if (name === 'snapshot') {
      const { name: _, ...options } = command
      const raw = await page.raw(options)
      return raw.ok ? ok(raw) : { ok: false, error: failure('snapshot_failed', raw.error?.message ?? '') }
    }
    if (name === 'query') {
      const found = await page.query(String(ref), command.kind as never, { limitChars: Number(command.limitChars) })
      return found.ok ? ok(found) : { ok: false, error: failure(found.error.code, found.error.message) }
    }
    if (name === 'wait') return wait(command)
    if (name === 'press' && ref === undefined) {
      const pressed = await page.page('pressKey', { key: String(command.key) })
      if (!pressed.ok) return { ok: false, error: failure(pressed.error.code, pressed.error.message) }
      return ok({ page: await info(), trusted: false, settled: true, effect: { ...pressed.data.effect, ...(await rest()).effect } })
    }
    return acts.includes(name) ? act(kinds[name] ?? (name as ActionKind), command) : fail('unsupported_action', name)
  }
}

function dataOf<K extends 'info' | 'settled'>(result: PageResult<K>) {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.data
}
