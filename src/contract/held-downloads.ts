// The command by which approvals decide about downloads. It is not a verb: no tool and no caller above the approvals can give it.
import { type AnyCommand, type AnyRun, fail, type Result } from './run.ts'

/** A download that has begun and waits for a decision; its file is in a private folder. The strings are the page's. */
export interface HeldDownload {
  readonly id: string
  /** the name that the file would get */
  readonly name: string
  /** the URL of the file; a long one is cut */
  readonly url: string
  /** the origin of the document that started it; '' if it has none */
  readonly origin: string
  /** the URL of the page */
  readonly page: string
  /** undefined if the size is not known */
  readonly bytes?: number
}

/** From the first of these commands on, downloads are held. `save` and `discard` settle the downloads with these ids. */
export interface DownloadsCommand extends AnyCommand {
  readonly name: typeof downloadsName
  readonly save?: readonly string[]
  readonly discard?: readonly string[]
}

const downloadsName = 'downloads'
export const isDownloadsCommand = (command: AnyCommand): command is DownloadsCommand => command.name === downloadsName

/** Holds the downloads that begin from now on, settles some, and returns those that wait. */
export async function settleDownloads(run: AnyRun, { save = [], discard = [] }: Pick<DownloadsCommand, 'save' | 'discard'> = {}) {
  const result = await run({ name: downloadsName, save, discard })
  if (!result.ok) return result
  const { held } = result.data as { readonly held?: unknown }
  if (!Array.isArray(held)) return fail('unsupported_page', 'the driver does not hold downloads.')
  return { ok: true, data: held as readonly HeldDownload[] } satisfies Result
}
