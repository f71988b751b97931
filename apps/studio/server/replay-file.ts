import type { RunDetail } from 'pagehand/wire'
import type { Messages } from '../web/messages/en.ts'
import { outcomeWords, problemWords, summaryWords } from '../web/messages/fact-words.ts'
import { runStateWords, stepWords } from '../web/timeline/step-words.ts'

/** A step as the file shows it. */
interface ReplayStep {
  readonly words: string
  readonly effect: string
  readonly state: string
  readonly time: string
  readonly ms: number
  readonly text: string
  /** number of the picture; steps without a change share one */
  readonly picture: number
}

/**
 * A run as one HTML file that needs neither the studio nor a network: pictures, steps, and the text that the model saw, side by side, with a
 * slider. The words of pages are data in it: they are only ever shown as text.
 */
export async function replayFile(
  run: RunDetail,
  messages: Messages,
  readPicture: (name: string) => Promise<Uint8Array | undefined>,
): Promise<string> {
  const pictures: string[] = []
  const steps: ReplayStep[] = []
  for (const event of run.events) {
    const { error, state, durationMs: ms = 0, text = '', frame } = event
    const bytes = frame === undefined ? undefined : await readPicture(frame)
    const mime = frame?.endsWith('.png') ? 'image/png' : 'image/jpeg'
    const picture = bytes && `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
    if (picture && pictures.at(-1) !== picture) pictures.push(picture)
    const { verb, target = '' } = stepWords(event, messages)
    const effect = error ? problemWords(error, messages) : outcomeWords(event, messages)
    const words = [verb, target].filter(Boolean).join(' ')
    steps.push({ words, effect, state, time: messages.time.ms(ms), ms, text, picture: pictures.length - 1 })
  }
  const { goal, startedAt } = run
  const summary = summaryWords(run, messages) ?? ''
  const data = { goal, summary, state: runStateWords(run, messages), startedAt, steps, pictures, words: pageWords(messages, steps.length) }
  // < as \u003c: the words of a page must not end the script
  return page.replace('LANGUAGE', messages.tag).replace('DATA', () => JSON.stringify(data).replaceAll('<', '\\u003c'))
}

/** The words of the file itself. */
const pageWords = ({ replay, step }: Messages, count: number) => ({
  title: `${replay.title} – pagehand`,
  play: replay.play,
  pause: replay.pause,
  speed: replay.speed,
  position: replay.position,
  saw: step.saw,
  noText: replay.noText,
  positions: Array.from({ length: count }, (_, index) => replay.positionText(index + 1, count)),
  frames: Array.from({ length: count }, (_, index) => step.frame(index + 1)),
})

const page = `<!doctype html>
<html lang="LANGUAGE">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>pagehand</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#1c2321, #e6edea); --soft: light-dark(#59635f, #9aa8a3); --line: light-dark(#dde3e0, #2c3532); --card: light-dark(#fff, #171d1b); --back: light-dark(#f2f4f3, #0f1412); --accent: light-dark(#00766c, #5fd3c4); --mark: light-dark(#d9f2ee, #173430); --bad: light-dark(#b3261e, #ff8a80) }
* { box-sizing: border-box } body { margin: 0; height: 100vh; display: grid; grid-template: auto 1fr auto / 1fr min(26rem, 40vw); font: 14px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--back) }
header { grid-column: 1 / -1; background: var(--card); border-bottom: 1px solid var(--line); padding: 12px 16px } h1 { margin: 0; font-size: 16px } header p { margin: 2px 0 0; color: var(--soft) }
#stage { display: grid; place-items: center; padding: 16px; min-height: 0; min-width: 0 } #stage img { max-width: 100%; max-height: 100%; border: 1px solid var(--line); border-radius: 8px; min-height: 0; object-fit: contain }
aside { background: var(--card); border-left: 1px solid var(--line); display: grid; grid-template-rows: 1fr auto; min-height: 0 } ol { list-style: none; margin: 0; padding: 0; overflow: auto }
li button { all: unset; box-sizing: border-box; width: 100%; display: grid; grid-template-columns: 2rem 1fr auto; gap: 2px 8px; padding: 8px 14px; border-bottom: 1px solid var(--line); cursor: pointer } li button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
li[aria-current] button { background: var(--mark) } .n, .ms, .effect { color: var(--soft); font-size: 12px } .effect { grid-column: 2 / -1; overflow: hidden; text-overflow: ellipsis } .failed .effect, .denied .effect { color: var(--bad) }
pre { margin: 0; padding: 12px 14px; border-top: 1px solid var(--line); max-height: 32vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace }
footer { grid-column: 1 / -1; display: flex; gap: 12px; align-items: center; background: var(--card); border-top: 1px solid var(--line); padding: 10px 16px } footer input { flex: 1; accent-color: var(--accent) } footer button, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: 6px 12px }
@media (max-width: 720px) { body { grid-template: auto auto 1fr auto / 1fr } aside { border-left: 0; border-top: 1px solid var(--line) } }
</style>
</head>
<body>
<header><h1></h1><p></p></header>
<div id="stage"><img alt="" hidden></div>
<aside><ol></ol><pre tabindex="0"></pre></aside>
<footer><button type="button" id="play"></button><input type="range" min="0" value="0"><output></output><select><option value="0.5">0.5×</option><option value="1" selected>1×</option><option value="2">2×</option><option value="4">4×</option></select></footer>
<script>
const { goal, summary, state, startedAt, steps, pictures, words } = DATA
const find = selector => document.querySelector(selector)
find('h1').textContent = goal
document.title = words.title
find('header p').textContent = [state, new Date(startedAt).toLocaleString(document.documentElement.lang), summary].filter(Boolean).join(' · ')
const [slider, image, list, play] = [find('input'), find('img'), find('ol'), find('#play')]
slider.max = steps.length - 1
slider.ariaLabel = words.position
find('select').ariaLabel = words.speed
find('pre').ariaLabel = words.saw
const span = (name, text) => Object.assign(document.createElement('span'), { className: name, textContent: text })
const rows = steps.map((step, index) => {
  const [row, button] = [document.createElement('li'), document.createElement('button')]
  row.className = step.state
  button.append(span('n', index + 1), span('words', step.words), span('ms', step.time), span('effect', step.effect))
  button.onclick = () => show(index)
  row.append(button)
  list.append(row)
  return row
})
const show = index => {
  const step = steps[index]
  if (!step) return
  slider.value = index
  rows.forEach((row, each) => row.toggleAttribute('aria-current', each === index))
  rows[index].scrollIntoView({ block: 'nearest' })
  image.hidden = step.picture < 0
  if (step.picture >= 0) image.src = pictures[step.picture]
  image.alt = words.frames[index]
  find('pre').textContent = step.text || words.noText
  find('output').textContent = words.positions[index]
}
slider.oninput = () => show(Number(slider.value))
let timer
const stop = () => { clearTimeout(timer); timer = undefined; play.textContent = words.play }
const next = () => {
  const index = Number(slider.value) + 1
  if (index >= steps.length) return stop()
  timer = setTimeout(() => { show(index); next() }, Math.min(2500, Math.max(500, steps[index].ms)) / Number(find('select').value))
}
play.onclick = () => {
  if (timer) return stop()
  if (Number(slider.value) === steps.length - 1) show(0)
  play.textContent = words.pause
  next()
}
stop()
show(0)
</script>
</body>
</html>
`
