import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBrowser } from '../../../src/browser.ts'
import { bundleProgram, startProgram } from '../../support/child-program.ts'

const program = `
  import { openSession } from './src/browser.ts'
  import { createServer } from 'node:http'
  const html = '<button>Press</button><a href="/next">Next</a><input aria-label=Name><select aria-label=Size><option>S<option>M</select>'
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html)).listen(0, '127.0.0.1')
  await new Promise(done => server.once('listening', done))
  const session = await openSession()
  await session.open('http://127.0.0.1:' + server.address().port)
  const { refs } = await session.snapshot()
  const [button, link, input, select] = refs
  await session.hover({ ref: button })
  await session.click({ ref: button })
  await session.fill({ ref: input, value: 'a' })
  await session.press({ key: 'Tab' })
  await session.select({ ref: select, values: ['M'] })
  await session.screenshot()
  await session.wait({ text: 'Press' })
  await session.click({ ref: link })
  await session.close()
  server.closeAllConnections()
  server.close()
  setImmediate(() => console.log(process.getActiveResourcesInfo().join()))`

test('nothing of a closed session keeps its process alive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pagehand-exit-'))
  try {
    // @sparticuz/chromium cannot be resolved from the folder of the bundle
    const { executablePath, libraryPath } = await findBrowser()
    const env = {
      ...process.env,
      PAGEHAND_HOME: folder,
      PAGEHAND_CHROME: executablePath,
      ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
    }
    const { line, exit } = startProgram(await bundleProgram(program, folder), [], env)
    expect(await line).not.toContain('Timeout')
    expect(await exit).toBe(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
