import { getSystemErrorMap } from 'node:util'
import { messageOf } from '../../contract/error-message.ts'

/** What the system says of a file: no such file or directory (ENOENT). */
export function reasonOf(error: unknown): string {
  const [code, said] = getSystemErrorMap().get((error as NodeJS.ErrnoException).errno ?? 0) ?? []
  return code ? `${said} (${code})` : messageOf(error)
}
