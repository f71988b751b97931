// A web page that holds another page in a frame of its own origin, and lets a model act in it.
import { type Choose, type Evaluate, look, turn } from '../loop.ts'

const frame = document.querySelector('iframe') as HTMLIFrameElement
const log = document.querySelector('pre') as HTMLPreElement

const evaluate: Evaluate = async expression => {
  const inside = frame.contentWindow as (Window & { eval(source: string): string }) | null
  return inside ? inside.eval(expression) : ''
}

/** for whoever plays the model: the console, or a call to a server of yours */
Object.assign(window, {
  look: () => look(evaluate),
  turn: async (choose: Choose) => {
    const { result, after } = await turn(evaluate, choose)
    log.textContent += `${result.ok ? 'ok' : result.error.code} ${result.action} ${result.ref}\n`
    return after
  },
})
