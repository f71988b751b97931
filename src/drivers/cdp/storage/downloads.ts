import { rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeldDownload } from '../../../contract/held-downloads.ts'
import { toSentence } from '../../../contract/text.ts'
import { atExit } from '../../../home/at-exit.ts'
import { cut, quote } from '../../../render/text/quote.ts'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import { createTemporaryFolder } from '../browser/profile.ts'
import { maxQuoteChars } from '../errors.ts'
import { moveToFreeName, toSafeName } from './file-names.ts'

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
  /** the downloads that wait for a decision */
  held(): readonly HeldDownload[]
  /** Moves the file into the folder, as soon as it is complete. */
  save(id: string): Promise<void>
  /** Stops the download and deletes its file. */
  discard(id: string): Promise<void>
  /** Ends the watch; nothing is saved from now on. */
  end(): void
  /** Deletes the files that were not saved, once the browser writes no more. */
  remove(): Promise<void>
}

/** Where a download comes from. */
export type DownloadStart = Pick<HeldDownload, 'origin' | 'page'>

interface DownloadOptions {
  /** undefined: every download is refused */
  readonly rules: DownloadRules | undefined
  /** undefined if the frame does not belong to this session */
  startOf(frameId: string, url: string): DownloadStart | undefined
  /** whether a frame, or the URL of a download, is not allowed */
  isRefused(frameId: string, url: string): boolean
  /** whether downloads that begin now wait for a decision */
  isHeld(): boolean
  note(text: string): void
}

interface RunningDownload extends HeldDownload {
  isHeld: boolean
  isCanceled?: true
  /** the size that the server announced, or the size of the complete file */
  bytes?: number
  isComplete?: true
}

const maxUrlChars = 2_000

/** Refuses downloads, or saves them to one folder, within the limits and under safe names (B5). */
export async function watchDownloads(browser: BrowserConnection, options: DownloadOptions): Promise<Downloads> {
  const { rules, startOf, isRefused, isHeld, note } = options
  const { connection, kind } = browser
  const done: Download[] = []
  // a browser or a window that is not ours keeps its own download settings
  if (kind === 'attached' || kind === 'page')
    return { done, held: () => [], save: async () => {}, discard: async () => {}, end() {}, remove: async () => {} }
  const { maxFiles = 20, maxBytes = 100 * 2 ** 20 } = rules ?? {}
  const running = new Map<string, RunningDownload>()
  /** all that were reported when they began, also those of others */
  const known = new Set<string>()
  const saving = new Set<Promise<void>>()
  let bytesDone = 0
  let started = 0
  const folder = rules && (await createTemporaryFolder('downloads'))
  const removeNow = () => folder !== undefined && rmSync(folder, { recursive: true, force: true })
  // a killed process leaves the folder behind; the next one removes it with stale profiles
  const cancelAtExit = folder === undefined ? () => {} : atExit(removeNow)
  const removeFile = async (guid: string) => {
    if (folder === undefined) return
    for (const name of [guid, `${guid}.crdownload`]) await rm(join(folder, name), { force: true })
  }

  const stop = (download: RunningDownload) => {
    download.isCanceled = true
    connection.send('Browser.cancelDownload', { guid: download.id, ...contextOf(browser) }).catch(() => {}) // it may have ended meanwhile
  }
  const cancel = (guid: string, why: string) => {
    const download = running.get(guid)
    if (!download || download.isCanceled) return
    note(`The download of ${quote(download.name, maxQuoteChars)} was stopped: ${why}.`)
    stop(download)
  }
  /** The beginning of a download whose URL has megabytes is not reported, so nothing is known about it. */
  const cancelUnknown = async (guid: string) => {
    known.add(guid)
    // fails for a download of another session
    await connection.send('Browser.cancelDownload', { guid, ...contextOf(browser) })
    note('A download was stopped: its URL is too long.')
    await removeFile(guid)
  }
  const move = async ({ id, name: wanted, bytes = 0 }: RunningDownload) => {
    if (!rules || folder === undefined) return
    const name = await moveToFreeName(join(folder, id), rules.folder, wanted)
    done.push({ name, path: join(rules.folder, name), bytes })
    note(`Downloaded ${quote(name, maxQuoteChars)} (${bytes} bytes).`)
  }
  const saveComplete = async (download: RunningDownload) => {
    running.delete(download.id)
    const moved = move(download).catch((error: Error) => note(toSentence(`A download could not be saved: ${error.message}`)))
    saving.add(moved)
    await moved
    saving.delete(moved)
  }
  const finish = async (download: RunningDownload, bytes: number) => {
    if (download.isCanceled) {
      running.delete(download.id)
      return removeFile(download.id)
    }
    bytesDone += bytes
    Object.assign(download, { bytes, isComplete: true })
    if (!download.isHeld) await saveComplete(download)
  }

  if (rules) await mkdir(rules.folder, { recursive: true })
  await connection.send('Browser.setDownloadBehavior', {
    // saved under a generated name first: the server chooses the suggested one
    ...(folder !== undefined ? { behavior: 'allowAndName', downloadPath: folder } : { behavior: 'deny' }),
    ...contextOf(browser),
    eventsEnabled: true,
  })
  const undo = [
    connection.on('Browser.downloadWillBegin', ({ frameId, guid, url, suggestedFilename }) => {
      known.add(guid)
      const start = startOf(frameId, url)
      if (!start) return
      const isDenied = isRefused(frameId, url)
      // the name is content of the refused document
      const name = isDenied ? 'download' : toSafeName(suggestedFilename)
      running.set(guid, { id: guid, name, url: cut(url, maxUrlChars), ...start, isHeld: isHeld() })
      if (isDenied) cancel(guid, 'its URL, or the frame that started it, is not allowed')
      else if (!rules) cancel(guid, 'downloads are disabled')
      else if (++started > maxFiles) cancel(guid, `the limit is ${maxFiles} files`)
    }),
    connection.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
      if (!known.has(guid)) cancelUnknown(guid).catch(() => {}) // it belongs to another session
      const download = running.get(guid)
      if (!download || download.isComplete) return
      if (totalBytes > 0) download.bytes = totalBytes
      if (rules && bytesDone + Math.max(receivedBytes, totalBytes) > maxBytes) cancel(guid, `the limit is ${maxBytes} bytes`)
      if (state === 'completed') finish(download, receivedBytes).catch(() => {}) // the file of a canceled download is gone already
      if (state === 'canceled') running.delete(guid)
    }),
  ]
  return {
    done,
    held: () =>
      [...running.values()]
        .filter(each => each.isHeld && !each.isCanceled)
        .map(({ isHeld: _, isCanceled: __, isComplete: ___, ...download }) => download),
    async save(id) {
      const download = running.get(id)
      if (!download?.isHeld) return
      download.isHeld = false
      if (download.isComplete) await saveComplete(download)
    },
    async discard(id) {
      const download = running.get(id)
      if (!download?.isHeld) return
      // it counts for the limits no longer
      started--
      if (!download.isComplete) return stop(download)
      bytesDone -= download.bytes ?? 0
      running.delete(id)
      await removeFile(id)
    },
    end() {
      for (const step of undo) step()
    },
    async remove() {
      await Promise.all(saving)
      cancelAtExit()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
