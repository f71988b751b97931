import { expect, test } from 'vitest'
import type { LiveFrame, NamedSecret } from '../../../src/browser.ts'
import { openTestSession, type TestSession } from '../../support/test-session.ts'

// What could show a secret is written in red, which is nowhere else on these pages: a picture with red pixels shows it.
const secret = 'Zq7-Tiger-9Fx!'
const style =
  '<!doctype html><meta charset=utf-8><title>Live</title><style>body{margin:8px}input,textarea,p,[contenteditable]{font:bold 40px monospace;color:red;border:1px solid;border-color:gray;outline:none;caret-color:black;height:60px}input[type=password]{color:black}</style>'
const page = (body: string) => style + body

interface Case {
  readonly html: string
  readonly files?: Readonly<Record<string, string>>
  work(opened: TestSession): Promise<void>
}

const field = async (opened: TestSession) => (await opened.nodes()).find(({ name }) => name === 'F')?.ref ?? 'e0'
const fillSecret = async (opened: TestSession) => void (await opened.do('fill', { ref: await field(opened), value: '{{secret:KEY}}' }))
const fillAndShow = async (opened: TestSession) => {
  await fillSecret(opened)
  await opened.do('click', { ref: await opened.ref('button "Show"') })
}
const tall = '<div style="height:2000px"></div>'
const shownPassword = `<input type=password aria-label=F><button onclick="const f=document.querySelector('input');f.type=f.type==='text'?'password':'text'">Show</button>`
const echo = "addEventListener('input', event => { const { value } = event.target;"

const cases: Readonly<Record<string, Case>> = {
  'a password that a button shows': { html: shownPassword, work: fillAndShow },
  'a password that is shown, hidden and shown again': {
    html: shownPassword,
    work: async opened => {
      await fillAndShow(opened)
      for (let times = 0; times < 4; times++) await opened.do('click', { ref: await opened.ref('button "Show"') })
    },
  },
  'a named secret in a text field': { html: '<input aria-label=F>', work: fillSecret },
  'a text area': { html: '<textarea aria-label=F></textarea>', work: fillSecret },
  'an editor': { html: '<div contenteditable role=textbox aria-label=F></div>', work: fillSecret },
  'a frame': { html: '<iframe src=inner.html></iframe>', files: { 'inner.html': page('<input aria-label=F>') }, work: fillSecret },
  'a frame of another origin': {
    html: '<iframe></iframe><script>document.querySelector("iframe").src = location.href.replace("127.0.0.1", "localhost") + "inner.html"</script>',
    files: { 'inner.html': page('<input aria-label=F>') },
    work: fillSecret,
  },
  'a text and a field of the next document': {
    html: `<input aria-label=F><a href=next.html>Next</a><script>${echo}localStorage.x = value})</script>`,
    files: {
      'next.html': page(
        '<a href=next.html>Again</a><input id=copy><p></p><script>copy.value = localStorage.x; document.querySelector("p").textContent = "It is " + localStorage.x</script><iframe src=inner.html></iframe>',
      ),
      'inner.html': page('<input id=copy><p></p><script>document.querySelector("p").textContent = copy.value = localStorage.x</script>'),
    },
    work: async opened => {
      await fillSecret(opened)
      await opened.do('click', { ref: await opened.ref('link "Next"') })
      await opened.do('click', { ref: await opened.ref('link "Again"') })
      await opened.do('back')
    },
  },
  scrolling: {
    html: `${tall}<input aria-label=F>${tall}`,
    work: async opened => {
      await fillSecret(opened)
      for (const direction of ['up', 'down', 'up'] as const) await opened.do('scroll', { direction })
      await opened.session.live().mouse({ kind: 'wheel', x: 300, y: 300, deltaX: 0, deltaY: 150, modifiers: 0 })
    },
  },
  'typing by the model, character by character': {
    html: shownPassword,
    work: async opened => {
      await opened.do('click', { ref: await opened.ref('button "Show"') })
      await opened.do('type', { ref: await field(opened), text: secret })
    },
  },
  'typing by a person, character by character': {
    html: shownPassword,
    work: async opened => {
      await opened.do('click', { ref: await opened.ref('button "Show"') })
      await opened.do('focus', { ref: await field(opened) })
      for (const character of secret) await opened.session.live().text(character)
    },
  },
  'a field that an animation of the style sheet moves': {
    html: '<style>@keyframes a{to{transform:translate(300px,200px) rotate(8deg)}}div{width:400px;animation:a 1s infinite alternate}</style><div><input aria-label=F></div>',
    work: fillSecret,
  },
  'a field that a script moves': {
    html: '<input aria-label=F style="position:absolute"><script>const f=document.querySelector("input");const move=t=>{f.style.left=t/5%400+"px";requestAnimationFrame(move)};move(0)</script>',
    work: fillSecret,
  },
  'a field that a script animates and removes from its place': {
    html: '<div id=a></div><input aria-label=F><div id=b></div><script>const f=document.querySelector("input");setInterval(()=>{(f.parentNode===a?b:a).append(f);f.animate([{opacity:.2},{opacity:1}],200)},100)</script>',
    work: fillSecret,
  },
  'copies that a script makes at any time': {
    html: `<input aria-label=F><input id=copy><p id=out></p><x-copy></x-copy><script>
      const inner = document.querySelector('x-copy').attachShadow({ mode: 'open' })
      ${echo}
        copy.value = value
        setTimeout(() => { out.textContent = 'It is ' + value }, 30)
        setTimeout(() => { copy.value = ''; out.textContent = '' }, 200)
        setTimeout(() => { copy.value = value; inner.innerHTML = '<b style="color:red;font-size:40px"></b>'; inner.firstChild.textContent = value }, 500)
        setTimeout(() => { const added = document.createElement('p'); added.textContent = value; document.body.append(added) }, 800)
      })</script>`,
    work: async opened => {
      await fillSecret(opened)
      await opened.do('wait', { text: '[redacted]' }).catch(() => {})
    },
  },
}

