import { constants } from 'node:fs'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { toSentence } from '../../../contract/text.ts'
import { quote } from '../../../render/text/quote.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import { maxQuoteChars } from '../errors.ts'

/**
 * Where downloads are saved, and how many.
 *
 * @example
 * await openSession({ downloads: { folder: './downloads', maxFiles: 5 } })
 */
export interface DownloadRules {
  /** the folder for downloaded files; nothing is written outside it */
  readonly folder: string
  /** @default 20 */
  readonly maxFiles?: number
  /**
   * The total size of all files.
   * @default 104_857_600
   */
  readonly maxBytes?: number
}

/**
 * A file that was downloaded.
 *
 * @example
 * const files = session.status().downloads as readonly Pick<Download, 'name' | 'bytes'>[]
 */
export interface Download {
  /** its name in the folder, which may differ from the name that the server suggested */
  readonly name: string
  readonly path: string
  readonly bytes: number
}

export interface Downloads {
  readonly done: readonly Download[]
  end(): void
}

interface DownloadOptions {
  /** undefined: every download is refused */
  readonly rules: DownloadRules | undefined
  /** whether a frame belongs to this session */
  isOurs(frameId: string): boolean
  /** whether a frame, or the URL of a download, is not allowed */
  isRefused(frameId: string, url: string): boolean
  note(text: string): void
}

/** Refuses downloads, or saves them to one folder, within the limits and under safe names (B5). */
export async function watchDownloads(browser: BrowserConnection, { rules, isOurs, isRefused, note }: DownloadOptions): Promise<Downloads> {
  const { connection, kind } = browser
  const done: Download[] = []
  // a browser or a window that is not ours keeps its own download settings
  if (kind === 'attached' || kind === 'page') return { done, end() {} }
  const { maxFiles = 20, maxBytes = 100 * 2 ** 20 } = rules ?? {}
  const running = new Map<string, { readonly name: string; isCanceled?: true }>()
  /** all that were reported when they began, also those of others */
  const known = new Set<string>()
  let bytesDone = 0
  let started = 0

  const cancel = (guid: string, why: string) => {
    const download = running.get(guid)
    if (!download || download.isCanceled) return
    download.isCanceled = true
    note(`The download of ${quote(download.name, maxQuoteChars)} was stopped: ${why}.`)
    connection.send('Browser.cancelDownload', { guid, ...contextOf(browser) }).catch(() => {}) // it may have ended meanwhile
  }
  /** The beginning of a download whose URL has megabytes is not reported, so nothing is known about it. */
  const cancelUnknown = async (guid: string) => {
    known.add(guid)
    // fails for a download of another session
    await connection.send('Browser.cancelDownload', { guid, ...contextOf(browser) })
    note('A download was stopped: its URL is too long.')
    if (rules) for (const name of [guid, `${guid}.crdownload`]) await rm(join(rules.folder, name), { force: true })
  }
  const finish = async (guid: string, bytes: number) => {
    const download = running.get(guid)
    running.delete(guid)
    if (!download || !rules) return
    const from = join(rules.folder, guid)
    if (download.isCanceled) return rm(from, { force: true })
    bytesDone += bytes
    const name = await moveToFreeName(from, rules.folder, download.name)
    done.push({ name, path: join(rules.folder, name), bytes })
    note(`Downloaded ${quote(name, maxQuoteChars)} (${bytes} bytes).`)
  }

  if (rules) await mkdir(rules.folder, { recursive: true })
  await connection.send('Browser.setDownloadBehavior', {
    // saved under a generated name first: the server chooses the suggested one
    ...(rules ? { behavior: 'allowAndName', downloadPath: rules.folder } : { behavior: 'deny' }),
    ...contextOf(browser),
    eventsEnabled: true,
  })
  const undo = [
    connection.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename }) => {
      known.add(guid)
      if (!isOurs(frameId)) return
      const isDenied = isRefused(frameId, url)
      // the name is content of the refused document
      running.set(guid, { name: isDenied ? 'download' : toSafeName(suggestedFilename) })
      if (isDenied) cancel(guid, 'its URL, or the frame that started it, is not allowed')
      else if (!rules) cancel(guid, 'downloads are disabled')
      else if (++started > maxFiles) cancel(guid, `the limit is ${maxFiles} files`)
    }),
    connection.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
      if (!known.has(guid)) cancelUnknown(guid).catch(() => {}) // it belongs to another session
      if (!running.has(guid)) return
      if (rules && bytesDone + Math.max(receivedBytes, totalBytes) > maxBytes) cancel(guid, `the limit is ${maxBytes} bytes`)
      if (state === 'completed')
        finish(guid, receivedBytes).catch((error: Error) => note(toSentence(`A download could not be saved: ${error.message}`)))
      if (state === 'canceled') running.delete(guid)
    }),
  ]
  return {
    done,
    end() {
      for (const step of undo) step()
    },
  }
}

/** no path, no hidden file, no special characters */
const toSafeName = (suggested: string): string =>
  basename(suggested.replaceAll('\\', '/'))
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-100) || 'download'

const maxNames = 1_000

/** Gives a file a name that no other file in the folder has, and returns it. The check and the move are one step, so nothing is overwritten. */
async function moveToFreeName(from: string, folder: string, wanted: string): Promise<string> {
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

/** Fails with EEXIST if the name is taken. Some file systems have no links: there the file is copied. */
const createLink = (from: string, to: string): Promise<void> =>
  link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') throw error
    return copyFile(from, to, constants.COPYFILE_EXCL)
  })
