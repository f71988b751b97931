import { getSystemErrorMap } from 'node:util'
import { messageOf } from '../../contract/error-message.ts'

/** The reason of a file system error: no such file or directory (ENOENT). */
export function reasonOf(error: unknown): string {
  const [code, description] = getSystemErrorMap().get((error as NodeJS.ErrnoException).errno ?? 0) ?? []
  return code ? `${description} (${code})` : messageOf(error)
}
