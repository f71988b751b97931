import { openLogin } from '../drivers/cdp/login.ts'
import { login } from '../surfaces/cli/login.ts'
import { loginKey } from './open-session.ts'

/** `pagehand login` */
export async function run(words: readonly string[]): Promise<number> {
  const key = loginKey()
  return login(words, { openLogin: options => openLogin({ ...options, ...(key !== undefined && { key }) }) })
}
