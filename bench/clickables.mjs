// `npm run bench:recall`: how many elements that react to a click have a ref, and how many refs do nothing.
// --write updates the section in docs/bench-recall.md, --only=text measures the views whose name contains it, --list names what is missed.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openSession } from '../dist/browser.js'
import { AgentBrowser } from '../dist/index.js'
import { webTools } from '../dist/tools.js'
import { inTab, openBrowser } from './browser.mjs'
import { cutAt, median } from './measure.mjs'
import { count, percent, table } from './print.mjs'
import { progress } from './progress.mjs'
import { inPlaywrightWorld } from './recall.mjs'
import { openSite } from './site.mjs'
import { atLeast, atMost } from './targets.mjs'
import { versionsOf } from './versions.mjs'
import { frameworkViews } from './views/frameworks.mjs'
import { plainViews } from './views/plain.mjs'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, write: { type: 'boolean' }, only: { type: 'string' }, list: { type: 'boolean' } },
})
const isWanted = ({ name }) => !options.only || name.includes(options.only)
const views = [...plainViews, ...(await frameworkViews())].filter(isWanted)
const refsIn = text => [...new Set(Array.from(text.matchAll(/\[ref=(\w+)[\],]/g), ([, ref]) => ref))]
const maxPages = 20
/** the refs after which something was left out */
const continuations = text => Array.from(text.matchAll(/^ *….*after=(\w+)/gm), ([, ref]) => ref)
/** refs of lines that are not a scope: a dialog, a form, a region */
const interactive = text =>
  text
    .split('\n')
    .filter(line => !/^\s*- (dialog|form|iframe|region|list|table|navigation|main|search|group|tablist)\b/.test(line))
    .flatMap(refsIn)

const site = await openSite()
const browser = await openBrowser()
const session = await openSession({ allowEval: true })
try {
  const results = []
  for (const view of views) {
    progress(view.name)
    site.show(view.html)
    const inSession = await measureSession()
    results.push({ view: view.name, session: inSession, script: await measureScript(), truth: inSession.truth })
  }
  const text = reportOf(results)
  if (options.write) await writeFile(new URL('../docs/bench-recall.md', import.meta.url), text)
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : text)
} finally {
  progress('')
  await session.close()
  await browser.close()
  site.close()
}

