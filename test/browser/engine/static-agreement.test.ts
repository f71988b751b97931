import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { type Element, isElement, type Node } from '../../../src/html/tree.ts'
import { buildDocument, type SnapshotDocument, snapshot } from '../../../src/html.ts'
import { type Class, classify, type Difference, differences } from '../../support/agreement.ts'
import { isCorpusMissing, readJson, readPage } from '../../support/corpus.ts'
import { malformed } from '../../support/malformed-markup.ts'
import { openPage, type TestPage } from '../../support/open-page.ts'
import { type Line, outline } from '../../support/outline.ts'
import type { Facts } from '../../support/outline-entry.ts'
import { unstyled } from '../../support/unstyled-markup.ts'

const absent = isCorpusMissing('a string and a live page')
const percent = (share: number) => `${(100 * share).toFixed(2)} %`

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../../support/outline-entry.ts', import.meta.url))],
  bundle: true,
  format: 'iife',
  write: false,
})
const entry = outputFiles[0]?.text ?? ''

interface Counted {
  live: number
  parsed: number
  common: number
  readonly found: Difference[]
}

// format lines shows the refs of interactive elements, format tree shows everything; each line of either is one node of the engine
for (const [format, shown] of [
  ['lines', 'interactive'],
  ['tree', 'all'],
] as const)
  test.skipIf(absent)(
    `parsed HTML yields the same lines as the live page, except for effects of CSS and frames (${format})`,
    async () => {
      const { pages } = readJson<{ pages: { file: string }[] }>('pages/manifest.json')
      const sum: Counted = { live: 0, parsed: 0, common: 0, found: [] }
      let exact = 0
      let otherwiseExact = 0
      for (const { file } of pages) {
        const counted = await compare(readPage(`pages/${file}`), shown)
        sum.live += counted.live
        sum.parsed += counted.parsed
        sum.common += counted.common
        sum.found.push(...counted.found)
        const bugs = counted.found.filter(({ why }) => why === 'E')
        if (counted.found.length === 0) exact++
        if (bugs.length === 0) otherwiseExact++
        console.log(`${file}: ${percent(raw(counted))} of ${counted.live} lines live and ${counted.parsed} parsed; ${tally(counted.found)}`)
        for (const bug of bugs.slice(0, 12)) console.log(`  E ${JSON.stringify(bug)}`)
      }
      console.log(
        `${format}: ${exact} of ${pages.length} pages agree exactly, ${otherwiseExact} but for CSS and frames; ` +
          `lines ${percent(raw(sum))} raw, ${percent(explained(sum))} without what CSS and frames explain; ${tally(sum.found)}`,
      )
      console.log(`${format}: of B are ${reasons(sum.found)}`)
      expect(explained(sum)).toBeGreaterThanOrEqual(0.95)
    },
    300_000,
  )

test('parsed malformed markup yields exactly the controls that Chromium has', async () => {
  const unlike: Record<string, string> = {}
  for (const [what, html] of Object.entries(malformed)) {
    await using page = await opened(html)
    const live = (await page.evaluate<Line[]>(`outlineOf('interactive')`)).filter(({ kind }) => kind === 'control').map(control)
    const { refs } = snapshot(html, { maxNodes: 100_000, maxDepth: 100_000 })
    const parsed = Object.values(refs).filter(({ tag }) => !/^(i?frame|form|dialog|frameset)$/.test(tag))
    const controls = parsed.map(({ tag, role = '', name = '' }) => `${tag} ${role} ${name}`.trim())
    if (live.sort().join('\n') !== controls.sort().join('\n')) unlike[what] = `live ${live.join(' | ')}; parsed ${controls.join(' | ')}`
  }
  expectKnown(unlike, knownControls)
})

/** Fixtures that parse differently from the live page, with the reason: shrink this list, never grow it without a reason. */
const known: Readonly<Record<string, string>> = {
  'a marquee, a center and a font': 'live: the position of a marquee depends on its animation',
  'the fallback of video, audio and canvas': 'live: a video has a line with its size, which a parsed document does not know',
  'words in marks of many kinds': 'live: a video has a line with its size, which a parsed document does not know',
}
const knownControls: Readonly<Record<string, string>> = {}

test("parsed HTML follows the browser's default style sheet", async () => {
  const unlike: Record<string, string> = {}
  for (const [what, html] of Object.entries(unstyled)) {
    const { found } = await compare(html, 'all')
    if (found.length > 0)
      unlike[what] = found.map(({ live, parsed }) => `live ${describeLine(live)}, parsed ${describeLine(parsed)}`).join('; ')
  }
  expectKnown(unlike, known)
})

test.each([
  '<div><template shadowrootmode=open><button>in the shadow</button><slot></slot></template><a href=/1>slotted</a></div>',
  '<my-card><template shadowrootmode=open><style>a{color:red}</style><h2><slot name=title>no title</slot></h2><slot><a href=/0>none</a></slot></template><b slot=title>A title</b></my-card>',
  '<my-list><template shadowrootmode=open><my-item><template shadowrootmode=open><button><slot></slot></button></template><slot></slot></my-item></template>words</my-list>',
  '<div><template shadowrootmode=open><label for=x>Name</label><input id=x><slot name=s></slot></template><i>not assigned</i> words</div><input id=x aria-label=other>',
  '<div><template shadowrootmode=closed><button>not seen</button><slot></slot></template><a href=/1>slotted</a></div>',
  '<style>button{display:none}</style><div><template shadowrootmode=open><button>not styled from outside</button></template></div>',
])('a declarative shadow root parses to the same lines as in the live page: %s', async html => {
  await using page = await opened(html)
  const { tree } = buildDocument(html)
  for (const shown of ['interactive', 'all'] as const) {
    const live = await page.evaluate<Line[]>(`outlineOf('${shown}')`)
    expect(outline(sceneOf(tree), { shown, placeOf: () => -1 }).map(describeLine)).toEqual(live.map(describeLine))
  }
})

