// Finds the element that an instruction means: by role, name, the words around it, state, and order in the text.
import { foldWords } from '../contract/fold-words.ts'
import type { PageElement } from './rules-page.ts'

/** What an instruction says about an element. */
export interface ElementQuery {
  readonly name?: string
  /** a pattern that its name has to match, where the instruction gives no name */
  readonly like?: RegExp
  readonly roles: RegExp
  /** words of the row or item that it is in */
  readonly near?: string
  readonly where?: (element: PageElement) => boolean
}

export interface Match {
  readonly element: PageElement & { readonly ref: string }
  /** the name is exactly the one in the instruction */
  readonly isExact: boolean
}

export const fieldRoles = /^(textbox|searchbox|combobox|spinbutton|slider|listbox)$/
export const setRoles = /^(textbox|searchbox|combobox|spinbutton|slider|checkbox|switch|listbox)$/
export const boxRoles = /^(checkbox|switch|menuitemcheckbox|radio)$/
export const buttonRoles =
  /^(button|link|tab|menuitem|menuitemradio|menuitemcheckbox|option|treeitem|gridcell|cell|summary|generic|clickable)$/
export const anyControl = /./

/** Lower case, without punctuation: `Sign in…` and `sign in` are one name. */
export const normalized = (text: string): string => foldWords(foldWords(text).replace(/[^\p{L}\p{N}]+/gu, ' '))

/** Words, and single characters of scripts that are written without spaces. */
const tokensOf = (text: string): readonly string[] => normalized(text).match(/\p{Script=Han}|[^\p{Script=Han}\s]+/gu) ?? []

/** The part of the words that a text contains, from 0 to 1. */
export function overlap(words: string, text: string): number {
  const wanted = tokensOf(words)
  if (wanted.length === 0) return 0
  const held = new Set(tokensOf(text))
  return wanted.filter(token => held.has(token) || held.has(singular(token))).length / wanted.length
}

const singular = (token: string): string => token.replace(/s$/, '')
const hasWords = (text: string, words: string): boolean =>
  /\p{Script=Han}/u.test(words) ? text.includes(words) : ` ${text} `.includes(` ${words} `)

/** From 0 (another element) to 100 (the same name). */
function nameScore(element: PageElement, wanted: string): number {
  const name = normalized(element.name || element.text)
  if (name === wanted && name !== '') return 100
  const others = [element.attributes.placeholder, element.attributes.hint, element.attributes.name, element.attributes.value].map(each =>
    normalized(each ?? ''),
  )
  if (others.includes(wanted)) return 80
  if (name !== '' && hasWords(name, wanted)) return 75 - Math.min(20, (name.length - wanted.length) / 4)
  if (name.length > 1 && hasWords(wanted, name)) return 55 * Math.min(1, 0.5 + name.length / wanted.length)
  if (others.some(each => hasWords(each, wanted))) return 50
  const common = overlap(wanted, `${name} ${others.join(' ')}`)
  return common >= 0.6 ? 45 * common : 0
}

const leastScore = 30
/** less of the words around an element means that it is in another row */
const leastNear = 0.6

function scoreOf(element: PageElement, { name, like, roles, near, where }: ElementQuery): number {
  if (element.ref === undefined || !roles.test(element.role) || where?.(element) === false) return 0
  const label = element.name || element.text || (element.attributes.hint ?? '')
  const isLike = (words: string) => like === undefined || like.test(words) || like.test(foldWords(words))
  let score = isLike(label) || isLike(element.attributes.placeholder ?? '') ? 100 : 0
  if (name !== undefined) score = nameScore(element, normalized(name))
  if (score < leastScore) return 0
  if (near !== undefined) {
    const common = overlap(near, `${element.item} ${element.name}`)
    if (common < leastNear) return 0
    // a short item says more than a long one that mentions the words too
    score += 40 * common - Math.min(10, element.item.length / 40)
  }
  return score - (element.states.has('disabled') ? 15 : 0)
}

/** The best match; the first in the text among equals. */
export function findElement(elements: readonly PageElement[], query: ElementQuery): Match | undefined {
  let best: PageElement | undefined
  let most = 0
  for (const element of elements) {
    const score = scoreOf(element, query)
    if (score > most) [best, most] = [element, score]
  }
  if (best?.ref === undefined) return undefined
  return { element: best as Match['element'], isExact: most >= 95 }
}

/**
 * The different elements that fit the words as well as the best one does; empty if one fits best. A name that is the same counts more than
 * one that contains the words, which counts more than one that resembles them; so does the item that an element is in.
 */
