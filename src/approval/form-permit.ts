import type { Explanation } from './explain.ts'

/** A form that a person has approved. */
export interface FormPermit {
  readonly whole: Explanation
  readonly approval: string
}

/** Whether an answer about a form is one about this part of it. */
export const covers = (form: Explanation, part: Explanation): boolean =>
  part.asks.every(each => form.asks.includes(each)) &&
  part.origin === form.origin &&
  part.url.replace(/#.*$/s, '') === form.url.replace(/#.*$/s, '') &&
  (part.destination === undefined || part.destination === form.destination)
