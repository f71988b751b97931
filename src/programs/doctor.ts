import { fileURLToPath } from 'node:url'
import { findBrowser } from '../drivers/cdp/browser/find.ts'
import { findUserBrowsers, listProfiles, type NamedProfile } from '../drivers/cdp/browser/user-browsers.ts'
import { openSession } from '../drivers/cdp/session.ts'
import { expiredLogins } from '../drivers/cdp/storage/login-expiry.ts'
import { findRelay } from '../relay/find-relay.ts'
import { type DoctorDriver, doctor, install } from '../surfaces/cli/doctor.ts'
import { loginKey } from './open-session.ts'

const driver: DoctorDriver = {
  findBrowser: () => findBrowser(),
  openSession: () => openSession(),
  userBrowsers: () => findUserBrowsers(),
  relay: async () => {
    const relay = await findRelay()
    return {
      isRunning: relay !== undefined,
      isPaired: relay?.status.isPaired ?? false,
      isConnected: relay?.status.browser !== undefined,
      extension: fileURLToPath(new URL('./extension/', import.meta.url)),
    }
  },
  profiles: async () => (await listProfiles({ key: loginKey() })).map(describe),
}

function describe({ name, isRunning, login }: NamedProfile) {
  const stored = login === 'locked' ? undefined : login
  return {
    name,
    isRunning,
    savedAt: stored?.savedAt,
    isEncrypted: stored?.isSealed ?? false,
    isLocked: login === 'locked',
    expired: stored ? expiredLogins(stored.state).map(({ domain }) => domain) : [],
  }
}

/** `pagehand doctor`, and with `--install` as the first word `pagehand install` */
export const run = ([first, ...rest]: readonly string[]): Promise<number> =>
  first === '--install' ? install(rest, driver) : doctor(first === undefined ? rest : [first, ...rest], driver)
