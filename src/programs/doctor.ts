import { findBrowser } from '../drivers/cdp/browser/find.ts'
import { openSession } from '../drivers/cdp/session.ts'
import { doctor, install } from '../surfaces/cli/doctor.ts'

const driver = { findBrowser: () => findBrowser(), openSession: () => openSession() }

/** `pagehand doctor`, and with `--install` as the first word `pagehand install` */
export const run = ([first, ...rest]: readonly string[]): Promise<number> =>
  first === '--install' ? install(rest, driver) : doctor(first === undefined ? rest : [first, ...rest], driver)
