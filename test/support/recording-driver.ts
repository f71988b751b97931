import type { Effect, PageInfo } from '../../src/contract/page-api.ts'
import { type AnyCommand, type AnyRun, fail, ok, type Result } from '../../src/contract/run.ts'
import type { Snapshot } from '../../src/contract/snapshot.ts'

/** The content of a page, and the effect of each command; commands that are not listed succeed without an effect. */
export interface PageScript {
  readonly page?: Partial<PageInfo>
  readonly shows: () => Snapshot
  readonly does?: { readonly [verb: string]: (command: AnyCommand) => Result | undefined }
}

export interface RecordingDriver {
  readonly run: AnyRun
  /** commands in the order of their arrival, including snapshots for a diff */
  readonly commands: AnyCommand[]
}

/** A driver that records its commands. It follows the contract, so that the surfaces above it can be tested. */
export function recordingDriver({ page = {}, shows, does = {} }: PageScript): RecordingDriver {
  const commands: AnyCommand[] = []
  const info = (): PageInfo => ({
    url: shows().meta.url,
    title: shows().meta.title,
    readyState: 'complete',
    viewport: { width: 1280, height: 720 },
    scroll: { x: 0, y: 0, height: 3_000 },
    ...page,
  })
  const run: AnyRun = async (command, signal) => {
    commands.push(command)
    if (signal?.aborted) return fail('aborted', [`${command.name} was stopped before it began.`])
    const own = does[command.name]?.(command)
    if (own) return own
    if (command.name === 'snapshot') return ok(shows())
    if (command.name === 'query' || command.name === 'evaluate') return ok({ page: info(), value: 'what it says', truncated: false })
    if (command.name === 'wait') return ok({ page: info(), met: true, saw: '', waitedMs: 12 })
    if (command.name === 'screenshot') return ok({ page: info(), mime: 'image/png', base64: 'iVBORw0KGgo=', width: 1280, height: 720 })
    if (command.name === 'tabs') return ok({ tabs: [{ tab: 't1', url: info().url, title: info().title, selected: true }] })
    if (command.name === 'status') return ok({ running: true })
    return ok({ page: info(), effect: {}, trusted: true, settled: true })
  }
  return { run, commands }
}

/** the result of an action with this effect */
export const actionResult = (url: string, effect: Effect, more: { readonly [field: string]: unknown } = {}) =>
  ok({
    page: { url, title: 'Tea', readyState: 'complete', viewport: { width: 1280, height: 720 }, scroll: { x: 0, y: 0, height: 3_000 } },
    effect,
    trusted: true,
    settled: true,
    ...more,
  })
