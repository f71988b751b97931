// `npm run bench:static`: the cost of a snapshot of an HTML string, compared with parsing it and with other libraries.
// PAGEHAND_HTML selects another build than dist/html.js; --write updates the tables in docs/html.md.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parse } from 'parse5'
import { hasCorpus, readCorpus } from './corpus.mjs'
import { median } from './measure.mjs'
import { openPeers } from './peers.mjs'
import { ms, percent, table, times } from './print.mjs'
import { progress } from './progress.mjs'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')
const { buildDocument, snapshot } = await import(process.env.PAGEHAND_HTML ?? '../dist/html.js')

// cheap rounds are repeated more often
const own = { warm: 2, least: 3, most: 9, patienceMs: 1_000 }
/** The time allowed for choosing and writing 200 lines, on any page. */
const smallMs = 25
const others = { warm: 1, least: 1, most: 3, patienceMs: 500 }
const works = {
  parse: html => parse(html),
  build: html => buildDocument(html),
  ours: html => snapshot(buildDocument(html)),
}

if (process.argv[2] in works) {
  const html = readFileSync(0, 'utf8')
  const start = performance.now()
  works[process.argv[2]](html)
  process.stdout.write(`${performance.now() - start}`)
  process.exit()
}
const peers = await openPeers()
const pages = hasCorpus
  ? JSON.parse(readCorpus('pages/manifest.json')).pages.map(({ file }) => page(file, readCorpus(`pages/${file}`)))
  : []
if (!hasCorpus) process.stderr.write('No corpus was found: only the generated page is measured; set PAGEHAND_CORPUS\n')
print(`Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; times are medians of alternating rounds after a warm-up.`)
// a long-running program is warmed up; the first snapshot in a new process is measured separately
const first = pages[0] && firstTimes(pages[0].html)
for (let round = 0; round < 4; round++) for (const { html } of pages) for (const work of Object.values(works)) work(html)
const timed = pages.map(timesOf)
const kept = pages.map(keptOf)
if (first) print(`The first snapshot in a new process, ${pages[0].name}: parse5 ${ms(first.parse)} ms, snapshot ${ms(first.ours)} ms.`)
if (pages.length > 0) print(pagesTable())
const growth = [0.1, 1, 10].map(growthAt)
print(growthTable())
print(hostileTable())
const targets = targetsTable()
print(targets)
// last, because some of them are slow
const speeds = pages.length > 0 ? table(['all pages, with an outline of links and controls', 'MB/s'], speedsOf(timed)) : ''
if (speeds) print(speeds)
if (process.argv.includes('--write')) write(`${targets}\n\n${speeds}`)

function write(tables) {
  if (!speeds) throw new Error('--write needs the corpus of real pages')
  const file = new URL('../docs/html.md', import.meta.url)
  const document = readFileSync(file, 'utf8')
  writeFileSync(file, document.replace(/(<!-- bench -->\n)[\s\S]*?(\n<!-- \/bench -->)/, `$1\n${tables}\n$2`))
}

function print(text) {
  progress('')
  process.stdout.write(`${text}\n\n`)
}

function page(name, html) {
  return { name, html, megabytes: Buffer.byteLength(html) / 1e6 }
}

/** The median of each work. They alternate, so that noise affects all; the first rounds only warm up. */
function inTurns(html, all, { warm, least, most, patienceMs }) {
  const taken = Object.fromEntries(Object.keys(all).map(name => [name, []]))
  const enough = performance.now() + patienceMs
  for (let round = -warm; round < least || (round < most && performance.now() < enough); round++)
    for (const name of rotate(Object.keys(all), round)) {
      const start = performance.now()
      all[name](html)
      if (round >= 0) taken[name].push(performance.now() - start)
    }
  return Object.fromEntries(Object.entries(taken).map(([name, list]) => [name, median(list)]))
}

// the order alternates, because the second runs with the garbage of the first
function rotate(names, round) {
  return round % 2 ? names.toReversed() : names
}

/** Each in a new process, so that neither profits from the other's warm-up. */
function firstTimes(html) {
  const [parse, ours] = ['parse', 'ours'].map(work => {
    const { stdout } = spawnSync(process.execPath, [import.meta.filename, work], { input: html, encoding: 'utf8', env: process.env })
    return Number(stdout)
  })
  return { parse, ours }
}

function timesOf({ name, html, megabytes }) {
  progress(name)
  return { name, html, megabytes, ...inTurns(html, works, own) }
}

/** heap that a document keeps once it was looked at, against that of the tree alone */
function keptOf({ name, html }) {
  const tree = heapOf(() => works.parse(html))
  const document = heapOf(() => {
    const made = buildDocument(html)
    snapshot(made)
    return made
  })
  return { name, tree, document }
}

function heapOf(make) {
  gc()
  const before = process.memoryUsage().heapUsed
  const held = make()
  gc()
  gc()
  const after = process.memoryUsage().heapUsed
  return held ? after - before : 0
}

function growthAt(megabytes) {
  progress(`${megabytes} MB`)
  const html = generated(megabytes * 1e6)
  const taken = inTurns(html, works, own)
  return { megabytes: html.length / 1e6, ...taken }
}