/** Our default text in a Chromium session, and all of the page by continuing. */
async function measureSession() {
  const run = async (name, input) => {
    const result = await session.run({ name, ...input })
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`)
    return result.data
  }
  const evaluate = async js => JSON.parse((await run('evaluate', { js, limitChars: 100_000 })).value)
  await run('open', { url: site.url })
  await evaluate('numberElements(), 0')
  const tools = webTools(session.run)
  const pages = [(await tools.execute('web_snapshot', {})).text]
  const followed = new Set()
  for (let i = 0; i < pages.length && pages.length < maxPages; i++)
    for (const after of continuations(pages[i])) {
      if (followed.has(after)) continue
      followed.add(after)
      pages.push((await tools.execute('web_snapshot', { after })).text)
    }
  const numbers = new Map()
  for (const ref of new Set(pages.flatMap(refsIn))) {
    const { value } = await run('query', { ref, kind: 'attrs', limitChars: 4_000 })
    numbers.set(ref, /"data-n":\s*"(\d+)"/.exec(typeof value === 'string' ? value : JSON.stringify(value))?.[1])
  }
  const truth = await evaluate('truthOfView()')
  const [first, all] = [refsIn(pages[0]), pages.flatMap(refsIn)].map(refs => refs.map(ref => numbers.get(ref)))
  if (options.list) await list(pages.join('\n'), new Set(first), new Set(all), truth, evaluate)
  return {
    truth,
    chars: pages[0].length,
    pages: pages.length,
    ...score(
      truth,
      first,
      all,
      interactive(pages[0]).map(ref => numbers.get(ref)),
    ),
  }
}

function score({ inView, anywhere, native }, first, all, controls = first) {
  const known = new Set([...anywhere, ...native])
  const shown = controls.filter(number => number !== undefined)
  return {
    inView: inView.filter(number => first.includes(number)).length,
    anywhere: anywhere.filter(number => all.includes(number)).length,
    refs: shown.length,
    idle: shown.filter(number => !known.has(number)).length,
  }
}

/** The injected script and Playwright's snapshot in one tab. */
function measureScript() {
  return inTab(browser, AgentBrowser.getScript(), async page => {
    await page.goto(site.url)
    await page.evaluate('numberElements()')
    const { text, refs } = AgentBrowser.renderSnapshot(await page.evaluate(AgentBrowser.snapshotJs()))
    const theirs = await page.ariaSnapshot({ mode: 'ai' })
    const elements = await inPlaywrightWorld(
      page,
      `[...document.querySelectorAll('[data-n]')].map(e => [e.getAttribute('data-n'), e.getAttribute('data-agent-ref'), e._ariaRef?.ref])`,
    )
    const truth = await page.evaluate('truthOfView()')
    const find = (list, column) => elements.filter(each => each[column] && list.includes(each[column])).map(([number]) => number)
    const [ours, cut, whole] = [find(refs, 1), find(refsIn(theirs.slice(0, cutAt)), 2), find(refsIn(theirs), 2)]
    return {
      truth,
      chars: text.length,
      ...score(truth, ours, ours, find(interactive(text), 1)),
      playwright: {
        chars: theirs.length,
        cut: truth.inView.filter(number => cut.includes(number)).length,
        whole: truth.anywhere.filter(number => whole.includes(number)).length,
      },
    }
  })
}

async function list(text, shown, everywhere, { inView, anywhere, native }, evaluate) {
  const known = new Set([...anywhere, ...native])
  const describe = numbers =>
    evaluate(`${JSON.stringify(numbers)}.map(n => document.querySelector('[data-n="' + n + '"]').outerHTML.slice(0, 120))`)
  const missed = inView.filter(number => !shown.has(number))
  const idle = [...shown].filter(number => number !== undefined && !known.has(number))
  const unreached = anywhere.filter(number => !everywhere.has(number))
  console.error(text, '\nMISSED', await describe(missed), '\nUNREACHED', await describe(unreached), '\nIDLE', await describe(idle))
}

function reportOf(results) {
  const sum = get => results.reduce((total, each) => total + get(each), 0)
  const [inView, anywhere] = [sum(({ truth }) => truth.inView.length), sum(({ truth }) => truth.anywhere.length)]
  const targets = [
    atLeast(0.97, sum(({ session }) => session.inView) / inView, { what: 'in view, session', print: percent }),
    atLeast(1, sum(({ session }) => session.anywhere) / anywhere, { what: 'whole page by continuing, session', print: percent }),
    atMost(0.03, sum(({ session }) => session.idle) / sum(({ session }) => session.refs), {
      what: 'refs that do nothing, session',
      print: percent,
    }),
    atMost(3_000, median(results.map(({ session }) => session.chars)), { what: 'characters, median', print: count }),
    atLeast(0.9, sum(({ script }) => script.inView) / inView, { what: 'in view, injected script alone', print: percent }),
    atMost(0.1, sum(({ script }) => script.idle) / sum(({ script }) => script.refs), {
      what: 'refs that do nothing, script alone',
      print: percent,
    }),
  ]
  const rows = results.map(({ view, session, script, truth }) => [
    view,
    ...[truth.inView.length, session.inView, script.inView, script.playwright.cut].map(count),
    ...[truth.anywhere.length, session.anywhere, script.playwright.whole].map(count),
    ...[session.idle, script.idle, session.chars, script.playwright.chars].map(count),
  ])
  const total = column => count(rows.reduce((all, row) => all + Number(row[column].replaceAll(',', '')), 0))
  return `# Recall of clickable elements

Generated by \`npm run bench:recall -- --write\`; do not edit. Each view is a page of an application without roles: listeners on the elements or on a container, nested controls, drawn switches, icons. An element is clickable if a handler reacts to a click on it, found by clicking everything after the snapshots were taken; it is in view if that works without scrolling. "Session" is \`web_snapshot\` with default options in Chromium, "script" is the injected script alone, "Playwright" is \`ariaSnapshot({ mode: 'ai' })\`, cut at ${count(cutAt)} characters for what is in view and uncut for the whole page. "Idle" counts refs in our text that react to nothing.

${table(
  ['target', 'limit', 'measured', 'verdict'],
  targets.map(({ what, wanted, got, verdict }) => [what, wanted, got, verdict]),
)}

${table(
  ['view', 'in view', 'session', 'script', 'Playwright', 'whole page', 'session', 'Playwright', 'idle', 'script', 'chars', 'Playwright'],
  [...rows, ['sum', ...Array.from({ length: 9 }, (_, i) => total(i + 1)), '', '']],
)}

pagehand ${versionsOf(browser).pagehand}, playwright-core ${versionsOf(browser).playwright}, Chromium ${versionsOf(browser).chromium}.
`
}
