import type { Effect, PageInfo } from '../../src/contract/page-api.ts'
import { type AnyCommand, type AnyRun, fail, ok, type Result } from '../../src/contract/run.ts'
import type { Snapshot } from '../../src/contract/snapshot.ts'

/** What a page shows, and what each command does to it; commands that are not listed succeed without any effect. */
export interface PageScript {
  readonly page?: Partial<PageInfo>
  readonly shows: () => Snapshot
  readonly does?: { readonly [verb: string]: (command: AnyCommand) => Result | undefined }
}

export interface RecordingDriver {
  readonly run: AnyRun
  /** commands in the order in which the driver got them, looks for a difference included */
  readonly commands: AnyCommand[]
}

/** A driver that writes down what it is asked. It keeps to the contract, so that what is tested is the surface above it. */
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
    if (signal?.aborted) return fail('aborted', `${command.name} was stopped before it began.`)
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

/** what an action answers when it was seen to do this */
export const actionResult = (url: string, effect: Effect, more: { readonly [field: string]: unknown } = {}) =>
  ok({
    page: { url, title: 'Tea', readyState: 'complete', viewport: { width: 1280, height: 720 }, scroll: { x: 0, y: 0, height: 3_000 } },
    effect,
    trusted: true,
    settled: true,
    ...more,
  })
