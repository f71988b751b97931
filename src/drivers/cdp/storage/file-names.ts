// The names of downloaded files, which servers suggest.
import { constants } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'

/** No path, no hidden file, no special characters. */
export const toSafeName = (suggested: string): string =>
  basename(suggested.replaceAll('\\', '/'))
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-100) || 'download'

const maxNames = 1_000

/** Gives a file a name that no other file in the folder has, and returns it. The check and the move are one step, so nothing is overwritten. */
export async function moveToFreeName(from: string, folder: string, wanted: string): Promise<string> {
  const extension = extname(wanted)
  for (let n = 1; n <= maxNames; n++) {
    const name = n === 1 ? wanted : `${basename(wanted, extension)} (${n})${extension}`
    try {
      await createLink(from, join(folder, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw error
    }
    await rm(from, { force: true })
    return name
  }
  throw new Error(`the folder has ${maxNames} files with this name already`)
}

/** Fails with EEXIST if the name is taken. Where there can be no link, as to another file system, the file is copied. */
const createLink = (from: string, to: string): Promise<void> =>
  link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') throw error
    return copyFile(from, to, constants.COPYFILE_EXCL)
  })
