import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { AnyCommand, Layer } from 'pagehand/tools'
import type { StoredFilePart } from 'pagehand/wire'

export const maxFileBytes = 50_000_000
const maxFiles = 50
const maxNames = 1_000

/** The files that a person attached to the messages of a chat. */
export class ChatFiles {
  readonly folder: string

  /** @param folder of this chat only */
  constructor(folder: string) {
    this.folder = folder
  }

  /** Keeps a file under a name that is free; undefined if there are too many. */
  async add(wanted: string, content: Uint8Array): Promise<StoredFilePart | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    if ((await readdir(this.folder)).length >= maxFiles) return undefined
    const name = await atFreeName(this.folder, toFileName(wanted), path => writeFile(path, content, { mode: 0o600, flag: 'wx' }))
    return { name, bytes: content.byteLength }
  }

  /** Removes a file that was attached to a draft. */
  async remove(name: string): Promise<void> {
    if (toFileName(name) === name) await rm(join(this.folder, name), { force: true })
  }

  /** A file as it is; undefined if there is none with exactly this name. */
  async find(name: string): Promise<StoredFilePart | undefined> {
    if (toFileName(name) !== name) return undefined
    const found = await stat(join(this.folder, name)).catch(() => undefined)
    return found?.isFile() ? { name, bytes: found.size } : undefined
  }

  /** Makes files of messages available to uploads by their names: `check` refuses other names, and `locate` replaces names with paths. */
  uploads(attached: readonly StoredFilePart[]): { readonly check: Layer; readonly locate: Layer } {
    const names = new Set(attached.map(({ name }) => name))
    return {
      // before a person is asked: nobody should allow what is not possible
      check: next => async (command, signal) => {
        const unknown = filesOf(command).find(file => !names.has(file))
        if (unknown === undefined) return next(command, signal)
        const known = attached.map(({ name }) => JSON.stringify(name)).join(', ')
        return {
          ok: false,
          error: {
            code: 'disabled',
            message: `Only files that the user attached to a message can be uploaded, by name: ${known || 'none so far'}.`,
            hint: 'Ask the user to attach the file to a message.',
          },
        }
      },
      locate: next => (command, signal) =>
        next(
          withPaths(command, file => join(this.folder, file)),
          signal,
        ),
    }
  }
}

/** Moves a file that a page gave into the folder of a run, and returns its name there. */
export async function keepDownload(from: string, folder: string, wanted: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = await atFreeName(folder, toFileName(wanted), async path => {
    await copyFile(from, path, constants.COPYFILE_EXCL)
    await chmod(path, 0o600)
  })
  await rm(from, { force: true })
  return name
}

/** No path, no hidden file, no control or format characters, and nothing that Windows refuses. */
export const toFileName = (wanted: string): string =>
  wanted
    .replace(/^.*[\\/]/s, '')
    .replace(/[^\p{L}\p{M}\p{N} ._()+,@=~-]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(-100)
    .replace(/^[. ]+/, '') || 'file'

/** Writes a file under the first name that no other file has. */
async function atFreeName(folder: string, wanted: string, write: (path: string) => Promise<void>): Promise<string> {
  const extension = extname(wanted)
  const stem = wanted.slice(0, wanted.length - extension.length)
  for (let n = 1; n <= maxNames; n++) {
    const name = n === 1 ? wanted : `${stem} (${n})${extension}`
    try {
      await write(join(folder, name))
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error(`the folder has ${maxNames} files with this name`)
}

/** The files of a command, or of the actions of a call. */
function filesOf(command: AnyCommand): readonly string[] {
  const { files, commands } = command as { readonly files?: readonly string[]; readonly commands?: readonly AnyCommand[] }
  return command.name === 'upload' ? (files ?? []).map(String) : (commands ?? []).flatMap(filesOf)
}

function withPaths(command: AnyCommand, pathOf: (file: string) => string): AnyCommand {
  return command.name === 'upload' ? { ...command, files: filesOf(command).map(pathOf) } : command
}
