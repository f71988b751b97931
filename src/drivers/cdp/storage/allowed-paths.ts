import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { parse, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cut } from '../../../render/text/quote.ts'
import { PagehandError } from '../errors.ts'

/** The real path of a file, with all links followed. Fails with `disabled` if it is not below one of the folders (E5). */
export async function resolveAllowedFile(path: string, roots: readonly string[]): Promise<string> {
  const real = await realpath(resolve(path)).catch(() => undefined) // it does not exist, or is not readable
  const isFile = real !== undefined && (await stat(real)).isFile()
  if (!(await isBelow(real ?? resolve(path), roots)))
    throw new PagehandError('disabled', `${JSON.stringify(cut(path, 200))} is outside the allowed folders: ${roots.join(', ') || 'none'}.`)
  if (!isFile) throw new PagehandError('invalid_input', `${JSON.stringify(cut(path, 200))} is not a file.`)
  return real
}

/**
 * The folders whose files may be opened and uploaded if none are given: the working directory, unless it is a root or the home folder.
 * Programs that start MCP servers often run them in `/`.
 */
export function defaultRoots(folder = process.cwd()): readonly string[] {
  const path = resolve(folder)
  return path === parse(path).root || path === resolve(homedir()) ? [] : [path]
}

export async function isBelow(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const folder = await realpath(root).catch(() => undefined) // a root that does not exist allows nothing
    if (folder !== undefined && real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return true
  }
  return false
}

/** The URL of a folder, with a trailing slash, for `checkUrl`. */
export const rootUrl = (folder: string): string => pathToFileURL(resolve(folder) + sep).href
