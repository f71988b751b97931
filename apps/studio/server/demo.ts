import { type ApprovalPart, type BrowserEventPart, type SubAgentRunPart, studioProblems } from 'pagehand/wire'
import { en } from '../web/messages/en.ts'
import { outcomeWords, problemWords } from '../web/messages/fact-words.ts'
import { actionWords, stepWords } from '../web/timeline/step-words.ts'
import type { RunningStudio } from './index.ts'

export interface DemoOptions {
  say(text: string): void
  /** a person sits in front of the page and answers the questions of the run */
  readonly isAttended: boolean
  /** gets the link of the chat in which the demo plays */
  onStart?(link: string): void
}

/** Plays the goal of the demo in a new chat. Returns whether the shop got the order. */
export async function playDemo({ studio, demo, link }: RunningStudio, { say, isAttended, onStart }: DemoOptions): Promise<boolean> {
  if (!demo) throw new Error('this studio has no demo')
  const { id } = await studio.createChat()
  const sent = await studio.send(id, { id: `demo-${id}`, role: 'user', parts: [{ type: 'text', text: demo.goal }] })
  if (!sent.ok) throw new Error(studioProblems[sent.reason])
  // the route comes after the token; without & the link survives the shell that opens it
  onStart?.(`${link}/chat/${id}`)
  say(`Goal: ${demo.goal}\n`)
  let run: SubAgentRunPart | undefined
  const printed = new Set<number>()
  for await (const chunk of sent.stream as unknown as AsyncIterable<{ readonly type: string; readonly data?: unknown }>) {
    if (chunk.type === 'data-browser-event') printStep(chunk.data as BrowserEventPart, printed, say)
    if (chunk.type === 'data-sub-agent-run') run = chunk.data as SubAgentRunPart
    if (chunk.type === 'data-approval') {
      const { id: approval, state, classes, origin } = chunk.data as ApprovalPart
      if (state !== 'pending') continue
      const kinds = classes.map(each => en.approval.classes[each] ?? each).join(', ')
      say(`     asks: ${actionWords(chunk.data as ApprovalPart, en)} on ${origin} (${kinds})`)
      if (isAttended) continue
      say('     the demo answers: allowed once')
      await studio.decide({ id: approval, approved: true, scope: 'once' })
    }
  }
  const { usage, summary, stopReason } = run ?? {}
  say(
    `\n${summary ?? ''}\n${usage?.steps ?? 0} steps, ended: ${stopReason ?? 'unknown'}, ${usage?.characters.toLocaleString('en') ?? 0} characters read`,
  )
  if (!isAttended) await printSizes(studio, id, demo.url, say)
  return demo.orders().length > 0
}

function printStep(event: BrowserEventPart, printed: Set<number>, say: DemoOptions['say']): void {
  const { step, state, error, text, durationMs = 0 } = event
  // the text that the model read comes after the result
  if (state === 'running' || text === undefined || printed.has(step)) return
  printed.add(step)
  const { verb, target = '' } = stepWords(event, en)
  const result = error ? problemWords(error, en) : outcomeWords(event, en)
  const words = [state === 'done' ? '' : `${state}:`, verb, target].filter(Boolean).join(' ')
  say(`${String(step).padStart(3)}  ${words}  ${durationMs} ms${result && `\n     ${result}`}`)
}

/** What a model reads of the shop's front page, beside its HTML. */
async function printSizes(studio: RunningStudio['studio'], chatId: string, url: string, say: DemoOptions['say']): Promise<void> {
  const browser = await studio.browserOf(chatId)
  if (!browser) return
  await browser.session.open(url)
  const { text } = await browser.session.snapshot()
  const html = await (await fetch(url)).text()
  const count = (given: string) => given.length.toLocaleString('en')
  say(`\n${text}\n\n${count(text)} chars of text from ${count(html)} chars of HTML, ${(html.length / text.length).toFixed(1)} times less`)
}