function generated(chars) {
  const row = i =>
    `<li class="row r${i % 7}" id="row-${i}"><h3>Article ${i}</h3><p>Some words about <b>article ${i}</b>, and a few more.</p>` +
    `<a href="/articles/${i}">Read article ${i}</a> <label>Amount <input type="number" name="n${i}" value="1"></label>` +
    `<button type="button">Add ${i}</button></li>\n`
  const rows = []
  for (let length = 0, i = 0; length < chars; i++) length += rows[rows.push(row(i)) - 1].length
  return `<!doctype html><title>Rows</title><main><ul>${rows.join('')}</ul></main>`
}

function speedsOf(measured) {
  const whole = sum(measured.map(({ megabytes }) => megabytes))
  const rate = total => (whole / total) * 1_000
  const first = [
    ['parse5, the tree alone', `${rate(sum(measured.map(each => each.parse))).toFixed(1)}`],
    ['pagehand, snapshot', `${rate(sum(measured.map(each => each.ours))).toFixed(1)}`],
  ]
  return [...first, ...peers.map(peer => [peer.name, peer.work ? rate(peerTime(peer, measured)).toFixed(1) : peer.reason])]
}

function peerTime({ name, work }, measured) {
  progress(name)
  return sum(measured.map(({ html }) => inTurns(html, { work }, others).work))
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}

function pagesTable() {
  const rows = timed.map(({ name, megabytes, parse, build, ours }, i) => [
    name,
    megabytes.toFixed(2),
    ms(parse),
    ms(build),
    ms(ours),
    times(ours / parse),
    `${(kept[i].tree / 1e6).toFixed(1)}`,
    times(kept[i].document / kept[i].tree),
  ])
  return table(['page', 'MB', 'parse5 ms', 'build ms', 'snapshot ms', 'snapshot/parse', 'tree MB', 'kept/tree'], rows)
}

function growthTable() {
  const rows = growth.map(({ megabytes, parse, ours }) => [
    `${megabytes.toFixed(1)} MB`,
    ms(parse / megabytes),
    ms(ours / megabytes),
    times(ours / parse),
  ])
  return table(['generated page', 'parse5 ms/MB', 'snapshot ms/MB', 'snapshot/parse'], rows)
}

/** Pathological input. The limit is twice the parse plus a small constant. */
function hostileTable() {
  const inputs = {
    '100,000 nested elements': `${'<div>'.repeat(100_000)}<a href=#>deep</a>`,
    '100,000 nested links': '<a href=#><b>'.repeat(50_000),
    'a million attributes': `<a href=# ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}`).join(' ')}>x</a>`,
    '600 KB in one line': `<p>${'word '.repeat(120_000)}<a href=#>x</a>`,
    '50,000 labels in each other': `${'<label>'.repeat(50_000)}<input>`,
    '20,000 cells and a comment': `<table><tr><!-- -->${'<th>x'.repeat(20_000)}</table>`,
    '20,000 checked radios': `<form>${'<input type=radio name=g checked>'.repeat(20_000)}</form>`,
    '2,000 rules of ancestors': `<style>${'.a .b{display:none}'.repeat(2_000)}</style>${'<p class="b">x'.repeat(20_000)}`,
    '2,000 rules for 20,000 lists of classes': `<style>${'.a .b.c{display:none}'.repeat(2_000)}</style>${Array.from({ length: 20_000 }, (_, i) => `<p class="b u${i}">x`).join('')}`,
    '2,000 rules for 20,000 elements': `<style>${'.a .b.c{display:none}'.repeat(2_000)}</style>${'<p class="a b">x'.repeat(20_000)}`,
    'a style sheet that never ends': `<style>${'@media{'.repeat(50_000)}</style><a href=#>x</a>`,
  }
  const rows = Object.entries(inputs).map(([name, html]) => {
    progress(name)
    const { parse, ours } = inTurns(html, works, { ...own, warm: 5 })
    return [name, ms(parse), ms(ours), times(ours / parse), ours <= 2 * parse + smallMs ? 'ok' : 'MISSED']
  })
  return table(['hostile input', 'parse5 ms', 'snapshot ms', 'snapshot/parse', `<= 2x + ${smallMs} ms`], rows)
}

function targetsTable() {
  const [, middle, large] = growth
  const judged = [atMost(1.3, large.ours / large.megabytes / (middle.ours / middle.megabytes), 'time per MB, 10 MB relative to 1 MB')]
  if (pages.length > 0)
    judged.unshift(
      atMost(1.5, median(timed.map(({ parse, ours }) => ours / parse)), 'snapshot relative to parse, median of pages'),
      atMost(2, median(kept.map(({ tree, document }) => document / tree)), 'heap kept relative to the tree alone, median of pages'),
      [
        'share of time that is not parsing, all pages',
        '',
        percent(1 - sum(timed.map(({ parse }) => parse)) / sum(timed.map(({ ours }) => ours))),
        '',
      ],
    )
  return table(['target', 'limit', 'measured', 'verdict'], judged)
}

function atMost(bound, got, what) {
  return [what, `<= ${times(bound)}`, times(got), got <= bound ? 'ok' : 'MISSED']
}
