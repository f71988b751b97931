import { expect, test } from 'vitest'
import { AgentBrowser, failures } from '../../../src/index.ts'
import { openPage } from '../../support/open-page.ts'

/** What a host sees of a page that replaced one built-in before the script was injected. */
interface Outcome {
  readonly replaced: string
  /** what injecting the script or evaluating an expression threw */
  readonly threw: string
  readonly snapshot: string
  readonly click: string
  readonly clicks: number
}

/** Replaces each built-in of a holder by one that throws, each in a frame of its own, and injects the script there. */
async function outcomesOf(holders: readonly string[]): Promise<readonly Outcome[]> {
  await using page = await openPage({ html: '<!doctype html><title>test</title>' })
  const script = AgentBrowser.getScript()
  const expressions = { snapshot: AgentBrowser.snapshotJs(), click: AgentBrowser.actionJs('e1', 'click') }
  const answer = await page.evaluate<string>(`(${tryEach})(${JSON.stringify({ holders, script, expressions })})`)
  return JSON.parse(answer) as Outcome[]
}

/** runs in the page */
const tryEach = `({ holders, script, expressions }) => {
  const openFrame = () => {
    const frame = document.createElement('iframe')
    frame.style.cssText = 'position:fixed;top:0;left:0;width:600px;height:400px'
    document.body.append(frame)
    frame.contentDocument.body.innerHTML = '<button>Buy</button>'
    frame.contentWindow.clicks = 0
    frame.contentDocument.querySelector('button').onclick = frame.contentWindow.Function('clicks++')
    return frame
  }
  const sample = openFrame()
  const isUsed = key => typeof key === 'symbol' || (key !== 'eval' && key !== 'window' && key !== 'document' && script.includes(key))
  const replaced = holders.flatMap(holder => Reflect.ownKeys(sample.contentWindow.eval(holder)).filter(isUsed).map(key => [holder, key]))
  sample.remove()
  const outcomes = []
  for (const [holder, key] of replaced) {
    const frame = openFrame()
    const view = frame.contentWindow
    const owner = view.eval(holder)
    const was = Object.getOwnPropertyDescriptor(owner, key)
    const fail = view.eval('(function () { throw new Error("replaced") })')
    const isReplaceable = was && was.configurable && (typeof was.value === 'function' || (was.get && holder !== 'window'))
    if (isReplaceable) {
      Object.defineProperty(owner, key, was.get ? { ...was, get: fail } : { ...was, value: fail })
      const outcome = { replaced: holder + ' ' + String(key), threw: '', snapshot: '', click: '', clicks: 0 }
      try {
        view.eval(script)
        outcome.snapshot = view.eval(expressions.snapshot)
        outcome.click = view.eval(expressions.click)
      } catch (error) { outcome.threw = String(error) }
      outcome.clicks = view.clicks
      outcomes.push(outcome)
    }
    frame.remove()
  }
  return JSON.stringify(outcomes)
}`

const isAnswered = (code: string) => Object.hasOwn(failures, code) && code !== 'not_injected'

const language = ['Object', 'Array', 'Promise', 'Symbol', 'Map', 'Set', 'WeakMap', 'RegExp', 'Function', 'String', 'Number', 'Date']
  .map(name => `${name}.prototype`)
  .concat(['Object', 'Array', 'Reflect', 'JSON', 'Math', 'Promise', 'String', 'Number', 'Date', '[][Symbol.iterator]().__proto__'])
const ofPages = [
  'window',
  'Node.prototype',
  'Element.prototype',
  'Document.prototype',
  'HTMLElement.prototype',
  'EventTarget.prototype',
].concat(['CSSStyleDeclaration.prototype', 'HTMLInputElement.prototype', 'MutationObserver.prototype', 'Performance.prototype'])

test.each([
  ['the language', language, 100],
  ['pages', ofPages, 100],
] as const)(
  'in a page that replaced a built-in of %s before the script was injected, every answer is a response',
  async (_, holders, most) => {
    const outcomes = await outcomesOf(holders)
    expect(outcomes.length).toBeGreaterThan(most)
    expect(outcomes.filter(({ threw }) => threw)).toEqual([])
    const wrong = outcomes.filter(({ snapshot, click, clicks }) => {
      const shown = AgentBrowser.parseSnapshot(snapshot)
      const clicked = AgentBrowser.parseActionResult(click)
      if (shown.ok ? shown.meta.integrity === 'verified' : !isAnswered(shown.error.code)) return true
      if (clicked.ok) return clicks !== 1
      return !isAnswered(clicked.error.code) || (clicked.error.code === 'action_failed' && clicks > 0)
    })
    expect(wrong).toEqual([])
    const works = outcomes.filter(({ snapshot }) => AgentBrowser.parseSnapshot(snapshot).ok)
    console.log(`${works.length} of ${outcomes.length} pages are read`)
  },
)
