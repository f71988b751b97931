import { messageOf } from '../contract/error-message.ts'
import { failure, isFailureCode } from '../contract/failures.ts'
import type { Result } from '../contract/run.ts'
import { PagehandError } from '../drivers/cdp/errors.ts'
import { openSession } from '../drivers/cdp/session.ts'
import type { HostRules } from '../policy/host-rules.ts'
import type { OpenedSession } from '../surfaces/respond/lazy-session.ts'

/** How the user of a program wants the browser. */
export interface Wanted {
  readonly headed?: boolean
  /** 1280x720 */
  readonly window?: string
  /** of the user's choice, also where it has never been used */
  readonly profile?: string
  readonly attach?: string
  readonly allowEval?: boolean
  /** whose pages may be shown */
  readonly hosts?: HostRules
  /** the folder whose files may be opened and uploaded; the working directory unless given */
  readonly folder?: string
}

/** A browser session for a program: what keeps it from opening is an answer, too. */
export async function open({
  headed,
  window,
  profile,
  attach,
  allowEval = false,
  hosts,
  folder = process.cwd(),
}: Wanted): Promise<Result<OpenedSession>> {
  const [width, height] = (window ?? '').split('x').map(Number)
  if (window !== undefined && !(width && height))
    return { ok: false, error: failure('invalid_input', `${window} is not a size such as 1280x720.`) }
  try {
    const { run, close } = await openSession({
      allowEval,
      fileRoots: [folder],
      uploadRoots: [folder],
      launch: { headless: !headed },
      ...(hosts && { hosts }),
      ...(width && height && { viewport: { width, height } }),
      ...(attach === undefined
        ? profile !== undefined && { profile, profiles: [profile] }
        : { profile: 'chrome', attach: { endpoint: attach } }),
    })
    return { ok: true, data: { run, close } }
  } catch (error) {
    if (error instanceof PagehandError && isFailureCode(error.code)) return { ok: false, error: failure(error.code, error.message) }
    return {
      ok: false,
      error: failure('not_running', `the browser did not start: ${messageOf(error)}`),
    }
  }
}
