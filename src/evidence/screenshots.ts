import type { SavedScreenshot } from '../surfaces/respond/responder.ts'

/**
 * Keeps pictures as numbered files in a folder, a new temporary one unless given: `webTools(run, { saveScreenshot: saveScreenshots() })`.
 * Node is asked for when there is a picture, so that tools load where there is none.
 */
export function saveScreenshots(folder?: string): (picture: SavedScreenshot, label: string | undefined) => Promise<string> {
  let place: Promise<string> | undefined
  let many = 0
  return async ({ base64, mime }, label) => {
    const { writeFile } = await import('node:fs/promises')
    const { join } = await import('node:path')
    place ??= made(folder)
    const number = String(++many).padStart(3, '0')
    const file = join(await place, `${number}${label ? `-${plain(label)}` : ''}.${mime === 'image/png' ? 'png' : 'jpg'}`)
    await writeFile(file, Buffer.from(base64, 'base64'))
    return file
  }
}

async function made(folder: string | undefined): Promise<string> {
  const { mkdir, mkdtemp } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  if (folder === undefined) return mkdtemp(join(tmpdir(), 'pagehand-evidence-'))
  await mkdir(folder, { recursive: true })
  return folder
}

// a label is words of a model, and becomes a part of a path
export const plain = (words: string): string => [...words.replace(/[^\p{L}\p{N}_-]+/gu, '-')].slice(0, 40).join('') || 'x'
