// The sessions of frames in other processes: Chrome gives them new ids whenever the debugger is attached, and forgets what was set in them.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { RelayRequest } from '../../src/relay/protocol.ts'
import { type RelayServer, startRelay } from '../../src/relay/server.ts'
import { connectClient, connectExtension, createTab, frameTreeOf, type ScriptedExtension } from '../support/scripted-extension.ts'

const servers: RelayServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Command = Extract<RelayRequest, { readonly do: 'command' }>

/** A lent tab with the frame F1 in another process, and in it the frame F2. `answer` may answer commands in place of Chrome. */
async function start({ answer }: { answer?(command: Command): unknown } = {}) {
  const env = { PAGEHAND_HOME: mkdtempSync(join(tmpdir(), 'pagehand-relay-')) }
  // on a busy machine, the pause between two commands must not count as idle
  const server = await startRelay({ port: 0, idleMs: 200, waitMs: 1_000, env })
  servers.push(server)
  /** how often the debugger was attached: part of the session ids */
  let attachments = 0
  const frameIn = (session: string | undefined) => (session === undefined ? 'F1' : session.startsWith('F1') ? 'F2' : undefined)
  const extension: ScriptedExtension = await connectExtension(
    { port: server.port, code: server.status().code },
    {
      tabs: [createTab(1)],
      answer(request) {
        if (request.do === 'attach') attachments++
        if (request.do !== 'command') return undefined
        const { method, session } = request
        const given = answer?.(request)
        if (given !== undefined) return given
        const frame = frameIn(session)
        if (method === 'Target.setAutoAttach' && frame) {
          const params = {
            sessionId: `${frame}-${attachments}`,
            targetInfo: { targetId: frame, type: 'iframe' },
            waitingForDebugger: false,
          }
          extension.send({ on: 'event', tab: 1, ...(session && { session }), method: 'Target.attachedToTarget', params })
        }
        // enabling a domain repeats what exists
        if (method === 'Runtime.enable' && session)
          extension.send({ on: 'event', tab: 1, session, method: 'Runtime.executionContextCreated', params: {} })
        return method === 'Page.getFrameTree' && session ? frameTreeOf({ ...createTab(1), targetId: session.slice(0, 2) }) : undefined
      },
    },
  )
  await expect.poll(() => server.status().tabs).toHaveLength(1)
  const client = await connectClient(server)
  const root = (await client.send('Target.attachToTarget', { targetId: 'T1', flatten: true })).sessionId as string
  for (const session of [root, 'F1-1']) await client.send('Target.setAutoAttach', { autoAttach: true, flatten: true }, session)
  for (const session of ['F1-1', 'F2-1']) {
    await client.send('Page.getFrameTree', {}, session)
    await client.send('Runtime.enable', {}, session)
  }
  const becomesIdle = () => expect.poll(() => extension.requests.at(-1)?.do).toBe('detach')
  await becomesIdle()
  client.events.length = 0
  extension.requests.length = 0
  return { extension, client, root, becomesIdle }
}

const commandsOf = (extension: ScriptedExtension, method: string) =>
  extension.requests.flatMap(each => (each.do === 'command' && each.method === method ? [each.session] : []))

test('events of frames reach the client in their sessions, which outlive a detached debugger', async () => {
  const { extension, client, root } = await start()
  await client.send('Runtime.evaluate', {}, root)
  await client.send('Runtime.evaluate', {}, 'F1-1')
  expect(commandsOf(extension, 'Runtime.evaluate')).toEqual([undefined, 'F1-2'])
  expect(client.events).toEqual([])
  extension.send({ on: 'event', tab: 1, session: 'F1-2', method: 'Page.frameNavigated', params: { frame: { id: 'F1' } } })
  await expect.poll(() => client.events.at(-1)).toMatchObject({ method: 'Page.frameNavigated', sessionId: 'F1-1' })
})

test('a frame inside a frame keeps its session, and the first command after an idle time may be for it', async () => {
  const { extension, client } = await start()
  await client.send('Runtime.evaluate', {}, 'F2-1')
  expect(commandsOf(extension, 'Runtime.evaluate')).toEqual(['F2-2'])
  expect(client.events).toEqual([])
})

test('a frame whose state is being restored when the tab is detached again keeps its session', async () => {
  let hold: { reject(error: Error): void } | undefined
  let isSlow = false
  const { extension, client, root, becomesIdle } = await start({
    answer({ method, session }) {
      if (!isSlow || method !== 'Page.getFrameTree' || session === undefined) return undefined
      return new Promise((_, reject) => {
        hold = { reject }
      })
    },
  })
  isSlow = true
  await client.send('Runtime.evaluate', {}, root)
  await becomesIdle()
  isSlow = false
  const next = client.send('Runtime.evaluate', {}, 'F1-1')
  // Chrome fails what was pending when the debugger was detached
  hold?.reject(new Error('Detached while handling command.'))
  await next
  expect(commandsOf(extension, 'Runtime.evaluate')).toEqual([undefined, 'F1-3'])
  expect(client.events).toEqual([])
})

test('a frame that was removed while the tab was detached is reported, and its commands fail', async () => {
  let isRemoved = false
  const { extension, client, root } = await start({
    answer: ({ method, session }) => (isRemoved && method === 'Target.setAutoAttach' && session === undefined ? {} : undefined),
  })
  isRemoved = true
  await client.send('Runtime.evaluate', {}, root)
  expect(client.events).toMatchObject([
    { method: 'Target.detachedFromTarget', sessionId: 'F1-1', params: { sessionId: 'F2-1' } },
    { method: 'Target.detachedFromTarget', sessionId: root, params: { sessionId: 'F1-1' } },
  ])
  await expect(client.send('Runtime.evaluate', {}, 'F1-1')).rejects.toThrow('not found')
  expect(commandsOf(extension, 'Runtime.evaluate')).toEqual([undefined])
})

test('commands of a frame are never sent to the page around it', async () => {
  let onCommand = () => {}
  const { extension, client, root } = await start({
    answer({ method, session }) {
      if (method === 'Runtime.evaluate' && session === undefined) onCommand()
      return undefined
    },
  })
  // Chrome detaches the debugger in the middle of a command
  onCommand = () => extension.send({ on: 'detached', tab: 1 })
  await client.send('Runtime.evaluate', {}, root)
  onCommand = () => {}
  await client.send('Runtime.evaluate', {}, 'F1-1')
  expect(commandsOf(extension, 'Runtime.evaluate')).toEqual([undefined, 'F1-3'])
})
