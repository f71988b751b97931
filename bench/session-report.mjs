import { leastRounds, patienceMs } from './clicks.mjs'
import { median } from './measure.mjs'
import { count, ms, table } from './print.mjs'
import { targets } from './report.mjs'

/** The figures, for a terminal. */
export function sessionReportOf(result) {
  const parts = [
    targets(result),
    clicks(result),
    commands(result),
    late(result),
    starts(result),
    memory(result),
    many(result),
    ground(result),
  ]
  return `${parts.join('\n\n')}\n`
}

/** docs/bench-sessions.md: the same figures, and how they came about. */
export const sessionDocumentOf = result => `${preface(result)}\n\n${sessionReportOf(result)}`

const preface = ({ rounds }) => `# What a session costs, beside the peers

Made by \`npm run bench:sessions -- --write\`; do not edit. The peers are \`@playwright/mcp\`, \`chrome-devtools-mcp\` and \`agent-browser\`; each is an MCP server over stdio, spoken to by the official client, with default options, headless, with an empty profile, and with the same Chromium.

- All servers run at once, each with its own browser, and are measured in turns; who starts changes with every round. So noise hits all, and a ratio means more than a time. Times are medians, and include the client.
- Pages come from this machine; the whole run works without a network.
- A click presses a button that writes a line, ${rounds.clicks} times; fewer, but at least ${leastRounds}, where that takes all of them longer than ${patienceMs / 1_000} s. It ends when the product answers: ours and \`@playwright/mcp\` wait for what the click began, \`chrome-devtools-mcp\` until the document is still for a moment, \`agent-browser\` answers once it has pressed.
- "Click and snapshot" is the quickest way to press and then have the whole page: two calls, or one of \`chrome-devtools-mcp\` with \`includeSnapshot\`. "Tells" says whether the answer of the click alone has the words that the click wrote; \`@playwright/mcp\` names a file that it has written a snapshot to.
- Snapshots are those of the defaults: ours has a budget of 12,000 characters and says what it left out, \`agent-browser\` lists only what can be operated (all of it as a command), the others give everything.
- Late content is a button that comes some time after the click, ${rounds.late} times each, and the worst of them counts: it was in the answer of the click, or in that of a snapshot called at once, or the click said that something is pending, or it was missed. The time is that until the model has the answer, or both where it was missed.
- Cold start is from the start of the server to the answer of its first snapshot, ${rounds.starts} times, after one that fills the caches of the disk.
- Memory is resident, of the server and whatever it has started but the browser.`

const clicks = ({ clicks }) =>
  `## A click and a look, ms\n\n${table(
    ['page, product', 'rounds', 'click', 'snapshot', 'click and snapshot', 'click chars', 'snapshot chars', 'tells'],
    clicks.flatMap(({ page, rounds, products }) =>
      products.map(({ product, click, snapshot, both }) => [
        `${page}, ${product}`,
        count(rounds),
        ...[click.ms, snapshot.ms, both.ms].map(ms),
        ...[click.chars, snapshot.chars].map(count),
        click.tells ? 'yes' : 'no',
      ]),
    ),
  )}`

const commands = ({ commands }) =>
  `## The same as commands, ms\n\nA process for each command, and a host that keeps the browser between them.\n\n${table(
    ['page, product', 'click', 'snapshot', 'click chars', 'snapshot chars'],
    commands.flatMap(({ page, products }) =>
      products.map(({ product, click, snapshot }) => [
        `${page}, ${product}`,
        ...[click.ms, snapshot.ms].map(ms),
        ...[click.chars, snapshot.chars].map(count),
      ]),
    ),
  )}`

const late = ({ late }) =>
  `## Late content, and ms until the model knows\n\n${table(
    ['what the click begins', ...late[0].products.map(({ product }) => product)],
    late.map(({ case: name, products }) => [
      name,
      ...products.map(({ outcome, times, of, ms: taken }) => `${outcome}${times < of ? ` ${times} of ${of}` : ''}, ${ms(taken)}`),
    ]),
  )}`

const starts = ({ starts }) =>
  `## Cold start, ms\n\n${table(
    ['product', 'server answers', 'page is open', 'first snapshot', 'processes left'],
    starts.map(({ product, ready, opened, seen, left }) => [product, ...[ready, opened, seen].map(ms), count(left)]),
  )}`

function memory({ memory }) {
  if (!memory) return '## Memory\n\nSkipped: this system has no /proc.'
  return `## Memory, MB\n\n${table(
    ['product', 'first snapshot', 'after 50 clicks', 'processes'],
    memory.map(({ product, first, after }) => [product, ms(first.bytes / 1e6), ms(after.bytes / 1e6), count(first.processes)]),
  )}`
}

const many = ({ many }) =>
  `## Sessions in one browser\n\nOurs alone, by \`openSession({ browser })\`; each has cookies, storage and tabs of its own. Opening is a session and its first page.\n\n${table(
    [
      'sessions',
      'open each, ms',
      'slowest',
      'snapshot each, ms',
      'all at once',
      'close all',
      'host MB',
      'Chromium processes',
      'left afterwards',
    ],
    many.map(({ count: number, opened, looks, atOnce, closed, bytes, processes, left }) => [
      count(number),
      ...[median(opened), Math.max(...opened), median(looks), atOnce, closed, bytes / 1e6].map(ms),
      count(processes),
      count(left.pages + left.contexts + left.processes + left.files),
    ]),
  )}`

const ground = ({ versions, machine: { cores, load } }) =>
  `${versions}; ${cores} cores, load ${load.map(each => each.toFixed(1)).join(' before and ')} after, the bench itself included.`
