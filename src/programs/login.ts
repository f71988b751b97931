import { exportLogin } from '../drivers/cdp/export-login.ts'
import { openLogin } from '../drivers/cdp/login.ts'
import { login } from '../surfaces/cli/login.ts'
import { loginKey } from './open-session.ts'

/** `pagehand login` */
export async function run(words: readonly string[]): Promise<number> {
  const key = loginKey()
  const withKey = <T extends object>(options: T) => ({ ...options, ...(key !== undefined && { key }) })
  return login(words, { openLogin: options => openLogin(withKey(options)), exportLogin: options => exportLogin(withKey(options)) })
}
