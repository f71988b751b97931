import type { SavedScreenshot } from '../surfaces/respond/answer.ts'

/**
 * Saves screenshots as numbered files and never replaces one. Node's modules are loaded with the first screenshot, so that tools work without Node until then.
 *
 * @param folder where the files go; default: a folder of this user for temporary files, from which they are removed after a week
 * @returns a function that saves a screenshot and returns its path
 * @example
 * const tools = webTools(session.run, { saveScreenshot: saveScreenshots('screenshots') })
 */
export function saveScreenshots(folder?: string): (screenshot: SavedScreenshot, label: string | undefined) => Promise<string> {
  let created: Promise<string> | undefined
  let count = 0
  // in a shared folder, the time keeps the screenshots of a session together
  const prefix = folder === undefined ? `${new Date().toISOString().replace(/\W|\d+Z/g, '')}-` : ''
  return async ({ base64, mime }, label) => {
    const { writeFile } = await import('node:fs/promises')
    const { join } = await import('node:path')
    created ??= createFolder(folder)
    for (;;) {
      const number = String(++count).padStart(3, '0')
      const file = join(await created, `${prefix}${number}${label ? `-${toFileName(label)}` : ''}.${mime === 'image/png' ? 'png' : 'jpg'}`)
      try {
        await writeFile(file, Buffer.from(base64, 'base64'), { flag: 'wx', mode: 0o600 })
        return file
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // an earlier run saved to the same folder
      }
    }
  }
}

async function createFolder(folder: string | undefined): Promise<string> {
  if (folder === undefined) return sharedFolder()
  const { mkdir } = await import('node:fs/promises')
  await mkdir(folder, { recursive: true })
  return folder
}

const week = 7 * 24 * 3_600_000

/** Screenshots outlive their session, because answers name their paths, but not for ever. */
async function sharedFolder(): Promise<string> {
  const { lstat, readdir, rm } = await import('node:fs/promises')
  const { join } = await import('node:path')
  const { createPrivateFolder, createTemporaryRoot } = await import('../home/private-folder.ts')
  const folder = createPrivateFolder(join(createTemporaryRoot(), 'screenshots'))
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    // another process may remove it at the same time
    const found = await lstat(file).catch(() => undefined)
    if (found?.isFile() && Date.now() - found.mtimeMs > week) await rm(file, { force: true })
  }
  return folder
}

/** A label as a part of a file name. The label may come from a model, so it must not contain a path. */
export const toFileName = (label: string): string => [...label.replace(/[^\p{L}\p{N}_-]+/gu, '-')].slice(0, 40).join('') || 'x'
