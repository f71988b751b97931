import { AgentBrowser } from '../dist/index.js'
import { inTab, open } from './browser.mjs'

/** the built-ins that our script calls, by what they read */
const kinds = {
  styles: ['getComputedStyle', 'getPropertyValue', 'checkVisibility'],
  boxes: ['getBoundingClientRect', 'getClientRects'],
  'hit tests': ['elementFromPoint', 'elementsFromPoint'],
  attributes: ['getAttribute', 'getAttributeNames', 'hasAttributes', 'matches'],
  tree: ['nodeName', 'nodeType', 'nodeValue', 'firstChild', 'nextSibling', 'parentNode', 'shadowRoot', 'getRootNode', 'querySelectorAll'],
}
const profiledRounds = 10

/** How often a snapshot calls the built-ins of the browser, per emitted node, and which share of its time they take. */
export async function profileOf({ browser, site }, { name, html }) {
  const script = AgentBrowser.getScript()
  const { emitted, calls } = await inTab(browser, `${counting}\n${script}`, async page => {
    await open(page, site, html)
    return page.evaluate(`(() => {
      for (const name of Object.keys(calls)) delete calls[name]
      const { stats } = JSON.parse(__agentBrowser.call('snapshot', [{ markDom: false }]))
      return { emitted: stats.nodesEmitted, calls }
    })()`)
  })
  const { elements, samples } = await inTab(browser, script, async page => {
    const elements = await open(page, site, html)
    const session = await page.context().newCDPSession(page)
    const snapshots = `for (let i = 0; i < ${profiledRounds}; i++) __agentBrowser.call('snapshot', [{ markDom: false }])`
    await page.evaluate(snapshots)
    await session.send('Profiler.enable')
    await session.send('Profiler.setSamplingInterval', { interval: 200 })
    await session.send('Profiler.start')
    await page.evaluate(snapshots)
    const { profile } = await session.send('Profiler.stop')
    return { elements, samples: selfTimes(profile) }
  })
  const total = [...samples.values()].reduce((sum, us) => sum + us, 0)
  const shareOf = names => names.reduce((sum, each) => sum + (samples.get(each) ?? 0) + (samples.get(`get ${each}`) ?? 0), 0) / total
  const shares = Object.fromEntries(Object.entries(kinds).map(([kind, names]) => [kind, shareOf(names)]))
  const garbage = (samples.get('(garbage collector)') ?? 0) / total
  const perNode = Object.fromEntries(
    Object.entries(kinds).map(([kind, names]) => [kind, names.reduce((sum, each) => sum + (calls[each] ?? 0), 0) / emitted]),
  )
  const otherScript = 1 - garbage - Object.values(shares).reduce((sum, share) => sum + share, 0)
  return { page: name, elements, emitted, perNode, shares: { ...shares, garbage, script: otherScript } }
}

function selfTimes({ nodes, samples, timeDeltas }) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]))
  const times = new Map()
  samples.forEach((id, i) => {
    const name = names.get(id)
    if (name === '(idle)' || name === '(program)') return
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i])
  })
  return times
}

/** runs before our script, which then captures the counting versions */
const counting = `globalThis.calls = {}
{
  const count = name => { calls[name] = (calls[name] ?? 0) + 1 }
  const names = ${JSON.stringify(Object.values(kinds).flat())}
  for (const owner of [globalThis, CSSStyleDeclaration.prototype, Element.prototype, Document.prototype, DocumentFragment.prototype, Range.prototype, Node.prototype])
    for (const name of names) {
      const was = Object.getOwnPropertyDescriptor(owner, name)
      if (!was) continue
      const { get, value } = was
      if (get) Object.defineProperty(owner, name, { ...was, get() { count(name); return get.call(this) } })
      else if (typeof value === 'function') Object.defineProperty(owner, name, { ...was, value(...given) { count(name); return value.apply(this, given) } })
    }
}`
