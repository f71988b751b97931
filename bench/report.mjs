import { cutAt, leastRounds, mostRounds, patienceMs } from './measure.mjs'
import { count, ms, percent, table, times } from './print.mjs'
import { meanRecall } from './recall.mjs'

/** The figures, for a terminal. */
export function reportOf(result) {
  const parts = [targets(result), time(result), growth(result), size(result), recall(result), namesAndRoles(result), ground(result)]
  return `${parts.join('\n\n')}\n`
}

/** docs/bench.md: the same figures, and how they came about. */
export const documentOf = result => `${preface}\n\n${reportOf(result)}`

const preface = `# What a look costs

Made by \`npm run bench -- --write\`; do not edit. Ours is \`snapshotJs()\` evaluated in the page plus \`renderSnapshot()\` on the host, with default options. Playwright's is \`page.ariaSnapshot({ mode: 'ai' })\`.

- Both look at the same tab of the same Chromium, through the same connection, in turns, and change who starts; so noise hits both, and a ratio means more than a time.
- A time is the median of ${mostRounds} rounds; of fewer, but at least ${leastRounds}, where they take longer than ${patienceMs / 1_000} s. "First" is the one look before them, in a tab that has just drawn the page and has run neither.
- "In page" is script time of ours as the page tells it (\`stats.elapsedMs\`); the rest of our time is transport and rendering.
- Growth is measured apart from that, ours alone, with the three pages open at once and looked at in turns.
- Pages of n elements are lists of rows, each with a link, a text and a button. Real pages are 20 public test fixtures without their scripts, at 1280x720, with every request to another host refused.
- Recall counts controls that a script of neither engine finds: enabled and, in view, reached by a click at their middle; on the whole page, out of view ones count too when style does not hide them. Shown means that its ref is in our default text, or in the first ${count(cutAt)} characters of Playwright's, which has no limit of its own.
- Names and roles are the non-tentative cases of web-platform-tests, each in a page of its own; Playwright is asked what \`toHaveAccessibleName()\` and \`toHaveRole()\` compare with.`

export const targets = ({ targets }) =>
  `## Targets\n\n${table(
    ['target', 'wanted', 'got', 'verdict'],
    targets.map(({ what, wanted, got, verdict }) => [what, wanted, got, verdict]),
  )}`

const time = ({ rows, corpus }) =>
  `## Time, ms\n\n${table(
    ['page', 'elements', 'ours', 'first', 'in page', 'first', 'Playwright', 'first', 'ratio'],
    [...rows, ...corpus].map(({ page, elements, ours, theirs }) => [
      page + ours.stoppedBy.map(reason => `, stopped by ${reason}`).join(''),
      count(elements),
      ...[ours.ms, ours.firstMs, ours.scriptMs, ours.scriptFirstMs, theirs.ms, theirs.firstMs].map(ms),
      times(theirs.ms / ours.ms),
    ]),
  )}`

const growth = ({ growth }) =>
  `## Growth, microseconds per element\n\n${table(
    ['page', 'in page', 'ours'],
    growth.map(({ page, scriptUs, wholeUs }) => [page, ms(scriptUs), ms(wholeUs)]),
  )}`

const size = ({ rows, corpus }) =>
  `## Size\n\n${table(
    ['page', 'HTML chars', 'our chars', 'our refs', 'our JSON bytes', 'Playwright chars', 'Playwright refs'],
    [...rows, ...corpus].map(({ page, htmlChars, ours, theirs }) => [
      page,
      ...[htmlChars, ours.chars, ours.refs, ours.jsonBytes, theirs.chars, theirs.refs].map(count),
    ]),
  )}`

function recall({ corpus }) {
  if (corpus.length === 0) return '## Recall\n\nSkipped: there is no corpus of real pages beside the repository; PAGEHAND_CORPUS names one.'
  const mean = [meanRecall(corpus, 'inView'), meanRecall(corpus, 'anywhere')].flatMap(({ ours, theirs }) => [
    '',
    percent(ours),
    percent(theirs),
  ])
  const pages = corpus.map(({ page, recall: { inView, anywhere } }) => [
    page,
    ...[inView.usable, inView.ours, inView.theirs, anywhere.usable, anywhere.ours, anywhere.theirs].map(count),
  ])
  return `## Recall, controls shown within ${count(cutAt)} characters\n\n${table(
    ['page', 'in view', 'ours', 'Playwright', 'whole page', 'ours', 'Playwright'],
    [...pages, ['mean of pages', ...mean]],
  )}`
}

function namesAndRoles({ webPlatformTests }) {
  if (!webPlatformTests) return '## Names and roles\n\nSkipped: they are in the same corpus.'
  return `## Names and roles, right answers\n\n${table(
    ['web-platform-tests', 'ours', 'Playwright', 'cases'],
    Object.entries(webPlatformTests).map(([what, { ours, theirs, of }]) => [what, ...[ours, theirs, of].map(count)]),
  )}`
}

const ground = ({ versions, machine: { cores, load } }) =>
  `pagehand ${versions.pagehand}, playwright-core ${versions.playwright}, Chromium ${versions.chromium}, Node ${versions.node}; ${cores} cores, load ${load.map(each => each.toFixed(1)).join(' before and ')} after, the bench itself included.`
