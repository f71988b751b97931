import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApprovalRequest } from '../contract/approval.ts'
import { runFolder } from './journal-files.ts'
import { runsFolder } from './run-store.ts'

/** Writes the picture of a request beside it, for people at a terminal. Returns its path; undefined if there is none, or it cannot be written. */
export async function savePicture({ id, run, picture }: ApprovalRequest, folder?: string): Promise<string | undefined> {
  if (!picture) return undefined
  const file = join(runFolder(runsFolder(folder), run), 'approvals', `${id}.${picture.mime === 'image/jpeg' ? 'jpg' : 'png'}`)
  return writeFile(file, Buffer.from(picture.base64, 'base64'), { mode: 0o600 }).then(
    () => file,
    () => undefined,
  )
}
