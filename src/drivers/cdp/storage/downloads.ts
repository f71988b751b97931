import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type BrowserConnection, contextOf } from '../browser/acquire.ts'
import { quote } from '../cut.ts'

export interface DownloadRules {
  /** where files are put; nothing is ever written outside of it */
  readonly folder: string
  readonly maxFiles?: number
  readonly maxBytes?: number
}

export interface Download {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

export interface Downloads {
  readonly done: readonly Download[]
  end(): void
}

interface Watching {
  /** undefined refuses every download */
  readonly rules: DownloadRules | undefined
  /** whether a frame belongs to this session */
  isOurs(frameId: string): boolean
  note(text: string): void
}

/** Downloads are refused, or land in one folder under a name that cannot lead out of it, so many and so large (B5). */
export async function watchDownloads(ground: BrowserConnection, { rules, isOurs, note }: Watching): Promise<Downloads> {
  const { connection: port, kind } = ground
  const done: Download[] = []
  // in somebody's own browser, or another program's window, downloads go on as their owner has set them
  if (kind === 'attached' || kind === 'page') return { done, end() {} }
  const { maxFiles = 20, maxBytes = 100 * 2 ** 20 } = rules ?? {}
  const running = new Map<string, { readonly name: string; told?: true }>()
  let bytesDone = 0
  let begun = 0

  const cancel = (guid: string, why: string) => {
    const download = running.get(guid)
    if (!download || download.told) return
    download.told = true
    note(`The download of ${quote(download.name)} was stopped: ${why}.`)
    port.send('Browser.cancelDownload', { guid, ...contextOf(ground) }).catch(() => {}) // it may have ended meanwhile
  }
  const finish = async (guid: string, bytes: number) => {
    const download = running.get(guid)
    running.delete(guid)
    if (!download || !rules) return
    const from = join(rules.folder, guid)
    if (download.told) return rm(from, { force: true })
    bytesDone += bytes
    const name = freeName(download.name, done)
    const path = join(rules.folder, name)
    await rename(from, path)
    done.push({ name, path, bytes })
    note(`Downloaded ${quote(name)} (${bytes} bytes).`)
  }

  if (rules) await mkdir(rules.folder, { recursive: true })
  await port.send('Browser.setDownloadBehavior', {
    // under a name of the browser's own first: what the server calls it is only a wish
    ...(rules ? { behavior: 'allowAndName', downloadPath: rules.folder } : { behavior: 'deny' }),
    ...contextOf(ground),
    eventsEnabled: true,
  })
  const undo = [
    port.on('Browser.downloadWillBegin', ({ frameId, guid, suggestedFilename }) => {
      if (!isOurs(frameId)) return
      running.set(guid, { name: safeName(suggestedFilename) })
      if (!rules) cancel(guid, 'downloads are switched off here')
      else if (++begun > maxFiles) cancel(guid, `${maxFiles} files are the most`)
    }),
    port.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
      if (!running.has(guid)) return
      if (rules && bytesDone + Math.max(receivedBytes, totalBytes) > maxBytes) cancel(guid, `${maxBytes} bytes are the most`)
      if (state === 'completed') finish(guid, receivedBytes).catch((error: Error) => note(`A download was lost: ${error.message}.`))
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

/** no path, no hidden file, no character that a shell or a system could mind */
const safeName = (suggested: string): string =>
  basename(suggested.replaceAll('\\', '/'))
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-100) || 'download'

function freeName(name: string, taken: readonly Download[]): string {
  const extension = extname(name)
  let free = name
  for (let n = 2; taken.some(each => each.name === free); n++) free = `${basename(name, extension)} (${n})${extension}`
  return free
}
