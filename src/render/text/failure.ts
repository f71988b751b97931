import { type Failure, type PageWords, pageWordLimits } from '../../contract/failures.ts'
import { renderDefaults } from '../../contract/limits.ts'
import { textOf } from '../../contract/message.ts'
import type { Dialect } from './dialect.ts'
import { createFenceWord, fence } from './fence.ts'
import { inline, quote } from './quote.ts'

interface FailureTextOptions {
  readonly maxChars?: number
  /** the word of the fence; default: a new one */
  readonly word?: string
}

/**
 * A failure as the model reads it: the code, what happened and the next step in one line of our words. Text of the page about it is quoted
 * in a fence below, as all text of the page is (A1 A2).
 */
export function renderFailure(
  { code, message, hint, page }: Failure,
  { maxChars = renderDefaults.maxCharsTotal, word = createFenceWord() }: FailureTextOptions = {},
): string {
  const sentenceWithin = (room: number) => {
    const sentence = inline(message, Math.max(20, room - code.length - hint.length - 4))
    return inline(`${code}: ${sentence}${/[.!?…]$/.test(sentence) ? '' : '.'} ${hint}`, room)
  }
  const sentence = sentenceWithin(maxChars)
  if (!page) return sentence
  const identity = { ...(page.url !== undefined && { url: page.url }), ...(page.title !== undefined && { title: page.title }) }
  const room = maxChars - sentence.length - 1
  const fenced = fence(identity, pageWordLines(page), { word, maxChars: room })
  // in the smallest budgets the next step comes before the words of the page
  return fenced.length <= room ? `${sentence}\n${fenced}` : sentence
}

const labels: { readonly [name in keyof Omit<Required<PageWords>, 'url' | 'title'>]: string } = {
  coveredBy: 'covered by',
  option: 'option',
  options: 'options',
  value: 'holds',
  dialog: 'dialog',
  saw: 'saw',
  error: 'error',
}

function pageWordLines(page: PageWords): readonly string[] {
  return (Object.keys(labels) as (keyof typeof labels)[]).flatMap(name => {
    const value = page[name]
    if (value === undefined) return []
    const texts = typeof value === 'string' ? [value] : value
    return [`${labels[name]}: ${texts.map(text => quote(text, pageWordLimits[name])).join(', ') || 'none'}`]
  })
}

/** A failure of a driver in the words of the caller. */
export const localizeFailure = ({ parts, ...error }: Failure, { refs, hints = {} }: Dialect): Failure => ({
  ...error,
  message: parts ? inline(textOf(parts, refs.ref)) : error.message,
  hint: hints[error.code] ?? error.hint,
})
