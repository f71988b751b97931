// Files are copied when they are checked, and the browser gets the copies: it reads a file only when the page sends it, and until then
// another program could replace it with a link to a file outside the allowed folders (E5).

import { constants, rmSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { quoted, say } from '../../../contract/message.ts'
import { atExit } from '../../../home/at-exit.ts'
import { createTemporaryFolder } from '../browser/profile.ts'
import { PagehandError } from '../errors.ts'
import { describeRefusal, refusalOf } from './allowed-paths.ts'

/** the total size of the files that one session uploads */
const maxBytes = 2 ** 30

/** The files that a session uploads. */
export class Uploads {
  readonly #roots: readonly string[]
  readonly #maxBytes: number
  #folder: Promise<string> | undefined
  #cancelAtExit = () => {}
  #copies = 0
  #bytes = 0

  constructor(roots: readonly string[], limit = maxBytes) {
    this.#roots = roots
    this.#maxBytes = limit
  }

  /** Copies a file and returns the path of the copy, which has the same name. Fails with `disabled` if the file is not allowed. */
  async copy(path: string): Promise<string> {
    const real = await realpath(resolve(path)).catch(() => undefined) // it does not exist, or is not readable
    const refusal = await refusalOf(real ?? resolve(path), this.#roots)
    if (refusal)
      throw new PagehandError('disabled', describeRefusal(quoted(path, 200), refusal, { roots: this.#roots, option: 'uploadRoots' }))
    await using file = real === undefined ? undefined : await openExactly(real)
    if (!real || !file) throw new PagehandError('invalid_input', say`${quoted(path, 200)} is not a file.`)
    this.#folder ??= this.#createFolder()
    const folder = join(await this.#folder, String(++this.#copies))
    await mkdir(folder, { mode: 0o700 })
    const copy = join(folder, basename(real))
    const before = this.#bytes
    try {
      await this.#write(file, copy)
    } catch (error) {
      this.#bytes = before
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    return copy
  }

  /** Removes all copies. */
  async remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined) // it was never created
    this.#folder = undefined
    this.#cancelAtExit()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async #createFolder(): Promise<string> {
    const folder = await createTemporaryFolder('uploads')
    // a killed process leaves the folder behind; the next one removes it with stale profiles
    this.#cancelAtExit = atExit(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  async #write(file: FileHandle, copy: string): Promise<void> {
    await using target = await open(copy, 'wx', 0o600)
    const chunk = Buffer.allocUnsafe(2 ** 20)
    // the size is counted while reading: the file may grow
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null)
      if (bytesRead === 0) break
      this.#bytes += bytesRead
      if (this.#bytes > this.#maxBytes)
        throw new PagehandError(
          'invalid_input',
          say`The files of this session are too large: the limit is ${this.#maxBytes} bytes in total.`,
        )
      await target.write(chunk, 0, bytesRead)
    }
    const { atime, mtime } = await file.stat()
    await target.utimes(atime, mtime) // the page can read when the file was last changed
  }
}

/** Opens the regular file at a real path; undefined if the path is something else, or was changed while it was opened. */
async function openExactly(real: string): Promise<FileHandle | undefined> {
  // a named pipe would block without O_NONBLOCK; Windows has neither flag
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined)
  if (!file) return undefined
  try {
    // O_NOFOLLOW covers the last component only: a folder may have been replaced with a link
    const [opened, named, again] = await Promise.all([file.stat({ bigint: true }), lstat(real, { bigint: true }), realpath(real)])
    if (opened.isFile() && again === real && opened.ino === named.ino && opened.dev === named.dev) return file
  } catch {
    /* already removed */
  }
  await file.close()
  return undefined
}
