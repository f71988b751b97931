import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StudioMessage } from 'pagehand/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunParts } from '../../apps/studio/server/chats/agent-run.ts'
import { ChatStore } from '../../apps/studio/server/store/chat-store.ts'
import { type OpenDatabase, openDatabase } from '../../apps/studio/server/store/database.ts'
import { studioFolder } from '../support/studio-folder.ts'

const message = (id: string, text: string): StudioMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const partsOf = (runId: string, change: object = {}): RunParts => ({
  run: {
    runId,
    goal: 'Buy tea',
    state: 'running',
    usage: { steps: 0, tokens: 0, characters: 0, costUsd: 0, timeMs: 0 },
    limits: {},
    ...change,
  },
  events: [],
})

describe('the embedded database', () => {
  let data: string
  let folder: string
  let opened: OpenDatabase
  let store: ChatStore
  beforeAll(async () => {
    data = await studioFolder()
    folder = join(data, 'database')
    opened = await openDatabase({ folder })
    store = new ChatStore(opened.db)
  })
  afterAll(async () => {
    await opened.close()
    await rm(data, { recursive: true, force: true })
  })

  test('keeps messages in their order, and replaces one that is written again', async () => {
    await store.createChat('c1', 'first')
    await store.saveMessage('c1', message('m1', 'one'))
    await store.saveMessage('c1', message('m2', 'two'))
    await store.saveMessage('c1', message('m1', 'one, again'))
    expect(await store.messages('c1')).toEqual([message('m1', 'one, again'), message('m2', 'two')])
    expect(await store.messages('c2')).toEqual([])
  })

  test('finds runs by their goal, and those that have not ended', async () => {
    await store.createChat('c1', 'first')
    await store.saveRun('c1', partsOf('r1'))
    await store.saveRun('c1', partsOf('r2', { goal: '100 % wool' }))
    await store.saveRun('c1', partsOf('r1', { state: 'ended', stopReason: 'closed', summary: 'bought' }))
    expect(await store.run('r1')).toMatchObject({ state: 'ended', summary: 'bought', ended: expect.any(String) })
    expect((await store.openRuns()).map(({ id }) => id)).toEqual(['r2'])
    expect((await store.runs({ search: '% w' })).map(({ id }) => id)).toEqual(['r2'])
    expect(await store.runs({ search: '_____ ' })).toEqual([])
  })

  test('removes the messages and runs of a chat with it', async () => {
    await store.createChat('gone', 'gone')
    await store.saveMessage('gone', message('m1', 'one'))
    await store.saveRun('gone', partsOf('r3'))
    await store.removeChat('gone')
    expect(await store.messages('gone')).toEqual([])
    expect(await store.run('r3')).toBeUndefined()
  })

  test('keeps settings, and replaces those that are set again', async () => {
    await store.saveSettings({ theme: 'dark', allowedHosts: ['shop.example'] })
    await store.saveSettings({ theme: 'light' })
    expect(await store.settings()).toEqual({ theme: 'light', allowedHosts: ['shop.example'] })
  })

  test('belongs to one process at a time', async () => {
    await expect(openDatabase({ folder })).rejects.toThrow('another studio uses')
  })

  test('keeps everything after it was closed', async () => {
    await store.createChat('kept', 'kept')
    await opened.close()
    opened = await openDatabase({ folder })
    store = new ChatStore(opened.db)
    expect(await store.chat('kept')).toMatchObject({ title: 'kept' })
  })
})
