// What the rules know about the page: the lines of the tool answers, read as a model reads them.

/** A line of an answer that describes an element. */
export interface PageElement {
  readonly ref?: string
  readonly role: string
  readonly name: string
  /** its text, where it is not its name */
  readonly text: string
  readonly attributes: { readonly [name: string]: string }
  readonly states: ReadonlySet<string>
  /** the words of the list item, row or group around it */
  readonly item: string
  /** ref of the list of options that it belongs to */
  readonly owner?: string
  /** the heading before it, and the names of the regions around it */
  readonly section: string
}

/** One answer of a tool. */
export interface ToolAnswer {
  readonly tool: string
  readonly ok: boolean
  /** code of the failure; '' if the call succeeded */
  readonly code: string
  readonly text: string
}

/** What is known about the page after all answers so far. */
export interface PageView {
  readonly url: string
  readonly title: string
  /** in the order of the page, as far as it is known */
  readonly elements: readonly PageElement[]
  /** the elements of the newest answer: what an action changed or opened */
  readonly fresh: readonly PageElement[]
  /** the answers do not show everything */
  readonly isPartial: boolean
  /** fields of the page before, other than for a search, that the page of the newest answer has again */
  readonly repeated: readonly PageElement[]
  /** ids of tabs that opened, newest last */
  readonly tabs: readonly string[]
}

const quoted = /"((?:[^"\\]|\\.)*)"/
const line = /^(\s*)([-~+]) (\s*)([a-zA-Z][\w-]*)(?: "((?:[^"\\]|\\.)*)")?(.*)$/
const itemRoles = new Set(['listitem', 'row', 'article', 'group', 'radiogroup', 'figure', 'treeitem', 'option', 'fieldset'])
const sectionRoles = new Set(['form', 'dialog', 'region', 'main', 'navigation', 'iframe', 'search', 'list', 'table', 'alertdialog', 'grid'])
/** an item with more elements is a section of the page, whose words say little about one of them */
const maxItemElements = 12

interface Entry extends Omit<PageElement, 'item' | 'section' | 'owner'> {
  readonly sign: string
  readonly depth: number
  readonly place: string
  readonly rest: string
}

/** Adds the answers in their order: an action changes what the answer before it showed. */
export function readPage(answers: readonly ToolAnswer[]): PageView {
  const view = { url: '', title: '', isPartial: true, tabs: [] as string[] }
  const known = new Map<string, PageElement>()
  let loose: PageElement[] = []
  let fresh: PageElement[] = []
  let repeated: PageElement[] = []
  for (const answer of answers.flatMap(partsOf)) {
    const { text, ok } = answer
    view.tabs.push(...[...text.matchAll(/\bTab (t\d+) opened\b/g)].map(([, tab]) => tab as string))
    fresh = []
    repeated = []
    if (!ok) {
      // the refs may be those of an older page
      if (/^(ref_|stale|target_)/.test(answer.code)) known.clear()
      continue
    }
    // the fence of a look has only the origin
    const header = /^\[\w+\] url=.*$/m.exec(text)?.[0] ?? /^<page \S+ url=.*$/m.exec(text)?.[0] ?? ''
    view.url = unescaped(/\burl="((?:[^"\\]|\\.)*)"/.exec(header)?.[1]) || view.url
    view.title = unescaped(/\btitle="((?:[^"\\]|\\.)*)"/.exec(header)?.[1]) ?? view.title
    // what was known about the page still holds
    const isAddition = /^\[observe\]/m.test(text) || /^another part of the page/m.test(text)
    const isListing =
      isAddition || /^ok: (open|back|forward|reload)\b/.test(text) || /^new (page|view):/m.test(text) || /^\[snapshot\]/m.test(text)
    const entries = text.split('\n').flatMap(each => parseEntry(each) ?? [])
    const before = [...known.values()]
    if (isListing && !isAddition) {
      known.clear()
      loose = []
    }
    if (isListing) view.isPartial = /^\s*… /m.test(text) || /truncated=true/.test(text)
    fresh = isListing ? describe(entries) : describe(entries.filter(({ sign }) => sign !== '-'))
    if (isListing && !isAddition) repeated = fresh.filter(each => isEntry(each) && before.some(other => isSameEntry(other, each)))
    for (const { sign, ref, rest } of isListing ? [] : entries) {
      if (sign === '-' && ref !== undefined) known.delete(ref)
      if (sign === '~' && ref !== undefined) {
        const index = fresh.findIndex(each => each.ref === ref)
        const now = fresh[index] as PageElement
        fresh[index] = changed(known.get(ref) ?? now, now, rest)
      }
    }
    for (const each of fresh) {
      const before = each.ref === undefined ? undefined : known.get(each.ref)
      if (each.ref === undefined) loose.push(each)
      else
        known.set(
          each.ref,
          before ? { ...each, item: `${each.item} ${before.item}`.trim(), section: each.section || before.section } : each,
        )
    }
  }
  return { ...view, elements: [...known.values(), ...loose], fresh, repeated }
}

const isEntry = ({ role, attributes }: PageElement): boolean => role === 'textbox' && attributes.type !== 'search'
const isSameEntry = (one: PageElement, other: PageElement): boolean =>
  one.role === other.role && one.name === other.name && one.attributes.type === other.attributes.type

