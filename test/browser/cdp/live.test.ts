import { expect, test } from 'vitest'
import type { ActionTarget, LiveFrame } from '../../../src/browser.ts'
import { crashPage } from '../../support/crash-page.ts'
import { serve } from '../../support/http-server.ts'
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

function newPromise() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
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

test('an animated page keeps moving in the picture after every navigation, to the same site and to another', async () => {
  const animated = (colour: string) =>
    `<style>@keyframes a{to{margin-left:300px}}div{width:100px;height:100px;background:${colour};animation:a 1s infinite}</style><div></div>`
  await using session = await openTestSession({ html: animated('red'), files: { 'blue.html': animated('blue') } })
  const { frames, stop } = record(session)
  const elsewhere = session.url.replace('127.0.0.1', 'localhost')
  for (const url of [`${session.url}blue.html`, elsewhere, `${elsewhere}blue.html`, session.url]) {
    await session.do('open', { url })
    const before = frames.length
    await expect.poll(() => frames.filter((frame, index) => index >= before && frame.url === url).length).toBeGreaterThan(10)
  }
  stop()
})

test('input, actions and navigations are announced, and a picture painted after each of them follows', async () => {
  await using session = await openTestSession({ html: `${filled('red')}<button style="position:fixed;top:60px">Go</button>` })
  const live = session.session.live()
  const changes: string[] = []
  const stopListening = live.onChange(at => void changes.push(at))
  const { frames, stop } = record(session)
  const isShown = () => (frames.at(-1)?.at ?? '') >= (changes.at(-1) ?? '')
  await expect.poll(() => frames.length > 0 && isShown()).toBe(true)
  const changing = {
    // a page that does not react to it paints nothing
    key: () => live.key({ kind: 'down', key: 'F2', code: 'F2', modifiers: 0 }),
    click: async () => session.do('click', { ref: await session.ref('button "Go"') }),
    navigation: () => session.do('open', { url: session.url }),
  }
  for (const [what, change] of Object.entries(changing)) {
    const before = changes.length
    await change()
    await expect.poll(() => changes.length, { message: what }).toBeGreaterThan(before)
    await expect.poll(isShown, { message: what }).toBe(true)
  }
  stopListening()
  stop()
})

test('after an action and a screenshot, the picture is one of the whole page in full size', async () => {
  await using session = await openTestSession(
    {
      html: filled(
        'red',
        '<button style="position:fixed;top:60px" onclick="document.documentElement.style.background=`green`">Go</button>',
      ),
    },
    { allowEval },
  )
  const { frames, stop } = record(session)
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  await session.do('click', { ref: await session.ref('button "Go"') })
  await session.do('screenshot')
  await expect.poll(() => newestColour(session, frames)).toBe('green')
  const widths = await Promise.all(
    frames.map(async ({ base64 }) => {
      const js = `createImageBitmap(new Blob([Uint8Array.from(atob('${base64}'), each => each.charCodeAt(0))])).then(({ width }) => width)`
      return Number((await session.do('evaluate', { js })).value)
    }),
  )
  expect(new Set(widths)).toEqual(new Set([1280]))
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

test('the target of an action is announced with its words and its place in the viewport, also in a frame and after scrolling', async () => {
  const field = '<label>Name <input style="box-sizing:content-box;width:200px;height:40px;border:1px solid;padding:2px 3px"></label>'
  const html = `<style>body{margin:0}iframe{border:0;position:absolute;left:300px;top:50px}</style><div style="height:3000px"></div>
    <button style="width:120px;height:30px" onclick="document.title='saved'">Save</button>
    <iframe srcdoc='<style>body{margin:0}</style>${field}'></iframe>`
  await using session = await openTestSession({ html })
  const targets: ActionTarget[] = []
  const stop = session.session.live().onTarget(target => void targets.push(target))
  const [save, name] = [await session.ref('button "Save"'), await session.ref('textbox "Name"')]
  await session.do('fill', { ref: name, value: 'Ada' })
  await session.do('click', { ref: save })
  await expect
    .poll(() => targets.map(({ verb, ref, role, name: words }) => [verb, ref, role, words]))
    .toEqual([
      ['fill', name, 'textbox', 'Name'],
      ['click', save, 'button', 'Save'],
    ])
  expect(targets[0]?.box).toMatchObject({ width: 208, height: 46 })
  expect(targets[0]?.box.x).toBeGreaterThan(300)
  // the button is below the first screen: its box is where the action has scrolled it to
  const { y = -1, height } = targets[1]?.box ?? {}
  expect(y).toBeGreaterThan(0)
  expect(y).toBeLessThan(720)
  expect(height).toBe(30)
  stop()
  await session.do('click', { ref: save })
  expect(targets).toHaveLength(2)
})

test('the tabs are known while a command is running, with what loads, and their notes stay for the command', async () => {
  const { promise: held, resolve: release } = newPromise()
  await using slow = await serve(async (request, response) => {
    if (request.url === '/held.css') await held
    response.setHeader('content-type', 'text/html').end('<title>Slow</title><link rel=stylesheet href=/held.css>')
  })
  await using session = await openTestSession({ html: '<title>First</title>' }, { allowEval })
  const live = session.session.live()
  const seen: string[] = []
  const read = async () => (await live.tabs()).map(({ tab, title, loading, selected }) => [tab, title, loading, selected].join(' ')).join()
  const stop = live.onTabs(async () => void seen.push(await read()))
  expect(await read()).toBe('t1 First false true')
  const opening = session.do('open', { url: slow.url })
  await expect.poll(read).toContain('true true')
  await session.session.live().tabs()
  release()
  await opening
  await expect.poll(() => seen.at(-1)).toBe('t1 Slow false true')
  await session.do('evaluate', { js: `setTimeout(() => open(${JSON.stringify(session.url)}), 500); 1` })
  await expect.poll(read).toContain('t2 First')
  // the note about the new tab is for the next command, not for whoever watches
  expect((await session.do('screenshot')).notes).toContainEqual(expect.stringContaining('Tab t2 opened'))
  stop()
})

test('that no picture can be made of a page is reported, and the next page is shown', async () => {
  await using session = await openTestSession({ html: filled('red') }, { allowEval })
  const reasons: string[] = []
  session.session.live().onFailure(reason => void reasons.push(reason))
  await crashPage(session)
  expect(await session.fails('snapshot')).toMatchObject({ code: 'page_crashed' })
  const { frames, stop } = record(session)
  await expect.poll(() => reasons).toContain('The page does not paint.')
  await session.do('open', { url: session.url })
  await expect.poll(() => newestColour(session, frames)).toBe('red')
  stop()
})
