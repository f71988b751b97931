import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { createPrivateFolder, temporaryFolder } from '../../../home/private-folder.ts'
import { untar } from './tar.ts'

export interface UnpackedBrowser {
  readonly executablePath: string
  /** the system libraries in the archive, for machines that lack them */
  readonly libraryPath: string
  readonly fontsFile: string
}

/** Unpacks bin/ of @sparticuz/chromium once. The folder is renamed last, so a folder with the final name is complete. */
export async function unpack({ bin, version, cache }: { bin: string; version: string; cache: string }): Promise<UnpackedBrowser> {
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    await removeUnfinished(cache)
    const unfinished = `${folder}${unfinishedMark}${process.pid}-${randomBytes(4).toString('hex')}`
    try {
      await unpackInto(unfinished, bin)
      await rename(unfinished, folder)
    } catch (error) {
      // another process was faster, and its folder is the same
      if (!existsSync(folder)) throw error
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  }
  return { executablePath: join(folder, 'chromium'), libraryPath: join(folder, 'lib'), fontsFile: join(folder, 'fonts.conf') }
}

/** $XDG_CACHE_HOME/pagehand, ~/.cache/pagehand, or a private folder in the temporary one. */
export async function cacheFolder(env: NodeJS.ProcessEnv, temporary = tmpdir()): Promise<string> {
  for (const root of [env.XDG_CACHE_HOME, env.HOME && join(env.HOME, '.cache')]) {
    // a missing home folder is not created
    if (!root || !existsSync(dirname(root))) continue
    const folder = join(root, 'pagehand')
    try {
      await mkdir(folder, { recursive: true })
      await access(folder, constants.W_OK)
      return folder
    } catch {
      /* not writable, as in many containers; try the next one */
    }
  }
  // anyone can write to the temporary folder, so another user may have put a browser there
  return createPrivateFolder(temporaryFolder({ TMPDIR: temporary }))
}

const unfinishedMark = '.unfinished-'
const brotli = promisify(brotliDecompress)

async function unpackInto(folder: string, bin: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const megabyte = 2 ** 20
  const chromium = pipeline(
    createReadStream(join(bin, 'chromium.br'), { highWaterMark: megabyte }),
    createBrotliDecompress({ chunkSize: megabyte }),
    createWriteStream(join(folder, 'chromium'), { mode: 0o755 }),
  )
  const archives = ['al2023', 'fonts', 'swiftshader'].map(async name => {
    await untar(await brotli(await readFile(join(bin, `${name}.tar.br`))), folder)
  })
  // wait for all of them before failing, so that none writes into a folder that is being removed
  const failed = (await Promise.allSettled([chromium, ...archives])).find(result => result.status === 'rejected')
  if (failed) throw failed.reason
  await writeFile(join(folder, 'fonts.conf'), fontsConf)
}

// keeps the system fonts; the fonts.conf of the archive only knows the folders of AWS Lambda
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Removes the 200 MB that a process leaves behind if it is killed while it unpacks. */
async function removeUnfinished(cache: string): Promise<void> {
  const hour = 3_600_000
  for (const name of await readdir(cache)) {
    if (!name.includes(unfinishedMark)) continue
    const path = join(cache, name)
    // another process may remove it at the same time
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > hour) await rm(path, { recursive: true, force: true })
  }
}
