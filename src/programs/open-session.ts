import { messageOf } from '../contract/error-message.ts'
import { failure, isFailureCode } from '../contract/failures.ts'
import { quoted, say } from '../contract/message.ts'
import { toFailure } from '../contract/pagehand-error.ts'
import { PagehandError } from '../drivers/cdp/errors.ts'
import { openSession } from '../drivers/cdp/session.ts'
import { defaultRoots } from '../drivers/cdp/storage/allowed-paths.ts'
import { secretsFromEnvironment, secretsFromFile } from '../drivers/secret-sources.ts'
import { type OpenSession, parseSize } from '../surfaces/flags/session-flags.ts'

/** The secrets of the environment and of a file. Throws if the file cannot be used. */
export const readSecrets = (file: string | undefined) => ({ ...secretsFromEnvironment(), ...(file !== undefined && secretsFromFile(file)) })

/** Opens a browser session for a program. Returns a failure instead of throwing. */
export const open: OpenSession = async ({ headed, window, profile, attach, proxy, allowEval = false, secrets, hosts, folder }) => {
  const viewport = window === undefined ? undefined : parseSize(window)
  if (viewport === null) return { ok: false, error: failure('invalid_input', say`${quoted(window)} is not a size such as 1280x720.`) }
  try {
    const { run, close } = await openSession({
      allowEval,
      secrets: readSecrets(secrets),
      fileRoots: defaultRoots(folder),
      // without a folder a model chooses the files, not a person at a command line: nothing is sent unless a folder is named
      uploadRoots: folder === undefined ? [] : defaultRoots(folder),
      launch: { headless: !headed },
      ...(hosts && { hosts }),
      ...(proxy !== undefined && { proxy: { server: proxy } }),
      ...(viewport && { viewport }),
      ...(attach === undefined
        ? profile !== undefined && { profile, createProfile: true }
        : { profile: 'chrome', attach: { endpoint: attach } }),
    })
    return { ok: true, data: { run, close } }
  } catch (error) {
    if (error instanceof PagehandError && isFailureCode(error.code)) return { ok: false, error: toFailure(error) }
    return { ok: false, error: failure('not_running', say`the browser did not start.`, { page: { error: messageOf(error) } }) }
  }
}
