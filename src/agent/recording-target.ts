// How a recording names an element, and how a replay finds it again. A replay never guesses: it acts only if exactly one element fits.
import { quote } from '../contract/quote.ts'
import { type AnyRun, ok, type Result } from '../contract/run.ts'
import { type ParsedNode, type ParsedSnapshot, parseSnapshot } from '../render/decode/snapshot.ts'

/**
 * An element of a recording, in words that survive a new version of the page.
 *
 * @example
 * const target: RecordedTarget = { role: 'button', name: 'Add to cart', item: 'Blue teapot', path: 'main > list' }
 */
export interface RecordedTarget {
  readonly role: string
  readonly name: string
  /** the first words of the row, list item or group around it */
  readonly item?: string | undefined
  /** the text before it; only if several elements are equal otherwise */
  readonly near?: string | undefined
  /** the landmarks and named containers around it */
  readonly path?: string | undefined
  /** names of the frames around it */
  readonly frame?: string | undefined
  /** its position among elements with the same role, name and frame, such as `2 of 10` */
  readonly nth?: string | undefined
  /** the name attribute of a field */
  readonly field?: string | undefined
  /** the path of a link */
  readonly href?: string | undefined
}

/** An element of a snapshot, in the same words. */
export type PageTarget = { readonly [Field in 'ref' | Exclude<keyof RecordedTarget, 'nth'>]: string }

const itemRoles = new Set(['listitem', 'row', 'article', 'item', 'treeitem', 'group', 'radiogroup'])
const pathRoles = new Set([
  'main',
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'form',
  'search',
  'region',
  'dialog',
  'alertdialog',
  'list',
  'table',
  'grid',
  'listbox',
  'menu',
  'tablist',
  'tree',
])
const maxWords = 80
/** pages of a snapshot that are read at most */
const maxPages = 40

const wordsOf = ({ name, text, hint }: ParsedNode): string => cutWords(name || text || hint?.text || '')
const cutWords = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, maxWords)

/** An element that is operated; text that only reacts to a click still is text. */
const isControl = ({ role, interactive }: ParsedNode): boolean =>
  interactive === true && !/^(generic|cell|gridcell|row|text|paragraph)$/.test(role)

interface PageTargets {
  readonly targets: readonly PageTarget[]
  readonly url: string
  /** the ref of the element that has the focus */
  readonly focused: string | undefined
  readonly isComplete: boolean
}

/** Every element of the page; a snapshot that is cut is continued, because only a complete one shows that an element is the only one. */
export async function readTargets(run: AnyRun, pages = maxPages): Promise<Result<PageTargets>> {
  const targets = new Map<string, PageTarget>()
  let after: string | undefined
  let url = ''
  let focused: string | undefined
  for (let page = 0; page < pages; page++) {
    const result = await run({ name: 'snapshot', interactiveOnly: false, ...(after !== undefined && { after }) })
    if (!result.ok) return result
    const snapshot = parseSnapshot(result.data)
    if (!snapshot.ok) return { ok: false, error: snapshot.error }
    url = snapshot.meta.url
    focused ??= focusedIn(snapshot.tree)
    const before = targets.size
    for (const each of targetsIn(snapshot)) if (!targets.has(each.ref)) targets.set(each.ref, each)
    const isComplete = !snapshot.stats.truncated
    if (isComplete || targets.size === before) return ok({ targets: [...targets.values()], url, focused, isComplete })
    after = [...targets.keys()][targets.size - 1]
  }
  return ok({ targets: [...targets.values()], url, focused, isComplete: false })
}

/** The element that has the focus, in the innermost frame. */
const focusedIn = ({ ref, states, children }: ParsedNode): string | undefined =>
  children.reduce<string | undefined>((found, child) => found ?? focusedIn(child), undefined) ?? (states?.focused ? ref : undefined)

/** The elements with refs, in the order of the page. */
export function targetsIn({ tree }: Pick<ParsedSnapshot, 'tree'>): readonly PageTarget[] {
  const found: PageTarget[] = []
  let near = ''
  const visit = (node: ParsedNode, around: readonly ParsedNode[]): void => {
    const words = wordsOf(node)
    if (node.ref !== undefined) found.push({ ...describe(node, around), near })
    if (words !== '' && !isControl(node)) near = words
    for (const child of node.children) visit(child, [node, ...around])
  }
  visit(tree, [])
  return found
}

function describe(node: ParsedNode, around: readonly ParsedNode[]): Omit<PageTarget, 'near'> {
  const name = wordsOf(node)
  const item = around.find(each => itemRoles.has(each.role))
  const containers = around.filter(each => pathRoles.has(each.role)).reverse()
  return {
    ref: node.ref as string,
    role: node.role,
    name,
    item: item ? itemWords(item, node) : '',
    path: containers.map(each => (each.name ? `${each.role} "${cutWords(each.name)}"` : each.role)).join(' > '),
    frame: around
      .flatMap(each => (each.role === 'iframe' ? [wordsOf(each) || each.attrs.src || 'iframe'] : []))
      .reverse()
      .join(' > '),
    field: node.attrs.name ?? '',
    href: pathOf(node.attrs.href ?? ''),
  }
}

const pathOf = (href: string): string => {
  if (href === '') return ''
  try {
    return new URL(href, 'http://page.invalid/').pathname
  } catch {
    return ''
  }
}

/** The first words in an item that are not those of a control: its heading, first cell or text. */
function itemWords(item: ParsedNode, self: ParsedNode): string {
  if (item.role === 'group' || item.role === 'radiogroup') return cutWords(item.name)
  const first = (node: ParsedNode): string => {
    if (node === self || (isControl(node) && node !== item)) return ''
    const own = node === item ? cutWords(node.text) : wordsOf(node)
    if (own !== '') return own
    for (const child of node.children) {
      const words = first(child)
      if (words !== '') return words
    }
    return ''
  }
  return first(item)
}

