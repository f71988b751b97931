import { isEditingHost } from './candidates.ts'
import type { Dom } from './dom.ts'
import { isSecretValue } from './secret-values.ts'
import { chineseOtherWords, chineseSecretWords, lastSecretWords, secretWords, trailingWords } from './secret-words.ts'
import { textBelow } from './text.ts'
import { labelBeside } from './visible-label.ts'

export { redacted } from '../contract/page-api.ts'

const secretTypes = /^(password|hidden)$/
const secretUses = /(^|\s)(current-password|new-password|one-time-code|cc-\S+)(\s|$)/
/** says what a field is for; `on` and `off` do not */
const otherUses = /(^|\s)(?!on(\s|$)|off(\s|$)|section-)[a-z]/
/** inputs whose value attribute is what they submit, not what the user enters */
export const choiceTypes = /^(checkbox|radio|button|submit|reset|image)$/i

// camelCase names have no separators at all sometimes: newpassword, userpasswd
const secretName = /passwo?r?d/
const anyWord = new RegExp(`(^| )(${secretWords})( |$)`)
const lastWord = new RegExp(`(^| )(${lastSecretWords})( (${trailingWords}))*( \\d+)?$`)
const chineseWord = new RegExp(chineseSecretWords)
const otherChineseWord = new RegExp(chineseOtherWords, 'g')
/** a longer label is a sentence about something else */
const maxLabel = 60
const maxLabels = 5

/** Whether the markup says that the value of a field must not leave the page. */
export function isSecret<N>(dom: Dom<N>, field: N): boolean {
  const read = (name: string) => (dom.attr(field, name) ?? '').toLowerCase()
  const type = read('type')
  // component libraries write it on the search field of a list, because browsers ignore `off`
  const use = read('autocomplete').replace(read('role') === 'combobox' ? /new-password/ : '', '')
  if (secretTypes.test(type) || secretUses.test(use)) return true
  const tag = dom.tag(field)
  const isChoice = tag === 'input' ? choiceTypes.test(type) : !/^(select|textarea)$/.test(tag) && !isEditingHost(dom, field)
  if (isChoice) return false
  // `autocomplete=postal-code` is no card PIN, and a field for searching is no place for a token
  const isSearch = type === 'search' || read('role') === 'searchbox'
  const isOther = isSearch || otherUses.test(use)
  const isSecretText = (text: string) => {
    const words = toWords(text)
    return anyWord.test(words) || chineseWord.test(words.replace(otherChineseWord, '')) || (!isOther && lastWord.test(words))
  }
  const names = ['name', 'id'].map(name => dom.attr(field, name) ?? '')
  if (names.some(name => secretName.test(name.toLowerCase()) || isSecretText(name))) return true
  if (tag === 'select') return false
  const labels = labelsOf(dom, field)
  if (!isSearch && /^(input|textarea)$/.test(tag)) labels.push(labelBeside(dom, field))
  return labels.some(label => label.length <= maxLabel && isSecretText(label)) || !!codeBoxes(dom, field)
}

/** Whether a field for text has a value that is secret wherever it is. */
export const hasSecretValue = <N>(dom: Dom<N>, field: N, value: string): boolean =>
  isSecretValue(value) && /^(input|textarea)$/.test(dom.tag(field)) && !choiceTypes.test(dom.attr(field, 'type') ?? '')

/** cardNumber2, CARD_NUMBER[] and "Card number (required) *" as words in lower case, separated by single spaces */
const toWords = (text: string): string =>
  text
    .normalize('NFKC')
    // forms justify their labels with spaces, and zero-width characters are invisible
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/([\u3400-\u9fff])\s+(?=[\u3400-\u9fff])/g, '$1')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/([a-z])(\d+)(?![a-z\d])/g, (all, letter, digits) => (/^(cv[cvn])2$/.test(all) ? all : `${letter} ${digits}`))
    .replace(/[^a-z\d\u00aa-\uffff]+/g, ' ')
    .trim()

function labelsOf<N>(dom: Dom<N>, field: N): string[] {
  const labels = ['aria-label', 'placeholder', 'title'].map(name => dom.attr(field, name) ?? '')
  const named = (dom.attr(field, 'aria-labelledby') ?? '').split(/\s+/, 5).map(id => (id ? dom.byId(field, id) : null))
  // the innermost labels of a field that a page buries in thousands of them
  const own = Array.from(dom.labels(field)).slice(-maxLabels)
  // a field inside its own label is not part of it
  for (const label of [...own, ...named])
    if (label && label !== field)
      labels.push(textBelow(dom, label, { shown: each => !/^(select|textarea)$/.test(dom.tag(each)), max: maxLabel * 2 }))
  return labels
}

const minBoxes = 4
const maxBoxes = 10

/** The boxes of a code that is typed one character per box, if the field is one of them; a grid of more boxes is a puzzle. */
export function codeBoxes<N>(dom: Dom<N>, field: N): N[] | undefined {
  const isBox = (node: N) =>
    dom.tag(node) === 'input' && dom.attr(node, 'maxlength') === '1' && !/^(hidden|checkbox|radio)$/.test(dom.attr(node, 'type') ?? '')
  if (!isBox(field)) return undefined
  let boxes: N[] = []
  let parent = dom.parent(field)
  for (let level = 0; parent && level < 4 && boxes.length < minBoxes; level++, parent = dom.parent(parent)) {
    boxes = []
    const stack: N[] = [parent]
    for (let node = stack.pop(), visits = 0; node !== undefined && visits < 80; node = stack.pop(), visits++) {
      if (dom.tag(node) === '') continue
      if (isBox(node)) boxes.push(node)
      const children = dom.children(node)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as N)
    }
  }
  return boxes.length >= minBoxes && boxes.length <= maxBoxes ? boxes : undefined
}

/** why a selector is refused */
export const secretSelector = 'a selector must not compare value or srcdoc, which may hold secrets:'

const gap = '(?:\\s|/\\*[\\s\\S]*?\\*/)*'
const secretAttribute = new RegExp(`\\[${gap}(?:[^\\s\\[\\]"'=]*\\|)?${gap}(?:value|srcdoc)(?![\\w-])`, 'i')

/** selectors written by hand are shorter, and searching must not take long */
const maxSelector = 5_000

/**
 * Whether a CSS selector compares an attribute that may hold a secret. Whether such a selector matches would reveal the secret character
 * by character.
 */
export function comparesSecrets(selector: string): boolean {
  // escapes are resolved first: [\76 alue^="a"] is [value^="a"]
  const resolved = selector.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_, hex: string | undefined, character: string) =>
    hex ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)) : character,
  )
  return /value|srcdoc/i.test(resolved) && (resolved.length > maxSelector || secretAttribute.test(resolved))
}
