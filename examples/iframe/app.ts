// A web page that contains another page of the same origin in a frame, and lets a model operate it.
import { type Choose, type Evaluate, takeSnapshot, takeTurn } from '../loop.ts'

const frame = document.querySelector('iframe') as HTMLIFrameElement
const log = document.querySelector('pre') as HTMLPreElement

const evaluate: Evaluate = async expression => {
  const view = frame.contentWindow as (Window & { eval(source: string): string }) | null
  return view ? view.eval(expression) : ''
}

/** Called from the console, or by code that asks a model on your server. */
Object.assign(window, {
  takeSnapshot: () => takeSnapshot(evaluate),
  takeTurn: async (choose: Choose) => {
    const { result, after } = await takeTurn(evaluate, choose)
    log.textContent += `${result.ok ? 'ok' : result.error.code} ${result.action} ${result.ref}\n`
    return after
  },
})