export function findRivals(elements: readonly PageElement[], query: ElementQuery): readonly PageElement[] {
  const { name, near } = query
  if (name === undefined && near === undefined) return []
  const fitting = findElements(elements, query).filter(each => !each.states.has('disabled'))
  const rankOf = (element: PageElement) =>
    10 * (name === undefined ? 0 : nameRank(nameScore(element, normalized(name)))) + (near === undefined ? 0 : nearTier(element, near))
  const ranks = fitting.map(rankOf)
  const best = fitting.filter((_, at) => ranks[at] === Math.max(...ranks))
  const different = best.filter((each, at) => !best.some((other, before) => before !== at && isPartOf(other, each, before < at)))
  return different.length > 1 ? different : []
}

/** The same name, another attribute, or the words as a part of the name; names that only resemble the words differ by how much they do. */
const nameRank = (score: number): number => [95, 76, 55.5].find(least => score >= least) ?? Math.round(score / 10)

/** Whether the item is about these words only, or contains all of them. */
function nearTier({ item, name }: PageElement, near: string): number {
  const rest = tokensOf(item).filter(token => !tokensOf(name).includes(token))
  return overlap(rest.join(' '), near) === 1 ? 2 : overlap(near, `${item} ${name}`) === 1 ? 1 : 0
}

/** Whether an element is, or is a part of, the other one: a card and its link have the same words around them. */
function isPartOf(part: PageElement, whole: PageElement, isFirst: boolean): boolean {
  const [inner, outer] = [normalized(part.name || part.text), normalized(whole.name || whole.text)]
  if (normalized(part.item) !== normalized(whole.item)) return false
  return inner === outer ? isFirst : whole.item !== '' && inner !== '' && hasWords(outer, inner)
}

/** All elements that fit, in the order of the text. */
export const findElements = (elements: readonly PageElement[], query: ElementQuery): readonly Match['element'][] =>
  elements.filter((element): element is Match['element'] => scoreOf(element, query) > 0)

/** Words that mean the same on different sites. */
export const meanings = {
  search: /\b(search|find|look ?up|query)\b|搜索|查找|检索/i,
  filter: /\b(filter|search|narrow|find)\b|筛选|过滤|搜索/i,
  user: /\b(user ?name|user|e-?mail|login|account|card|phone|name|id)\b|用户|邮箱|账号|帐号|手机/i,
  logIn: /\b(log ?in|sign ?in|continue|next|submit|go)\b|登录|登陆|下一步|继续/i,
  addToCart: /\badd\b.*\b(cart|basket|bag)\b|^\s*(add|buy|buy now)\s*$|加入购物|添加到购物|放入购物/i,
  cart: /\b(cart|basket|bag)\b|购物车|购物篮/i,
  checkOut: /\bcheck ?out\b|结账|结算|去支付/i,
  proceed: /^\s*(continue|proceed|next|review|go on)\b|继续|下一步/i,
  order:
    /\b(place|confirm|complete|submit|send)\b.*\b(order|purchase|payment)\b|^\s*(pay|buy|order)\b( now)?|\bbuy now\b|提交订单|确认订单|立即购买|付款|支付/i,
  ordered: /\b(thank you|order (?:#?\S+ )?(?:is |was |has been )?(?:placed|confirmed|complete|received))\b|谢谢|下单成功|订单已/i,
  submit: /^\s*(submit|save|send|apply|update|ok|confirm|done|create|register)\b|提交|保存|发送|确定|应用/i,
  add: /^\s*(add|create|\+)|添加|新增/i,
  newItem: /\b(new|add|todo|to-do|task|item|needs? to be done|what|note)\b|新|待办|添加/i,
  remove: /^\s*(delete|remove|×|x|✕|clear)\b|^\s*[×✕]\s*$|删除|移除/i,
  next: /^\s*(next|older|›|»|→|>)|下一页|下一|后一/i,
  previous: /^\s*(prev|previous|newer|‹|«|←|<)|上一页|上一|前一/i,
  nextMonth: /next(?: month)?|›|»|→|^>$|下个?月|下一/i,
  previousMonth: /prev(?:ious)?(?: month)?|‹|«|←|^<$|上个?月|上一/i,
  date: /\b(date|day|when|calendar|arrival|departure|check-?in)\b|日期|日历/i,
  all: /^\s*(?:(?:select|toggle|mark|check)\s+)?all\b|全选|全部/i,
} as const