async function openWatched({ html, files = {} }: Pick<Case, 'html' | 'files'>) {
  const secrets: Record<string, NamedSecret> = {}
  const opened = await openTestSession({ html: page(html), files }, { secrets, allowEval: true })
  const origin = new URL(opened.url).origin
  secrets.KEY = { value: secret, visible: true, origins: [origin, origin.replace('127.0.0.1', 'localhost')] }
  const frames: LiveFrame[] = []
  const live = opened.session.live()
  let changedAt = ''
  live.onChange(at => {
    changedAt = at
  })
  const watcher = live.watch(frame => {
    frames.push(frame)
    queueMicrotask(() => watcher.ready())
  })
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  return {
    opened,
    frames,
    /** the picture shows everything that was done */
    upToDate: () => expect.poll(() => (frames.at(-1)?.at ?? '') >= changedAt && frames.length > 1).toBe(true),
    stop: () => watcher.stop(),
  }
}

/** The number of red pixels in each picture. */
async function redPixels(frames: readonly LiveFrame[]): Promise<readonly number[]> {
  await using reader = await openTestSession({ html: '<title>Read</title>' }, { allowEval: true })
  const js = `(async pictures => {
    const counts = []
    for (const base64 of pictures) {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      let count = 0
      for (let at = 0; at < data.length; at += 4) if (data[at] > data[at + 1] + 70 && data[at] > data[at + 2] + 70) count++
      counts.push(count)
    }
    return counts
  })(${JSON.stringify(frames.map(({ base64 }) => base64))})`
  return JSON.parse(String((await reader.do('evaluate', { js, limitChars: 100_000 })).value)) as number[]
}

test.each(Object.entries(cases))('no picture of the live view shows a secret: %s (TRUST G4)', async (_, { work, ...content }) => {
  const { opened, frames, upToDate, stop } = await openWatched(content)
  await using _opened = opened
  await work(opened)
  await upToDate()
  stop()
  const counts = await redPixels(frames)
  expect(counts).toEqual(counts.map(() => 0))
})

test('the live view shows what is no secret, in the same field and beside a secret', async () => {
  const { opened, frames, upToDate, stop } = await openWatched({ html: '<input aria-label=F><p>Words</p>' })
  await using _opened = opened
  await fillSecret(opened)
  await upToDate()
  const [withSecret = 0] = (await redPixels(frames)).slice(-1)
  expect(withSecret).toBeGreaterThan(100)
  await opened.do('open', { url: opened.url })
  await opened.do('fill', { ref: await field(opened), value: 'open words' })
  await upToDate()
  stop()
  expect((await redPixels(frames)).at(-1)).toBeGreaterThan(2 * withSecret)
})

test('a snapshot has the same text with and without a watcher', async () => {
  const html =
    '<textarea aria-label=F></textarea><div contenteditable role=textbox aria-label=Editor>Draft</div><p id=out></p><script>document.querySelector("textarea").oninput = event => { out.textContent = "Your key is " + event.target.value + " today" }</script>'
  const { opened, upToDate, stop } = await openWatched({ html })
  await using _opened = opened
  await fillSecret(opened)
  await upToDate()
  const watched = (await opened.nodes()).map(({ role, name, text, value }) => ({ role, name, text, value }))
  stop()
  await expect.poll(() => opened.do('evaluate', { js: 'document.getAnimations().length' })).toMatchObject({ value: '0' })
  const alone = (await opened.nodes()).map(({ role, name, text, value }) => ({ role, name, text, value }))
  expect(watched).toEqual(alone)
  expect(JSON.stringify(watched)).toContain('Your key is [redacted] today')
})
