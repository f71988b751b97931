// A profile can be open only once, so the sessions of this process that use it share one browser.
import type { Chromium } from './launch.ts'

interface RunningProfile {
  readonly browser: Promise<Chromium>
  sessions: number
}
/** by folder */
const running = new Map<string, RunningProfile>()
/** browsers that crashed and still hold their profile, by folder */
const closing = new Map<string, Promise<void>>()

export interface ProfileUse {
  readonly browser: Chromium
  /** this session has launched it */
  readonly isFirst: boolean
  hasOtherSessions(): boolean
  /** the last session closes the browser */
  release(): Promise<void>
}

/** Uses the browser of a profile; `launch` starts it unless it is running in this process. */
export async function enterProfile(folder: string, launch: () => Promise<Chromium>): Promise<ProfileUse> {
  await closing.get(folder)
  const isFirst = !running.has(folder)
  const profile = running.get(folder) ?? { browser: launch(), sessions: 0 }
  running.set(folder, profile)
  profile.sessions++
  const release = async () => {
    if (--profile.sessions > 0) return
    forget(folder, profile)
    await profile.browser.then(browser => browser.close()).catch(() => {}) // it did not start
  }
  try {
    const browser = await profile.browser
    if (isFirst) browser.connection.onDisconnect(() => closeCrashed(folder, profile, browser))
    return { browser, isFirst, release, hasOtherSessions: () => profile.sessions > 1 }
  } catch (error) {
    await release()
    throw error
  }
}

/** The next session starts the browser again, when the old one has let go of the profile. */
function closeCrashed(folder: string, profile: RunningProfile, browser: Chromium): void {
  if (!forget(folder, profile)) return
  closing.set(
    folder,
    browser.close().finally(() => closing.delete(folder)),
  )
}

const forget = (folder: string, profile: RunningProfile): boolean => running.get(folder) === profile && running.delete(folder)
