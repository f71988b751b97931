import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'
import type { Engine } from './engine.ts'
import { findExecutable, startProcess } from './process.ts'

export const findFirefox = (): string | undefined => findExecutable('firefox-esr', 'firefox')

/** Firefox supports WebDriver BiDi natively: https://w3c.github.io/webdriver-bidi/ */
export async function openFirefox(program: string): Promise<Engine> {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const profile = await mkdtemp(join(tmpdir(), 'pagehand-firefox-'))
    undo.push(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
    const firefox = await startProcess(program, [
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port',
      '0',
      'about:blank',
    ])
    undo.push(() => firefox.end())
    const [, address] = await firefox.waitForOutput(/WebDriver BiDi listening on (ws:\/\/\S+)/)

    const socket = new WebSocket(`${address}/session`)
    undo.push(() => socket.terminate())
    await once(socket, 'open')
    const send = speaking(socket)
    const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} })
    const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' })
    await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 720 } })
    return {
      name: 'Firefox',
      version: capabilities.browserVersion,
      goto: async url => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      evaluate: async expression => {
        const answer = await send<Evaluated>('script.evaluate', { expression, target: { context }, awaitPromise: false })
        if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
        return answer.result.value ?? ''
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Evaluated =
  | { readonly type: 'success'; readonly result: { readonly type: string; readonly value?: string } }
  | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } }

interface Answer {
  readonly id?: number
  readonly type: 'success' | 'error' | 'event'
  readonly result?: unknown
  readonly error?: string
  readonly message?: string
}

function speaking(socket: WebSocket) {
  const open = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let last = 0
  socket.on('message', data => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as Answer
    const waiting = id === undefined ? undefined : open.get(id)
    if (!waiting || id === undefined) return
    open.delete(id)
    if (type === 'success') waiting.resolve(result)
    else waiting.reject(new Error(`${error}: ${message}`))
  })
  socket.on('close', () => {
    for (const { reject } of open.values()) reject(new Error('Firefox is gone'))
  })
  return <T>(method: string, params: object): Promise<T> =>
    new Promise((resolve, reject) => {
      open.set(++last, { resolve: result => resolve(result as T), reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}
