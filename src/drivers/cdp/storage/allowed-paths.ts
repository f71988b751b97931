import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import nodePath, { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Message, quoted, say, term } from '../../../contract/message.ts'
import { homeFolder, temporaryFolder } from '../../../home/private-folder.ts'
import { PagehandError } from '../errors.ts'

/** how callers name the roots: the option of a session, and the flag of the programs */
export type RootOption = 'fileRoots' | 'uploadRoots'
const flagOf: { readonly [option in RootOption]: string } = { fileRoots: '--file-root', uploadRoots: '--upload-root' }

export const rootHint = (option: RootOption): string => `${option} (${flagOf[option]})`

/**
 * The folders whose files may be opened and uploaded if none are given: the working directory, unless that is too wide.
 * Programs that start MCP servers often run them in `/`.
 */
export function defaultRoots(folder = process.cwd()): readonly string[] {
  const path = resolve(folder)
  return isTooWide(path) ? [] : [path]
}

/** Fails if a root would allow the whole file system or all files of the user. */
export function requireNarrowRoots(roots: readonly string[], option: RootOption): readonly string[] {
  const wide = roots.find(root => isTooWide(root))
  if (wide === undefined) return roots
  const why = 'is the root of a drive, or contains the home folder'
  throw new PagehandError('invalid_input', say`${option}: ${quoted(wide, 200)} ${term(why)}. Name the folders that are needed.`)
}

/** Whether a folder is the root of a file system or drive, the home folder, or a folder that contains it. */
export function isTooWide(folder: string, { home = homedir(), path = nodePath }: { home?: string; path?: typeof nodePath } = {}): boolean {
  const [wide, inner] = [canonical(folder, path), canonical(home, path)]
  return wide === path.parse(wide).root || isWithin(inner, wide, path)
}

/** Why a file must not be used; undefined if it may. */
export type PathRefusal = { readonly why: 'outside' } | { readonly why: 'hidden'; readonly name: string }

/**
 * Checks a path whose links are resolved. A root may be a folder or a single file. Hidden files and folders are allowed only if a root
 * names them: `.env`, `.git` and `.npmrc` contain secrets, and lie in the folders that people work in (E5). The folders of pagehand itself
 * count as hidden.
 */
export async function refusalOf(real: string, roots: readonly string[]): Promise<PathRefusal | undefined> {
  const found: (PathRefusal | undefined)[] = []
  for (const root of roots) {
    const folder = await realpath(root).catch(() => undefined) // a root that does not exist allows nothing
    if (folder !== undefined && !isTooWide(folder)) found.push(refusalBelow(real, folder))
  }
  if (found.includes(undefined)) return undefined
  return found.find(each => each?.why === 'hidden') ?? { why: 'outside' }
}

function refusalBelow(real: string, root: string): PathRefusal | undefined {
  if (!isWithin(real, root)) return { why: 'outside' }
  // the profiles, uploads and screenshots of all sessions, for example if the root is the temporary folder
  const own = [homeFolder(), temporaryFolder()].map(each => canonical(each, nodePath)).find(each => isWithin(real, each))
  if (own !== undefined && !isWithin(root, own)) return { why: 'hidden', name: nodePath.basename(own) }
  const name = nodePath
    .relative(root, real)
    .split(nodePath.sep)
    .find(each => each.startsWith('.'))
  return name === undefined ? undefined : { why: 'hidden', name }
}

/** A sentence about a refused path, with the way to allow it. */
export function describeRefusal(
  named: Message,
  refusal: PathRefusal,
  { roots, option }: { roots: readonly string[]; option: RootOption },
): Message {
  const hint = term(rootHint(option))
  if (refusal.why === 'hidden') return say`${named} is hidden; hidden files are used only if ${hint} names them exactly.`
  if (roots.length === 0) return say`${named} is not allowed: no folder is. Allow one with ${hint}.`
  return say`${named} is outside the allowed folders: ${term(roots.join(', '))}. Allow its folder with ${hint}.`
}

/** The URL of a root, for `checkUrl`. */
export const rootUrl = (folder: string): string => pathToFileURL(resolve(folder)).href

/** Whether a path is a folder or in it. Both are canonical, so that `..`, links and the case of names do not matter. */
function isWithin(inner: string, folder: string, path: typeof nodePath = nodePath): boolean {
  const way = path.relative(folder, inner)
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}

/** The native call also returns the case that the file system has stored. */
function canonical(folder: string, path: typeof nodePath): string {
  const absolute = path.resolve(folder)
  try {
    return realpathSync.native(absolute)
  } catch {
    return absolute // it does not exist
  }
}