test.each([
  '<head><noscript><img src=count.png></noscript><title>T</title><style>.x{display:none}</style></head><a href=/1 class=x>no</a><a href=/2>yes</a>',
  '<noscript><p>words</p><a href=/1>no</a></noscript><a href=/2>yes</a>',
  '<p>a<noscript><a href=/1>no</a><!-- </noscript> --><a href=/2>yes</a>',
  '<table><noscript><tr><td><a href=/1>no</a></noscript><tr><td><a href=/2>yes</a></table>',
])('noscript is parsed as in a browser with scripting enabled (X1-7): %s', async html => {
  await using page = await openPage({ html })
  await page.evaluate(entry)
  const { tree } = buildDocument(html)
  expect(numbered(tree.html).tags.join(' ')).toBe(await page.evaluate('tagsOf()'))
  for (const shown of ['interactive', 'all'] as const) {
    const live = await page.evaluate<Line[]>(`outlineOf('${shown}')`)
    expect(live.map(describeLine).join()).toContain('yes')
    expect(outline(sceneOf(tree), { shown, placeOf: () => -1 }).map(describeLine)).toEqual(live.map(describeLine))
  }
})

/** Fails on a difference that is not on the list, and on a listed difference that no longer exists. */
function expectKnown(unlike: Readonly<Record<string, string>>, list: Readonly<Record<string, string>>): void {
  const unexpected = Object.entries(unlike).filter(([what]) => !(what in list))
  expect(Object.fromEntries(unexpected)).toEqual({})
  expect(
    Object.keys(list).filter(what => !(what in unlike)),
    'these agree now: remove them from the list',
  ).toEqual([])
}

const describeLine = (line?: Line) => (line ? [line.tag, line.role, ...Object.entries(line.says).flat()].join(' ') : '-')
const control = ({ tag, role, says }: Line) => `${tag} ${role} ${says.name ?? ''}`.trim()
const raw = ({ live, parsed, common }: Counted) => (live + parsed ? (2 * common) / (live + parsed) : 1)
/** the share of common lines after leaving out the lines that CSS or a frame explains */
const explained = ({ common, found }: Counted) => {
  const bugs = found.filter(({ why }) => why === 'E').reduce((sides, { live, parsed }) => sides + (live ? 1 : 0) + (parsed ? 1 : 0), 0)
  return (2 * common) / (2 * common + bugs || 1)
}

const names: Readonly<Record<Class, string>> = {
  A: 'hidden by CSS',
  B: 'clipped or off the page',
  C: 'written by CSS',
  D: 'frames',
  E: 'other',
}
const tally = (found: readonly Difference[]) =>
  Object.entries(names)
    .map(([why, name]) => `${why} ${name} ${found.filter(each => each.why === why).length}`)
    .join(', ')

function reasons(found: readonly Difference[]): string {
  const counts = new Map<string, number>()
  for (const { why, unseen } of found) if (why === 'B') counts.set(unseen, (counts.get(unseen) ?? 0) + 1)
  return [...counts].map(([reason, many]) => `${reason} ${many}`).join(', ')
}

async function opened(html: string): Promise<TestPage> {
  const page = await openPage({ html, scripts: false })
  await page.evaluate(entry)
  return page
}

async function compare(html: string, shown: 'interactive' | 'all'): Promise<Counted> {
  await using page = await opened(html)
  const { tree } = buildDocument(html)
  const { tags, places, last } = numbered(tree.html)
  expect(tags.join(' '), 'parse5 and Chromium build the same tree').toBe(await page.evaluate('tagsOf()'))
  const live = await page.evaluate<Line[]>(`outlineOf('${shown}')`)
  const parsed = outline(sceneOf(tree), {
    shown,
    placeOf: node => places.get(isElement(node) ? node : (node.parentNode as Element)) ?? -1,
  })
  const { common, unlike } = differences(live, parsed)
  const wanted = [...new Set(unlike.map(({ at }) => at))]
  const facts = await page.evaluate<(Facts | null)[]>(`factsOf(${JSON.stringify(wanted)})`)
  const factsAt = new Map(wanted.map((at, i) => [at, facts[i] ?? null]))
  return { live: live.length, parsed: parsed.length, common, found: classify(unlike, { factsAt, last }) }
}

const sceneOf = ({ dom, body }: SnapshotDocument['tree']) => ({
  dom,
  layout: null,
  root: body as Node,
  prefix: '',
  focused: () => false,
  frame: () => ({ unreachable: 'not loaded' }),
})

/** Elements by number in document order, as querySelectorAll('*') counts them, and the last number below each. */
function numbered(root: Element) {
  const tags: string[] = []
  const places = new Map<Element, number>()
  const last: number[] = []
  const stack: (Element | number)[] = [root]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'number') {
      last[next] = tags.length - 1
      continue
    }
    const place = tags.push(next.tagName.toLowerCase()) - 1
    places.set(next, place)
    stack.push(place)
    for (let i = next.childNodes.length - 1; i >= 0; i--) {
      const child = next.childNodes[i]
      if (child && 'tagName' in child) stack.push(child as Element)
    }
  }
  return { tags, places, last }
}
