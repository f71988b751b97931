import { createHash } from 'node:crypto'
import { fdatasyncSync } from 'node:fs'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { OpenDatabase } from './database.ts'
import * as schema from './schema.ts'

/** Opens the embedded database of a folder, and creates it if there is none. */
export async function openEmbedded(folder: string): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = await holdFolder(folder)
  try {
    const [{ drizzle }, { PGlite }] = await Promise.all([import('drizzle-orm/pglite'), import('@electric-sql/pglite')])
    const client = await PGlite.create({
      dataDir: join(folder, 'pg'),
      // its default keeps 128 MB of buffers and never syncs a file
      startParams: [...PGlite.defaultStartParams.filter(each => each !== '-F'), '-c', 'shared_buffers=8MB', '-c', 'wal_sync_method=fsync'],
    }).catch((error: unknown) => {
      // PGlite only says that it was aborted
      throw new Error(
        `the database in ${folder} cannot be opened (${error instanceof Error ? error.message : String(error)}). It is damaged, or was written by another version of PGlite. Move this folder away to begin with an empty one; the logs and screenshots of runs are not in it`,
      )
    })
    syncToDisk(client)
    return {
      db: drizzle(client, { schema }),
      isAvailable: () => true,
      taken: new Promise(() => {}),
      async close() {
        await client.close()
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Emscripten's file system for Node has no fsync: without this, a commit would not survive a power failure. */
function syncToDisk(client: object): void {
  const { Module } = client as { Module?: { FS?: { filesystems?: { NODEFS?: { stream_ops?: Record<string, unknown> } } } } }
  const operations = Module?.FS?.filesystems?.NODEFS?.stream_ops
  if (!operations) throw new Error('this version of PGlite cannot be made durable: the file operations are not where they were')
  operations.fsync = ({ nfd }: { readonly nfd: number }) => {
    fdatasyncSync(nfd)
    return 0
  }
}

/**
 * Two processes on one data folder lose each other's rows without an error. A listening socket is a lock that ends with its owner, however
 * that ends.
 */
async function holdFolder(folder: string): Promise<Server> {
  const real = await realpath(folder)
  const name = createHash('sha256').update(real).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\pagehand-studio-${name}`, folder)
  if (process.platform === 'linux') return listen(`\0pagehand-studio-${name}`, folder)
  // the file of a socket outlives its process, but then nobody answers
  const file = join(real, 'lock')
  if (!(await answers(file))) await rm(file, { force: true })
  return listen(file, folder)
}

async function listen(path: string, folder: string): Promise<Server> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' ? new Error(`another studio uses ${folder}; close it, or choose another folder with --data`) : error,
      ),
    )
    server.listen(path, resolve)
  })
  server.unref()
  return server
}

const answers = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
