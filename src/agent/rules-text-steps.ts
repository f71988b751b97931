// Instructions that ask for a text of the page.
import { overlap } from './rules-match.ts'
import { done, type Move, type MoveContext, problem, type StepTable, simpleSteps } from './rules-steps.ts'

/** What an answer about a new page says about a query in its texts for the task. */
function textFor(query: string, answer: string): string | undefined {
  const [, lines = ''] = /^texts on the page, for your task:\n((?:- .*\n?)+)/m.exec(answer) ?? []
  const found = lines.split('\n').find(line => overlap(query, line) === 1 && !/^- (?:term|heading)\b/.test(line))
  return found?.slice(2).replace(/ ?\[ref=\w+\]/g, '')
}

/** What the page says about a query. */
function read(query: string, { phase, page, last }: MoveContext): Move {
  const text = last?.text ?? ''
  const known = phase === '' ? textFor(query, text) : undefined
  if (known !== undefined) return done(`${query}: ${known}`)
  if (phase === '') return { call: { tool: 'browser-extract', input: { query, maxChars: 1_200 } }, phase: 'act' }
  if (phase === 'act') {
    if (!/matching=[1-9]/.test(text)) return problem(`the page says nothing about "${query}".`)
    const found = text.split('\n').flatMap(line => /^\s*- (.*)$/.exec(line)?.[1]?.replace(/ ?\[ref=\w+\]/g, '') ?? [])
    const words = found.slice(0, 3).join('; ')
    // a label alone is no answer: its value is beside it
    return /^term\b/.test(words)
      ? { call: { tool: 'browser-snapshot', input: { interactiveOnly: false, maxChars: 6_000 } }, phase: 'label' }
      : done(`${query}: ${words.slice(0, 400)}`)
  }
  const shown = page.fresh.flatMap(each => each.text || each.name || [])
  const at = shown.findIndex(words => overlap(query, words) === 1)
  return at < 0 || shown[at + 1] === undefined ? problem(`the page gives no value for "${query}".`) : done(`${query}: ${shown[at + 1]}`)
}

const readingWord = /^text /

export const textSteps: StepTable = {
  read: context => read(context.step.query, context),

  /** A control, or a text where no control has these words. */
  find(context) {
    const { step, phase } = context
    const click = (words: string) => simpleSteps.click?.({ ...context, step: { ...step, kind: 'click' }, phase: words }) as Move
    const isReading = readingWord.test(phase)
    const move = isReading ? undefined : click(phase)
    // the look found no control
    if (move && !(phase === 'look' && isScroll(move))) return move
    const text = read(step.name, { ...context, phase: isReading ? phase.replace(readingWord, '') : '' })
    if ('call' in text) return { ...text, phase: `text ${text.phase}` }
    return 'problem' in text ? click('look') : text
  },
}

/** Whether a search for a control goes on further down. */
const isScroll = (move: Move): boolean => 'call' in move && move.phase.startsWith('scroll')