const isEqual = (one: RecordedTarget, other: PageTarget): boolean =>
  one.role === other.role && one.name === other.name && (one.frame ?? '') === other.frame

/** What a recording keeps of an element: what is empty, or says no more than the rest, is omitted. */
export function toRecorded(target: PageTarget, all: readonly PageTarget[], isComplete = true): RecordedTarget {
  const equals = all.filter(each => isEqual(target, each))
  const { role, name, item, near, path, frame, field, href } = target
  return {
    role,
    name,
    ...(item && { item }),
    ...(equals.length > 1 && near && { near }),
    ...(path && { path }),
    ...(frame && { frame }),
    ...(equals.length > 1 && isComplete && { nth: `${equals.findIndex(({ ref }) => ref === target.ref) + 1} of ${equals.length}` }),
    ...(field && { field }),
    ...(href && { href }),
  }
}

export type FoundTarget = { readonly ref: string; readonly healed?: string } | { readonly why: string; readonly isMissing: boolean }

const clickable = new Set(['button', 'link', 'menuitem', 'tab', 'option'])
const editable = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton'])
const isSameKind = (one: string, other: string): boolean =>
  one === other || (clickable.has(one) && clickable.has(other)) || (editable.has(one) && editable.has(other))

/** The element that a recording means, and how it differs from the recording; the reason if there is none or more than one. */
export function findTarget(wanted: RecordedTarget, all: readonly PageTarget[]): FoundTarget {
  const equals = all.filter(each => isEqual(wanted, each))
  const inItem = equals.filter(each => each.item === (wanted.item ?? ''))
  if (inItem.length === 1) return found(wanted, inItem[0] as PageTarget, equals)
  if (inItem.length > 1) return amongEquals(wanted, inItem, equals)
  // the same words in another row are another element
  if (equals.length > 0 && wanted.item)
    return missing(`${label({ ...wanted, item: undefined })} is there, but not in ${quote(wanted.item, maxWords)}`)
  if (equals.length === 1) return found(wanted, equals[0] as PageTarget, equals)
  if (equals.length > 1) return ambiguous(wanted, equals.length)
  return renamed(wanted, all)
}

function amongEquals(wanted: RecordedTarget, same: readonly PageTarget[], equals: readonly PageTarget[]): FoundTarget {
  const inPath = same.filter(each => each.path === (wanted.path ?? ''))
  const nearby = (inPath.length > 0 ? inPath : same).filter(each => each.near === (wanted.near ?? ''))
  if (nearby.length === 1) return found(wanted, nearby[0] as PageTarget, equals)
  if (inPath.length === 1 && wanted.near === undefined) return found(wanted, inPath[0] as PageTarget, equals)
  // nothing tells them apart: the position counts only if there are as many as before
  const [, nth, of] = /^(\d+) of (\d+)$/.exec(wanted.nth ?? '') ?? []
  const byPosition = Number(of) === equals.length ? equals[Number(nth) - 1] : undefined
  const isSame =
    byPosition?.path === (wanted.path ?? '') && byPosition.near === (wanted.near ?? '') && byPosition.item === (wanted.item ?? '')
  return byPosition && isSame ? { ref: byPosition.ref } : ambiguous(wanted, same.length)
}

function found(wanted: RecordedTarget, target: PageTarget, equals: readonly PageTarget[]): FoundTarget {
  const nth = equals.length > 1 ? `${equals.indexOf(target) + 1} of ${equals.length}` : undefined
  if ((wanted.path ?? '') !== target.path)
    return { ref: target.ref, healed: `${label(wanted)} moved to ${target.path ? quote(target.path, 160) : 'the top of the page'}` }
  if (wanted.nth !== nth)
    return { ref: target.ref, healed: `${label(wanted)} is now ${nth ?? 'the only one'}, it was ${wanted.nth ?? 'the only one'}` }
  return { ref: target.ref }
}

/** An element with another name or role is the same one only if something else proves it, and nothing else has that proof. */
function renamed(wanted: RecordedTarget, all: readonly PageTarget[]): FoundTarget {
  const inFrame = all.filter(
    each => each.frame === (wanted.frame ?? '') && each.item === (wanted.item ?? '') && isSameKind(wanted.role, each.role),
  )
  const byRole = inFrame.filter(each => each.name === wanted.name && wanted.name !== '')
  if (byRole.length > 1) return ambiguous(wanted, byRole.length)
  if (byRole[0]) return { ref: byRole[0].ref, healed: `${label(wanted)} is now a ${byRole[0].role}` }
  const byAttribute = inFrame.filter(
    each =>
      each.role === wanted.role &&
      ((wanted.field && each.field === wanted.field) || (wanted.href && wanted.href !== '/' && each.href === wanted.href)),
  )
  if (byAttribute.length === 1) {
    const [{ ref, name, path }] = byAttribute as [PageTarget]
    if (path === (wanted.path ?? '')) return { ref, healed: `${label(wanted)} is now called ${quote(name, maxWords)}` }
  }
  return missing(`${label(wanted)} is not on the page`)
}

/** An element in words; those of the page are quoted. */
export const label = ({ role, name, item }: RecordedTarget): string =>
  `${/^[a-z]+$/i.test(role) ? role : quote(role, 40)} ${quote(name, maxWords)}${item ? ` in ${quote(item, maxWords)}` : ''}`
const missing = (why: string): FoundTarget => ({ why, isMissing: true })
const ambiguous = (wanted: RecordedTarget, count: number): FoundTarget => ({
  why: `${count} elements are ${label(wanted)}, and nothing tells which one is meant`,
  isMissing: false,
})
