import type { SavedScreenshot } from '../surfaces/respond/answer.ts'

/**
 * Saves screenshots as numbered files and never replaces one. Node's modules are loaded with the first screenshot, so that tools work without Node until then.
 *
 * @param folder where the files go; default: a new temporary folder
 * @returns a function that saves a screenshot and returns its path
 * @example
 * const tools = webTools(session.run, { saveScreenshot: saveScreenshots('screenshots') })
 */
export function saveScreenshots(folder?: string): (screenshot: SavedScreenshot, label: string | undefined) => Promise<string> {
  let created: Promise<string> | undefined
  let count = 0
  return async ({ base64, mime }, label) => {
    const { writeFile } = await import('node:fs/promises')
    const { join } = await import('node:path')
    created ??= createFolder(folder)
    for (;;) {
      const number = String(++count).padStart(3, '0')
      const file = join(await created, `${number}${label ? `-${toFileName(label)}` : ''}.${mime === 'image/png' ? 'png' : 'jpg'}`)
      try {
        await writeFile(file, Buffer.from(base64, 'base64'), { flag: 'wx' })
        return file
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // an earlier run saved to the same folder
      }
    }
  }
}

async function createFolder(folder: string | undefined): Promise<string> {
  const { mkdir, mkdtemp } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  if (folder === undefined) return mkdtemp(join(tmpdir(), 'pagehand-evidence-'))
  await mkdir(folder, { recursive: true })
  return folder
}

/** A label as a part of a file name. The label may come from a model, so it must not contain a path. */
export const toFileName = (label: string): string => [...label.replace(/[^\p{L}\p{N}_-]+/gu, '-')].slice(0, 40).join('') || 'x'
