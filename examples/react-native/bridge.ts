// react-native-webview can inject a string, and hears what the page posts; together that is evaluate.
import { createSeal } from 'pagehand'
import type { Evaluate } from '../loop.ts'

export interface Bridge {
  readonly evaluate: Evaluate
  /** for the onMessage of the WebView; true when the message was an answer to us */
  onMessage(event: { readonly nativeEvent: { readonly data: string } }): boolean
}

interface Answer {
  readonly id?: string
  readonly value?: string
  readonly error?: string
}

/** `injectJavaScript` is the method of the WebView's ref. A call that the page never answers, because it is gone, ends after `timeoutMs`. */
export function bridge(injectJavaScript: (source: string) => void, { timeoutMs = 10_000 } = {}): Bridge {
  const open = new Map<string, (answer: Answer) => void>()
  return {
    evaluate: expression =>
      new Promise((resolve, reject) => {
        const id = createSeal() // a page that posts messages of its own cannot guess it
        const timer = setTimeout(() => open.get(id)?.({ error: `no answer within ${timeoutMs} ms` }), timeoutMs)
        open.set(id, ({ value, error }) => {
          open.delete(id)
          clearTimeout(timer)
          if (error === undefined) resolve(value ?? '')
          else reject(new Error(error))
        })
        injectJavaScript(posting(id, expression))
      }),
    onMessage: ({ nativeEvent: { data } }) => {
      const answer = parse(data)
      const settle = open.get(answer.id ?? '')
      settle?.(answer)
      return settle !== undefined
    },
  }
}

/** The value of the last expression is nobody's: iOS warns unless it is true. */
const posting = (id: string, expression: string): string => `(function () {
  var answer = { id: ${JSON.stringify(id)} }
  try { answer.value = (0, eval)(${JSON.stringify(expression)}) } catch (error) { answer.error = String(error) }
  window.ReactNativeWebView.postMessage(JSON.stringify(answer))
})(); true`

function parse(data: string): Answer {
  try {
    const answer: unknown = JSON.parse(data)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {} // the page posts what it likes
  }
}
