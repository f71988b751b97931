import { expect, test } from 'vitest'
import type { LiveFrame } from '../../../src/browser.ts'
import { openTestSession, type TestSession } from '../../support/test-session.ts'

const allowEval = true
const filled = (colour: string, more = '') =>
  `<style>html{background:${colour};height:100%}body{margin:0}input{position:fixed;left:0;top:0;width:200px;height:40px}</style>${more}`

/** Collects frames, always ready for the next one. */
function record({ session }: TestSession) {
  const frames: LiveFrame[] = []
  const watcher = session.live().watch(frame => {
    frames.push(frame)
    queueMicrotask(() => watcher.ready())
  })
  return { frames, stop: () => watcher.stop() }
}

/** The colour of a frame below its middle, read in the page. */
async function colourOf(session: TestSession, { base64 }: LiveFrame): Promise<string> {
  const js = `(async () => {
    const picture = await createImageBitmap(await (await fetch('data:image/jpeg;base64,${base64}')).blob())
    const canvas = new OffscreenCanvas(picture.width, picture.height)
    const context = canvas.getContext('2d')
    context.drawImage(picture, 0, 0)
    const [r, g, b] = context.getImageData(picture.width / 2, picture.height * 0.7, 1, 1).data
    return r > 200 && g < 80 ? 'red' : g > 90 && r < 80 ? 'green' : b > 200 && r < 80 ? 'blue' : [r, g, b].join()
  })()`
  return JSON.parse(String((await session.do('evaluate', { js })).value))
}

const newestColour = async (session: TestSession, frames: readonly LiveFrame[]): Promise<string> => {
  const last = frames.at(-1)
  return last ? colourOf(session, last) : 'no frame'
}

test('an idle page is shown at once', async () => {
  await using session = await openTestSession({ html: filled('red') }, { allowEval })
  const { frames, stop } = record(session)
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  expect(frames[0]).toMatchObject({ mime: 'image/jpeg', width: 1280, height: 720, tab: 't1' })
  expect(await colourOf(session, frames[0] as LiveFrame)).toBe('red')
  stop()
})

test('the picture follows a change, a navigation to another site, and the selected tab', async () => {
  await using session = await openTestSession({ html: filled('red'), files: { 'blue.html': filled('blue') } }, { allowEval })
  const { frames, stop } = record(session)
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  await session.do('evaluate', { js: 'document.documentElement.style.background = "green"' })
  await expect.poll(() => newestColour(session, frames)).toBe('green')
  // another site is another process
  await session.do('open', { url: `${session.url.replace('127.0.0.1', 'localhost')}blue.html` })
  await expect.poll(() => newestColour(session, frames)).toBe('blue')
  await session.do('tabs', { operation: 'new', url: session.url })
  await expect.poll(() => newestColour(session, frames)).toBe('red')
  expect(frames.at(-1)?.tab).toBe('t2')
  stop()
})

test('a watcher that is not ready gets no further pictures, and then the newest', async () => {
  await using session = await openTestSession({ html: filled('red') }, { allowEval })
  const frames: LiveFrame[] = []
  const slow = session.session.live().watch(frame => void frames.push(frame))
  const quick = record(session)
  await expect.poll(() => frames.length).toBe(1)
  for (const colour of ['blue', 'green'] as const) {
    await session.do('evaluate', { js: `document.documentElement.style.background = "${colour}"` })
    await expect.poll(() => newestColour(session, quick.frames)).toBe(colour)
  }
  expect(frames).toHaveLength(1)
  slow.ready()
  expect(frames).toHaveLength(2)
  expect(await newestColour(session, frames)).toBe('green')
  slow.stop()
  quick.stop()
})

test('after the last watcher has stopped, no picture is made', async () => {
  await using session = await openTestSession({ html: filled('red') }, { allowEval })
  const first = record(session)
  await expect.poll(() => first.frames.length).toBeGreaterThan(0)
  first.stop()
  const { length } = first.frames
  await session.do('evaluate', { js: 'document.documentElement.style.background = "blue"' })
  await session.do('screenshot')
  expect(first.frames).toHaveLength(length)
  const second = record(session)
  await expect.poll(() => newestColour(session, second.frames)).toBe('blue')
  second.stop()
})

test('mouse, keyboard and text of a person reach the page as trusted input', async () => {
  const heard = `<input><script>
    const heard = []
    for (const type of ['mousedown', 'mouseup', 'click', 'keydown', 'input', 'wheel'])
      addEventListener(type, event => heard.push([type, event.isTrusted, event.key ?? event.data ?? event.deltaY ?? event.button].join(' ')))
  </script>`
  await using session = await openTestSession({ html: filled('red', heard) }, { allowEval })
  const live = session.session.live()
  await live.mouse({ kind: 'down', x: 20, y: 20, modifiers: 0 })
  await live.mouse({ kind: 'up', x: 20, y: 20, modifiers: 0 })
  await live.key({ kind: 'down', key: 'A', code: 'KeyA', modifiers: 8 })
  await live.key({ kind: 'up', key: 'A', code: 'KeyA', modifiers: 8 })
  await live.text('你好')
  await live.mouse({ kind: 'wheel', x: 20, y: 300, deltaY: 40, modifiers: 0 })
  expect((await session.do('evaluate', { js: 'document.querySelector("input").value' })).value).toContain('A你好')
  await expect
    .poll(async () => JSON.parse(String((await session.do('evaluate', { js: 'heard' })).value)))
    .toEqual(['mousedown true 0', 'mouseup true 0', 'click true 0', 'keydown true A', 'input true A', 'input true 你好', 'wheel true 40'])
})

test('without a tab a person cannot act', async () => {
  await using session = await openTestSession({ html: filled('red') })
  await session.do('tabs', { operation: 'close' })
  await expect(session.session.live().text('x')).rejects.toMatchObject({ code: 'not_running' })
})
