// react-native-webview can inject a string and receives messages from the page. Together they make an evaluate function.
import { createSeal } from 'pagehand'
import type { Evaluate } from '../loop.ts'

export interface Bridge {
  readonly evaluate: Evaluate
  /** Pass it to the WebView as `onMessage`. Returns true if the message was the answer to an expression. */
  onMessage(event: { readonly nativeEvent: { readonly data: string } }): boolean
}

interface Answer {
  readonly id?: string
  readonly value?: string
  readonly error?: string
}

/** `injectJavaScript` is the method of the WebView's ref. A call fails after `timeoutMs`, for example because the page is gone. */
export function bridge(injectJavaScript: (source: string) => void, { timeoutMs = 10_000 } = {}): Bridge {
  const pending = new Map<string, (answer: Answer) => void>()
  return {
    evaluate: expression =>
      new Promise((resolve, reject) => {
        const id = createSeal() // random, so that the page cannot forge an answer
        const timer = setTimeout(() => pending.get(id)?.({ error: `The page did not answer within ${timeoutMs} ms` }), timeoutMs)
        pending.set(id, ({ value, error }) => {
          pending.delete(id)
          clearTimeout(timer)
          if (error === undefined) resolve(value ?? '')
          else reject(new Error(error))
        })
        injectJavaScript(postMessageJs(id, expression))
      }),
    onMessage: ({ nativeEvent: { data } }) => {
      const answer = parse(data)
      const settle = pending.get(answer.id ?? '')
      settle?.(answer)
      return settle !== undefined
    },
  }
}

/** The source ends with `true` because iOS warns about other values. */
const postMessageJs = (id: string, expression: string): string => `(function () {
  var answer = { id: ${JSON.stringify(id)} }
  try { answer.value = (0, eval)(${JSON.stringify(expression)}) } catch (error) { answer.error = String(error) }
  window.ReactNativeWebView.postMessage(JSON.stringify(answer))
})(); true`

function parse(data: string): Answer {
  try {
    const answer: unknown = JSON.parse(data)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {} // the page posts messages too
  }
}
