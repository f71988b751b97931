// What a page says when it does not accept what was done: the rules do not call that done.
import { fieldRoles } from './rules-match.ts'
import { lastPart, type PageElement, type PageView, type ToolAnswer } from './rules-page.ts'

/** words of a page that refuses something; those of a page that confirms it have none of them */
const refusing =
  /\b(wrong|invalid|incorrect|fail(?:ed|ure)|errors?|denied|declined|rejected|refused|expired|unable|try again|not (?:valid|correct|found|recogni[sz]ed|allowed|accepted|available)|(?:does|do|did) not match|can(?:not|'t)|could(?: not|n't)|please (?:enter|fill|check|choose|select|provide))\b|错误|失败|无效|不正确|不匹配|请(?:输入|填写|检查|选择)|拒绝/i

const wordsOf = ({ fresh }: PageView, role: RegExp): readonly string[] =>
  fresh.flatMap(each => (role.test(each.role) ? each.text || each.name || [] : [])).filter(words => refusing.test(words))

const isPassword = ({ attributes }: PageElement): boolean => attributes.type === 'password'

interface LastAction {
  readonly page: PageView
  readonly last: ToolAnswer | undefined
  /** what it was for; that of a click names its target */
  readonly phase: string
}

/** Why the page did not accept the last action, in a sentence; undefined if nothing says so. */
export function refusalOf({ page, last, phase }: LastAction): string | undefined {
  const text = last ? lastPart(last).text : ''
  const [alert] = wordsOf(page, /^(alert|alertdialog)$/)
  const says = alert ?? wordsOf(page, /^(text|paragraph|status)$/)[0]
  const quoted = says === undefined ? '' : ` and says "${says.slice(0, 200)}"`
  const invalid = page.fresh
    .filter(each => fieldRoles.test(each.role) && each.states.has('invalid'))
    .map(({ name, role }) => `"${name || role}"`)
  if (invalid.length > 0) return `the page does not accept ${invalid.join(', ')}${quoted}.`
  if (alert !== undefined) return `the page says "${alert}".`
  const isNew = /^new page:/m.test(text)
  // a link leads to a form, a button sends it
  const again = isNew && !phase.startsWith('act link') ? page.repeated.filter(each => isPassword(each) || says !== undefined) : []
  if (again.length > 0) return `the page asks for ${again.map(({ name, role }) => `"${name || role}"`).join(', ')} again${quoted}.`
  const [, status] = /^<page .*\bstatus=([45]\d\d)\b/m.exec(text) ?? []
  return isNew && status !== undefined ? `the server answered with status ${status}${quoted}.` : undefined
}
