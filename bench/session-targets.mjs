import { count, ms, times } from './print.mjs'
import { atLeast, atMost, told } from './targets.mjs'

/** What we promise of sessions, and whether this run keeps it; and how we stand where nothing is promised. */
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
    atMost(0.25, against(small, '@playwright/mcp'), { what: 'click on the static page, against @playwright/mcp', print: times }),
    told(against(small, 'chrome-devtools-mcp'), { what: 'the same against chrome-devtools-mcp', print: times }),
    told(against(small, 'agent-browser'), { what: 'the same against agent-browser, which does not wait', print: times }),
    told(against(middle, '@playwright/mcp'), { what: 'click at 2,000 elements, against @playwright/mcp', print: times }),
    told(against(large, '@playwright/mcp'), { what: 'click at 20,000 elements, against @playwright/mcp', print: times }),
    atMost(12_000, oursIn(large.products).snapshot.chars, { what: 'characters of a snapshot at 20,000 elements', print: count }),
  ]
}

function ofLate({ late }) {
  const within = late.filter(({ ends }) => ends)
  const beyond = late.filter(({ ends }) => !ends)
  const kept = (cases, ...good) => cases.filter(({ products }) => good.includes(oursIn(products).outcome)).length
  return [
    atLeast(within.length, kept(within, 'in the click', 'in the snapshot', 'told pending'), {
      what: `late content within the caps: seen, or told pending, of ${within.length}`,
      print: count,
    }),
    told(kept(within, 'in the click'), { what: 'of these in the answer of the click itself', print: count }),
    atLeast(beyond.length, kept(beyond, 'told pending'), { what: `beyond the caps: told pending, of ${beyond.length}`, print: count }),
  ]
}

function ofStarts({ starts }) {
  const ours = oursIn(starts).seen
  const against = name => ours / of(starts, name).seen
  return [
    atMost(1, against('@playwright/mcp'), { what: 'cold start to the first snapshot, against @playwright/mcp', print: times }),
    atMost(1, against('chrome-devtools-mcp'), { what: 'the same against chrome-devtools-mcp', print: times }),
    told(against('agent-browser'), { what: 'the same against agent-browser', print: times }),
  ]
}

function ofMemory({ memory }) {
  const { first, after } = oursIn(memory)
  return [
    atMost(100, megabytes(first.bytes), { what: 'MB of the host after the first snapshot', print: ms }),
    atMost(100, megabytes(after.bytes), { what: 'MB of the host after 50 clicks', print: ms }),
  ]
}

function ofMany({ many, starts }) {
  const { left } = many.at(-1)
  return [
    atMost(0, left.pages + left.contexts + left.processes + left.files, {
      what: 'pages, contexts, processes and files left by 50 sessions',
      print: count,
    }),
    atMost(0, oursIn(starts).left, { what: 'processes left by the servers that were started', print: count }),
  ]
}
