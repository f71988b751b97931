import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { connectWebSocket } from '../../../src/drivers/cdp/connection/websocket.ts'
import { openTarget } from '../../../src/drivers/cdp/page/target.ts'
import type { Engine } from './engine.ts'
import { startProcess } from './process.ts'

const packages = fileURLToPath(new URL('../../../engines-tests/node_modules', import.meta.url))

/** The folder of a package with a packed Chromium, such as `chromium-92`; undefined if engines-tests is not installed. */
export function findOldChromium(name: string): string | undefined {
  const folder = join(packages, name)
  return existsSync(join(folder, 'bin/chromium.br')) ? folder : undefined
}

/** A Chromium of the age of a WebView that is still in use. */
export async function openOldChromium(folder: string): Promise<Engine> {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const profile = await mkdtemp(join(tmpdir(), 'pagehand-chromium-'))
    undo.push(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
    const chromium = await startProcess(await unpacked(folder), [...flags, `--user-data-dir=${profile}`, 'about:blank'])
    undo.push(() => chromium.end())
    const [, endpoint = ''] = await chromium.waitForOutput(/DevTools listening on (ws:\/\/\S+)/)
    const connection = await connectWebSocket(endpoint)
    undo.push(() => connection.close())
    const { product } = await connection.send('Browser.getVersion')
    const tab = await openTarget(connection)
    await tab.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false })
    return {
      name: 'Chromium',
      version: product.replace(/^.*\//, ''),
      goto: url => tab.navigate(url),
      evaluate: async expression => (await tab.evaluate(expression)) as string,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--remote-debugging-port=0',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** The executable, unpacked on first use. It is renamed last, so that one with the final name is complete. */
async function unpacked(folder: string): Promise<string> {
  const executable = join(folder, 'chromium')
  if (existsSync(executable)) return executable
  const unfinished = `${executable}.${process.pid}`
  await pipeline(
    createReadStream(join(folder, 'bin/chromium.br')),
    createBrotliDecompress(),
    createWriteStream(unfinished, { mode: 0o755 }),
  )
  await rename(unfinished, executable)
  return executable
}
