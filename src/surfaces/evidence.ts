import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kept } from './talk.ts'

/** Pictures of a session lie in a folder of their own, numbered. */
export function keeper(session: string): (picture: Kept, label: string | undefined) => Promise<string> {
  let folder: Promise<string> | undefined
  let many = 0
  return async ({ base64, mime }, label) => {
    folder ??= mkdtemp(join(tmpdir(), 'pagehand-evidence-')).then(async made => {
      const own = join(made, plain(session))
      await mkdir(own)
      return own
    })
    const file = join(
      await folder,
      `${String(++many).padStart(3, '0')}${label ? `-${plain(label)}` : ''}.${mime === 'image/png' ? 'png' : 'jpg'}`,
    )
    await writeFile(file, Buffer.from(base64, 'base64'))
    return file
  }
}

// a label is words of a model, and becomes a part of a path
const plain = (words: string): string => words.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'x'
