import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSession } from '../../../src/browser.ts'
import { openFor } from '../../../src/programs/open-session.ts'
import { serve } from '../../support/http-server.ts'
import { openTestSession } from '../../support/test-session.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagehand-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Records the user agent of each request. */
async function serveAgents(html: (url: string) => string) {
  const agents = new Map<string, string | undefined>()
  const server = await serve((request, response) => {
    agents.set(request.url ?? '', request.headers['user-agent'])
    const isScript = request.url?.endsWith('.js')
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? 'postMessage(navigator.userAgent)' : html(request.url ?? ''))
  })
  return Object.assign(server, { agents })
}

const mobilePage = `<title>t</title><p id=out></p><button onclick="out.textContent = 'pressed'">Press</button><input type=file>`

test('a device has its viewport, pixels, touch events and user agent, and can be operated without a meta viewport', async () => {
  await using server = await serveAgents(() => mobilePage)
  await using session = await openTestSession({}, { allowEval: true, device: 'Pixel 8' })
  await session.do('open', { url: server.url })
  const js = '[devicePixelRatio, screen.width, screen.height, navigator.maxTouchPoints, "ontouchstart" in window, navigator.platform]'
  expect((await session.do('evaluate', { js })).value).toBe('[2.625,412,839,5,true,"Linux armv81"]')
  expect(server.agents.get('/')).toMatch(/Android 10; K\).* Chrome\/(?!140\.)\d{3}\.0\.0\.0 Mobile Safari/)
  await session.do('click', { ref: await session.ref('button "Press"') })
  expect((await session.do('evaluate', { js: 'out.textContent' })).value).toBe('"pressed"')
})

test('a user agent is that of the page, its frames, its workers, its popups and their requests', async () => {
  await using server = await serveAgents(url =>
    url === '/'
      ? `<iframe src="http://localhost:PORT/frame"></iframe><script>
           addEventListener('message', event => { frame = event.data })
           var frame, worker; new Worker('/worker.js').onmessage = event => { worker = event.data }
         </script>`.replace('PORT', new URL(server.url).port)
      : '<script>top.postMessage(navigator.userAgent, "*")</script>',
  )
  const userAgent = 'Mozilla/5.0 (Test) Agent/1'
  await using session = await openTestSession({}, { allowEval: true, userAgent })
  await session.do('open', { url: server.url })
  const values = async () => (await session.do('evaluate', { js: '[navigator.userAgent, frame, worker]' })).value
  await expect.poll(values).toBe(JSON.stringify([userAgent, userAgent, userAgent]))
  await session.do('evaluate', { js: `open('/popup'); 0` })
  await expect.poll(() => server.agents.get('/popup')).toBe(userAgent)
  expect([server.agents.get('/'), server.agents.get('/frame'), server.agents.get('/worker.js')]).toEqual([userAgent, userAgent, userAgent])
})

test('the flags of a program choose the device, the user agent, and the folders of uploads', async () => {
  await using server = await serveAgents(() => mobilePage)
  const file = join(folder, 'cv.txt')
  await writeFile(file, 'x')
  const flags = { device: 'iPhone 15', window: '400x500', userAgent: 'Agent/2', allowEval: true }
  const answerOf = async (uploadRoot: readonly string[]) => {
    const opened = await openFor('test')({ ...flags, uploadRoot })
    if (!opened.ok) throw new Error(opened.error.message)
    const { run, close } = opened.data
    try {
      expect(await run({ name: 'open', url: server.url })).toMatchObject({ ok: true })
      const js = '[screen.width, screen.height, devicePixelRatio, navigator.userAgent]'
      expect(await run({ name: 'evaluate', js })).toMatchObject({ data: { value: '[400,500,3,"Agent/2"]' } })
      const looked = await run({ name: 'snapshot' })
      // the file input comes after the button
      const ref = looked.ok ? (Object.keys((looked.data as { refs: object }).refs).at(-1) ?? '') : ''
      return await run({ name: 'upload', ref, files: [file] })
    } finally {
      await close()
    }
  }
  expect(await answerOf([folder])).toMatchObject({ ok: true })
  expect(await answerOf([join(folder, 'other')])).toMatchObject({
    error: { code: 'disabled', message: expect.stringContaining('--upload-root') },
  })
})

test('an unknown device is refused with the names of the known ones', async () => {
  await expect(openSession({ device: 'Nokia' as 'iPad' })).rejects.toThrow('There is no device "Nokia". There are: iPhone SE, iPhone 15')
})
