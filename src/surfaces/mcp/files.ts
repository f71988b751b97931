import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface FileLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** The files of one client that it may read as resources: those that were added, and no others. */
export interface ServedFiles {
  /** Makes a file readable and returns the link to it. */
  add(path: string, mimeType: string): FileLink
  /** the files that exist */
  list(): Promise<readonly FileLink[]>
  /** The content of a file that was added; undefined if it was not, or does not exist. */
  read(uri: string): Promise<{ readonly uri: string; readonly mimeType: string; readonly blob: string } | undefined>
}

/** older files stay on disk, but are no longer listed */
const maxFiles = 200

export function createServedFiles(): ServedFiles {
  const files = new Map<string, FileLink & { readonly path: string }>()
  const linkOf = ({ uri, name, mimeType }: FileLink): FileLink => ({ uri, name, mimeType })
  return {
    add: (given, mimeType) => {
      const path = resolve(given)
      const file = { uri: pathToFileURL(path).href, name: basename(path), mimeType, path }
      files.set(file.uri, file)
      const [oldest] = files.keys()
      if (files.size > maxFiles && oldest !== undefined) files.delete(oldest)
      return linkOf(file)
    },
    list: async () => {
      const existing = await Promise.all([...files.values()].map(async file => ((await isFile(file.path)) ? [linkOf(file)] : [])))
      return existing.flat()
    },
    read: async uri => {
      const file = files.get(uri)
      const bytes = file && (await readFile(file.path).catch(() => undefined))
      return file && bytes && { uri, mimeType: file.mimeType, blob: bytes.toString('base64') }
    },
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  )
