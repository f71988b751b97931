import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface PostgresServer {
  /** URL of its database `postgres` */
  readonly url: string
  /** Starts it again after `stop`, on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** Where the programs of a PostgreSQL installation are; undefined if there is none. */
export async function findPostgres(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map(version => `/usr/lib/postgresql/${version}/bin`)
  const configured = await execute('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  )
  // the programs of a client are no server
  return [...folders, ...configured].find(folder => existsSync(join(folder, 'initdb')))
}

/** Starts a PostgreSQL server with data of its own on a free port of the loopback interface. @param programs from `findPostgres` */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const owner = await serverUser()
  // the temporary folder of the tests is private, and PostgreSQL never runs as root
  const folder = await mkdtemp(join(owner ? '/tmp' : tmpdir(), 'pagehand-postgres-'))
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (owner) for (const each of [folder, data]) await chown(each, owner.uid, owner.gid)
  await execute(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N', '--locale=C'], {
    ...owner,
    cwd: folder,
  })
  const port = await freePort()
  let running: ChildProcess | undefined
  const start = async () => {
    const words = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F']
    running = spawn(join(programs, 'postgres'), words, { ...owner, cwd: folder, stdio: 'ignore' })
    const server = running
    while (server.exitCode === null && !(await isReady(programs, port))) {}
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
  }
  const stop = async () => {
    const ended = new Promise(resolve => running?.once('exit', resolve))
    // fast shutdown: it ends the connections of its clients
    if (running?.kill('SIGINT')) await ended
    running = undefined
  }
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
async function serverUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async flag => Number((await execute('id', [flag, 'postgres'])).stdout)))
  return uid !== undefined && gid !== undefined ? { uid, gid } : undefined
}

const isReady = (programs: string, port: number): Promise<boolean> =>
  execute(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).then(
    () => true,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