/** The answers to the actions of one call, each with its own lines. */
const partsOf = (answer: ToolAnswer): readonly ToolAnswer[] =>
  answer.ok && answer.text.startsWith('ok: ') ? answer.text.split(/\n(?=ok: )/).map(text => ({ ...answer, text })) : [answer]

/** The answer to the last action of a call. */
export const lastPart = (answer: ToolAnswer): ToolAnswer => partsOf(answer).at(-1) ?? answer

/** An element after `value: "" → "x", now [checked], no longer [selected]`. */
function changed(before: PageElement, now: PageElement, rest: string): PageElement {
  const states = new Set(before.states)
  for (const state of stateWords(/no longer ((?:\[[^\]]*\] ?)+)/.exec(rest)?.[1])) states.delete(state)
  for (const state of stateWords(/now ((?:\[[^\]]*\] ?)+)/.exec(rest)?.[1])) states.add(state)
  for (const state of stateWords(/((?:\[[^\]]*\] ?)+)→/.exec(rest)?.[1])) states.delete(state)
  for (const state of stateWords(/→ ((?:\[[^\]]*\] ?)+)/.exec(rest)?.[1])) states.add(state)
  const value = /value: "(?:[^"\\]|\\.)*" → "((?:[^"\\]|\\.)*)"/.exec(rest)?.[1]
  return {
    ...before,
    role: now.role,
    name: now.name || before.name,
    states,
    attributes: value === undefined ? before.attributes : { ...before.attributes, value: unescaped(value) ?? '' },
  }
}

const stateWords = (words = ''): string[] => [...words.matchAll(/\[([^\]=]*)\]/g)].map(([, state]) => state as string)

function parseEntry(text: string): Entry | undefined {
  const [, before = '', sign = '', indent = '', role, name = '', rest = ''] = line.exec(text) ?? []
  if (role === undefined) return undefined
  const attributes: Record<string, string> = {}
  const states = new Set<string>()
  const [, marks = '', tail = ''] = /^((?: \[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])*)(.*)$/.exec(rest) ?? []
  for (const [, key = '', bare, words] of marks.matchAll(/\[([\w-]+)(?:=([^"\]]*)|="((?:[^"\\]|\\.)*)")?\]/g)) {
    if (bare === undefined && words === undefined) states.add(key)
    else attributes[key] = bare ?? unescaped(words) ?? ''
  }
  const { ref, ...others } = attributes
  return {
    sign,
    depth: (before.length + indent.length) / 2,
    role,
    name: unescaped(name) ?? '',
    text: sign === '~' ? '' : (unescaped(/^:? ?"((?:[^"\\]|\\.)*)"/.exec(tail)?.[1]) ?? ''),
    attributes: others,
    states,
    place: unescaped(/ in "((?:[^"\\]|\\.)*)"/.exec(tail)?.[1]) ?? '',
    rest: tail,
    ...(ref !== undefined && { ref }),
  }
}

/** The elements with the words around them, which the indentation shows. */
function describe(entries: readonly Entry[]): PageElement[] {
  let heading = ''
  return entries.map((entry, index) => {
    if (entry.role === 'heading') heading = entry.name || entry.text
    const { sign: _sign, depth: _depth, place, rest: _rest, ...element } = entry
    const around = ancestorsOf(entries, index)
    const item = around.find(at => itemRoles.has(entries[at]?.role ?? ''))
    const inside = item === undefined ? [] : [entries[item] as Entry, ...descendantsOf(entries, item)]
    const names = around.flatMap(at => (sectionRoles.has(entries[at]?.role ?? '') ? [entries[at]?.name ?? ''] : []))
    const words = inside.length > maxItemElements ? inside.slice(0, 1) : inside
    const owner =
      entry.role === 'option' ? around.map(at => entries[at] as Entry).find(each => each.attributes.options !== undefined)?.ref : undefined
    return {
      ...element,
      ...(owner !== undefined && { owner }),
      item: [place, ...words.flatMap(each => [each.name, each.text])].filter(Boolean).join(' '),
      section: [heading, ...names].filter(Boolean).join(' '),
    }
  })
}

function ancestorsOf(entries: readonly Entry[], index: number): number[] {
  const found: number[] = []
  let depth = entries[index]?.depth ?? 0
  for (let at = index - 1; at >= 0 && depth > 0; at--) {
    const each = entries[at] as Entry
    if (each.depth >= depth) continue
    depth = each.depth
    found.push(at)
  }
  return found
}

function descendantsOf(entries: readonly Entry[], index: number): readonly Entry[] {
  const { depth } = entries[index] as Entry
  const end = entries.findIndex((each, at) => at > index && each.depth <= depth)
  return entries.slice(index + 1, end < 0 ? undefined : end)
}

function unescaped(words: string | undefined): string | undefined {
  return words?.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) =>
    code.startsWith('u') ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : code === 'n' ? '\n' : code,
  )
}

/** What the page says after the newest answer: alerts and status first, then new text, then headings. */
export function pageWords({ fresh }: PageView, { text = '' }: Partial<ToolAnswer> = {}): readonly string[] {
  const wordsOf = (role: RegExp) => fresh.filter(each => role.test(each.role)).flatMap(each => each.text || each.name || [])
  const appeared = quoted.exec(/^new text: .*$/m.exec(text)?.[0] ?? '')?.[1]
  return [...wordsOf(/^(alert|status)$/), ...(appeared ? [unescaped(appeared) ?? ''] : []), ...wordsOf(/^(heading|text|paragraph)$/)]
}
