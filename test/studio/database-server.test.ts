import { rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStudio } from '../../apps/studio/server/index.ts'
import { openDatabase } from '../../apps/studio/server/store/database.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { studioFolder } from '../support/studio-folder.ts'

const programs = await findPostgres()
if (programs === undefined) console.warn('skipped: PostgreSQL is not installed, so its tests were not run')

describe.skipIf(programs === undefined)('a PostgreSQL server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(programs as string)
  }, 60_000)
  afterAll(() => server?.remove())

  const open = () => openDatabase({ url: server.url })
  const connect = async () => {
    const client = new Client({ connectionString: server.url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const lockHolder = `select pid from pg_locks where locktype = 'advisory' and objid = 7243391 and granted`

  test('still belongs to its studio after the server was restarted, and queries wait for it', async () => {
    const { db, isAvailable, close } = await open()
    await server.stop()
    await expect.poll(isAvailable).toBe(false)
    const waiting = db.execute(sql`select 1 as one`)
    await server.start()
    expect(await waiting).toMatchObject({ rows: [{ one: 1 }] })
    expect(isAvailable()).toBe(true)
    await expect(open()).rejects.toThrow('another studio uses this database')
    await close()
    await (await open()).close()
  })

  test('still belongs to its studio after the connection with the lock was terminated', async () => {
    const { db, close } = await open()
    const admin = await connect()
    const [before] = (await admin.query(lockHolder)).rows
    await admin.query(`select pg_terminate_backend($1)`, [before.pid])
    await expect.poll(async () => (await admin.query(lockHolder)).rows).toEqual([{ pid: expect.not.closeTo(before.pid, 0) }])
    await db.execute(sql`select 1`)
    await expect(open()).rejects.toThrow('another studio uses this database')
    await admin.end()
    await close()
  })

  test('is not used any more by a studio that lost it to another one', async () => {
    const { db, taken, close } = await open()
    const [other, admin] = [await connect(), await connect()]
    // gets the lock as soon as it is free
    const got = other.query('select pg_advisory_lock(7243391)')
    await admin.query(`select pg_terminate_backend(pid) from (${lockHolder}) holder`)
    await got
    expect((await taken).message).toContain('another studio uses this database')
    await expect(db.execute(sql`select 1`)).rejects.toMatchObject({ cause: { message: expect.stringContaining('another studio') } })
    await other.end()
    await admin.end()
    await close()
  })

  test('refuses work while the database is lost, says why, and goes on afterwards', async () => {
    const dataFolder = await studioFolder()
    const options = { dataFolder, database: server.url, webFolder: dataFolder, version: '0.0.0' }
    const studio = await startStudio(options)
    const { origin, hash } = new URL(studio.link)
    const post = (path: string, body: unknown, headers = {}) =>
      fetch(origin + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', origin, ...headers },
      })
    const login = await post('/api/auth', { token: hash.replace('#token=', '') })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const create = () => post('/api/trpc/chat.create', {}, { cookie })
    const info = async () => (await fetch(`${origin}/api/trpc/info`, { headers: { cookie } })).json()
    expect(await info()).toMatchObject({ result: { data: { database: { kind: 'postgresql', name: 'postgres' } } } })
    await server.stop()
    await expect.poll(async () => (await create()).status).toBe(503)
    expect(await (await create()).json()).toMatchObject({ error: { code: 'no_database' } })
    await server.start()
    await expect.poll(async () => (await create()).status, { timeout: 10_000 }).toBe(200)
    await expect(startStudio({ ...options, dataFolder: `${dataFolder}-2` })).rejects.toThrow('another studio uses this database')
    await studio.close()
    await rm(dataFolder, { recursive: true, force: true })
  })

  test('that cannot be reached is named in the error', async () => {
    await server.stop()
    await expect(open()).rejects.toThrow(/the database postgres on 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/)
    await server.start()
  })
})
