import { spawn } from 'node:child_process'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { build } from 'esbuild'
import { readLog } from 'pagehand/evidence'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../apps/studio/server/store/database.ts'
import { sqlRunStore } from '../../apps/studio/server/store/run-store.ts'
import type { ApprovalRequest } from '../../src/contract/approval.ts'
import type { RunStore } from '../../src/contract/journal.ts'
import { studioFolder } from '../support/studio-folder.ts'

const request: Omit<ApprovalRequest, 'run' | 'id'> = {
  step: 1,
  actionId: 'c1.1',
  commandHash: 'x',
  command: { name: 'click' },
  classes: ['submit'],
  reasons: ['It sends a form.'],
  origin: 'https://shop.example',
  url: 'https://shop.example/',
  rule: 'allow submit on https://shop.example',
  askedAt: '2026-01-01T00:00:00.000Z',
  kind: 'action',
}
const decision = { approved: true, scope: 'once' as const, by: 'ann', at: '2026-01-01T00:00:01.000Z' }

// DATABASE_URL of a PostgreSQL server on which the tests may create tables; without it only the embedded database is tested
const servers = process.env.PAGEHAND_TEST_DATABASE_URL ? [process.env.PAGEHAND_TEST_DATABASE_URL] : []

describe.each(['embedded', ...servers])('runs in the database %s', place => {
  let folder: string
  let opened: OpenDatabase
  let store: RunStore
  const open = async () => {
    opened = await openDatabase(place === 'embedded' ? { folder: join(folder, 'database') } : { url: place })
    store = sqlRunStore(opened.db, join(folder, 'runs'))
  }
  beforeAll(async () => {
    folder = await studioFolder()
    await open()
  })
  afterAll(async () => {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('the lines of a log are chained, and events.jsonl is their exact copy', async () => {
    const journal = await store.create({ label: 'Buy tea', goal: 'Buy tea' })
    await journal.append({ type: 'agent.note', text: 'It’s – “quoted”\n' })
    const rows = (await opened.db.execute(sql`select line from run_event where run = ${journal.id} order by seq`)) as unknown as {
      rows: { line: string }[]
    }
    const copy = await readFile(join(journal.folder, 'events.jsonl'), 'utf8')
    expect(rows.rows.map(({ line }) => `${line}\n`).join('')).toBe(copy)
    expect(readLog(copy)).toMatchObject({ torn: false, events: [{ type: 'run.started', goal: 'Buy tea' }, { type: 'agent.note' }] })
    await journal.end({ text: 'done' })
    expect((await store.read(journal.id)).events.at(-1)?.type).toBe('run.ended')
    await expect(store.open(journal.id)).rejects.toThrow('has ended')
    expect((await store.list()).find(({ id }) => id === journal.id)).toMatchObject({ state: 'ended', goal: 'Buy tea' })
  })

  test('a run whose process ended is opened by the next one with everything that was committed (F8)', async () => {
    const first = await store.create({ label: 'Wait' })
    const { id, folder: at } = first
    await expect(store.open(id)).rejects.toMatchObject({ code: 'run_in_use' })
    await first.close()
    await opened.close()
    // the copy of the last line was never written
    await writeFile(join(at, 'events.jsonl'), '')
    await open()
    expect((await store.list()).find(each => each.id === id)?.state).toBe('parked')
    const journal = await store.open(id)
    expect(journal.events().map(({ type }) => type)).toEqual(['run.started', 'run.resumed'])
    expect(readLog(await readFile(join(at, 'events.jsonl'), 'utf8')).events).toHaveLength(2)
    await journal.close()
  })

  test('a request survives a restart, is decided once, and the one who waits learns it (S3-48 F9)', async () => {
    const journal = await store.create({ label: 'Ask' })
    const id = `r${place.length}x1`
    await journal.request({ ...request, run: journal.id, id })
    await journal.close()
    await opened.close()
    await open()
    expect((await store.approvals({ pending: true })).map(each => each.request.id)).toContain(id)
    const waiting = store.decision(id)
    expect(await Promise.all([store.decide(id, decision), store.decide(id, { ...decision, approved: false })])).toEqual(
      expect.arrayContaining(['decided', 'already_decided']),
    )
    expect(await waiting).toEqual(await store.decision(id))
    const resumed = await store.open(journal.id)
    expect((await resumed.approvals()).map(({ state }) => state)).not.toContain('pending')
    expect(await store.decide('unknown1', decision)).toBe('unknown')
    await resumed.close()
  })

  test('waiting for a decision ends when it is stopped', async () => {
    const journal = await store.create({ label: 'Stop' })
    const id = `r${place.length}x2`
    await journal.request({ ...request, run: journal.id, id })
    const controller = new AbortController()
    const waiting = store.decision(id, controller.signal)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await journal.close()
  })

  test('a lasting decision is listed and revoked', async () => {
    const { id } = await store.grants.add({ rule: 'allow submit on https://shop.example', scope: 'site', by: 'ann' })
    expect(await store.grants.list()).toContainEqual(expect.objectContaining({ id, scope: 'site' }))
    expect([await store.grants.revoke(id), await store.grants.revoke(id)]).toEqual([true, false])
  })

  test('belongs to one studio at a time', async () => {
    await expect(openDatabase(place === 'embedded' ? { folder: join(folder, 'database') } : { url: place })).rejects.toThrow(
      'another studio uses',
    )
  })
})

test('what is committed to the embedded database is on disk: every commit syncs', async () => {
  const data = await studioFolder()
  const folder = join(data, 'database')
  const program = fileURLToPath(new URL('../../dist/studio-dev/database.mjs', import.meta.url))
  await build({
    entryPoints: [fileURLToPath(new URL('../../apps/studio/server/store/database.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile: program,
    logLevel: 'error',
  })
  // a killed process keeps its page cache, so the calls are counted instead
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let syncs = 0
    const original = fs.fdatasyncSync
    fs.fdatasyncSync = fd => { syncs++; return original(fd) }
    syncBuiltinESMExports()
    const { openDatabase } = await import(${JSON.stringify(pathToFileURL(program).href)})
    const { sql } = await import('drizzle-orm')
    const { db } = await openDatabase({ folder: ${JSON.stringify(folder)} })
    const before = syncs
    for (let i = 0; i < 20; i++) await db.execute(sql\`insert into setting values (\${'s' + i}, '1')\`)
    console.log(syncs - before)
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, problems] = ['', '']
  child.stdout.on('data', data => (out += data))
  child.stderr.on('data', data => (problems += data))
  await new Promise(resolve => child.once('close', resolve))
  expect(Number(out), problems).toBeGreaterThanOrEqual(20)
  const { db, close } = await openDatabase({ folder })
  expect((await db.execute(sql`select count(*)::int as n from setting`)) as unknown).toMatchObject({ rows: [{ n: 20 }] })
  await close()

  // a folder that is damaged is reported in words
  await truncate(join(folder, 'pg/global/pg_control'), 10)
  await expect(openDatabase({ folder })).rejects.toThrow(/cannot be opened .*damaged.*Move this folder away/)
  await rm(data, { recursive: true, force: true })
})
