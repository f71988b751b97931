import { expect, test, vi } from 'vitest'
import { channels } from '../../apps/desktop/channels.ts'
import type { Desktop } from '../../apps/desktop/main/desktop.ts'
import { handleCalls } from '../../apps/desktop/main/ipc.ts'
import type { IpcSender } from '../../apps/desktop/main/ports.ts'

const studio = new URL('http://127.0.0.1:4000/#token=x')
const trusted: IpcSender = { isStudioView: true, isMainFrame: true, origin: 'http://127.0.0.1:4000' }
const command = { sessionId: 's', commandId: 'c', tabId: 't1', viewKey: 'v', cdpTargetId: 'A', command: { name: 'snapshot' } }
const valid: { readonly [channel: string]: unknown[] } = {
  openBrowser: ['chat'],
  runBrowserCommand: [command],
  setAgentWorking: ['chat', true],
  closeBrowser: ['chat'],
  placeBrowser: ['chat', { x: 1, y: 2, width: 3, height: 4 }],
  openLive: ['connection', 'chat'],
  sendLive: ['connection', { type: 'take' }],
  closeLive: ['connection'],
}

/** Calls of the app that got through. */
function open() {
  const reached: string[] = []
  const desktop = new Proxy({} as Desktop, {
    get: (_, name) => async () => {
      reached.push(String(name))
      return { shared: undefined }
    },
  })
  const listeners = new Map<string, (sender: IpcSender, ...given: unknown[]) => unknown>()
  const send = vi.fn()
  handleCalls({ ipc: { handle: (channel, listener) => listeners.set(channel, listener), send }, desktop, studio })
  const call = async (channel: string, sender: IpcSender, given: unknown[]) => listeners.get(channel)?.(sender, ...given)
  return { reached, listeners, call }
}

test('every message is refused unless the page of the studio sent it, from its own frame and its own origin (S3-11 TRUST D1)', async ({
  task,
}) => {
  const { listeners, call, reached } = open()
  const { live, ...toApp } = channels
  expect([...listeners.keys()].sort()).toEqual(Object.values(toApp).sort())
  expect(Object.keys(valid).sort()).toEqual(Object.keys(toApp).sort())
  expect(listeners.has(live)).toBe(false)
  const strangers: Partial<IpcSender>[] = [
    { isStudioView: false },
    { isMainFrame: false },
    { origin: '' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:4001' },
    { origin: 'https://127.0.0.1:4000' },
    { origin: 'http://127.0.0.1:4000.example.com' },
    { origin: 'file://' },
  ]
  task.meta.tries = strangers.length * listeners.size
  for (const channel of listeners.keys())
    for (const change of strangers)
      await expect(call(channel, { ...trusted, ...change }, valid[channel] ?? [])).rejects.toThrow('is for the page of the studio')
  expect(reached).toEqual([])
})

test('arguments that do not match are refused before anything happens', async () => {
  const { call, reached } = open()
  const wrong: [string, unknown[]][] = [
    ['openBrowser', []],
    ['openBrowser', ['']],
    ['openBrowser', [{ toString: 'chat' }]],
    ['openBrowser', ['chat', 'more']],
    ['runBrowserCommand', [{ ...command, cdpTargetId: '' }]],
    ['runBrowserCommand', [{ ...command, extra: 1 }]],
    ['runBrowserCommand', [{ ...command, command: 'click' }]],
    ['placeBrowser', ['chat', { x: Number.NaN, y: 0, width: 1, height: 1 }]],
    ['placeBrowser', ['chat', { x: 0, y: 0, width: -1, height: 1 }]],
    ['setAgentWorking', ['chat', 'yes']],
  ]
  for (const [channel, given] of wrong) await expect(call(channel, trusted, given), `${channel} ${JSON.stringify(given)}`).rejects.toThrow()
  expect(reached).toEqual([])
  for (const channel of ['openBrowser', 'runBrowserCommand', 'placeBrowser']) await call(channel, trusted, valid[channel] ?? [])
  expect(reached).toEqual(['openBrowser', 'runBrowserCommand', 'placeBrowser'])
})
