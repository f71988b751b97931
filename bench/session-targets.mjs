import { count, ms, times } from './print.mjs'
import { atLeast, atMost, untargeted } from './targets.mjs'

/** The targets for sessions and whether this run meets them, and ratios without a target. */
export const judgeSessions = result => [
  ...ofClicks(result),
  ...ofLate(result),
  ...ofStarts(result),
  ...(result.memory ? ofMemory(result) : []),
  ...ofMany(result),
]

const of = (products, name) => products.find(({ product }) => product === name)
const oursIn = products => of(products, 'pagehand')
const megabytes = bytes => bytes / 1e6

function ofClicks({ clicks: [small, middle, large] }) {
  const against = ({ products }, name, what = 'click') => oursIn(products)[what].ms / of(products, name)[what].ms
  return [
    atMost(0.125, against(small, '@playwright/mcp'), { what: 'click on the static page, relative to @playwright/mcp', print: times }),
    untargeted(against(small, 'chrome-devtools-mcp'), { what: 'the same, relative to chrome-devtools-mcp', print: times }),
    untargeted(against(small, 'agent-browser'), { what: 'the same, relative to agent-browser, which does not wait', print: times }),
    untargeted(against(middle, '@playwright/mcp'), { what: 'click at 2,000 elements, relative to @playwright/mcp', print: times }),
    untargeted(against(large, '@playwright/mcp'), { what: 'click at 20,000 elements, relative to @playwright/mcp', print: times }),
    atMost(12_000, oursIn(large.products).snapshot.chars, { what: 'characters of a snapshot at 20,000 elements', print: count }),
  ]
}

function ofLate({ late }) {
  const within = late.filter(({ ends }) => ends)
  const beyond = late.filter(({ ends }) => !ends)
  const kept = (cases, ...good) => cases.filter(({ products }) => good.includes(oursIn(products).outcome)).length
  return [
    atLeast(within.length, kept(within, 'in the click', 'in the snapshot', 'reported pending'), {
      what: `late content within the limits: seen or reported as pending, of ${within.length}`,
      print: count,
    }),
    untargeted(kept(within, 'in the click'), { what: 'of these, in the result of the click itself', print: count }),
    atLeast(beyond.length, kept(beyond, 'reported pending'), {
      what: `beyond the limits: reported as pending, of ${beyond.length}`,
      print: count,
    }),
  ]
}

function ofStarts({ starts }) {
  const ours = oursIn(starts).seen
  const against = name => ours / of(starts, name).seen
  return [
    atMost(1, against('@playwright/mcp'), { what: 'cold start to the first snapshot, relative to @playwright/mcp', print: times }),
    atMost(1, against('chrome-devtools-mcp'), { what: 'the same, relative to chrome-devtools-mcp', print: times }),
    untargeted(against('agent-browser'), { what: 'the same, relative to agent-browser', print: times }),
  ]
}

function ofMemory({ memory }) {
  const { first, after } = oursIn(memory)
  return [
    atMost(100, megabytes(first.bytes), { what: 'MB of the server after the first snapshot', print: ms }),
    atMost(100, megabytes(after.bytes), { what: 'MB of the server after 50 clicks', print: ms }),
  ]
}

function ofMany({ many, starts }) {
  const { left } = many.at(-1)
  return [
    atMost(0, left.pages + left.contexts + left.processes + left.files, {
      what: 'pages, contexts, processes and files left by 50 sessions',
      print: count,
    }),
    atMost(0, oursIn(starts).left, { what: 'processes left by stopped servers', print: count }),
  ]
}
