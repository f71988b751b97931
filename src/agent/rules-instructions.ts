// Plain instructions in English and simple Chinese, as a list of steps. Nothing here knows a page.
import { instructionPatterns, withoutArticle } from './rules-patterns.ts'

/** A step that the rules can take. */
export type Instruction = { readonly words: string } & (
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'newTab'; readonly url?: string; readonly name?: string }
  | { readonly kind: 'tab'; readonly which: string }
  | { readonly kind: 'search'; readonly query: string; readonly field?: string }
  | { readonly kind: 'logIn'; readonly user: string; readonly password: string }
  | { readonly kind: 'tick'; readonly names: readonly string[] | 'all'; readonly among: string; readonly on: boolean }
  | { readonly kind: 'cart'; readonly items: readonly string[] }
  | { readonly kind: 'checkOut'; readonly details: readonly string[] }
  | { readonly kind: 'fill'; readonly fields: readonly FieldValue[]; readonly submit: boolean }
  | { readonly kind: 'add'; readonly items: readonly string[] }
  | { readonly kind: 'choose'; readonly value: string; readonly field?: string }
  | { readonly kind: 'click'; readonly name: string; readonly near?: string; readonly times?: 2 }
  | { readonly kind: 'find'; readonly name: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'press'; readonly key: string }
  | { readonly kind: 'filter'; readonly value: string; readonly field?: string }
  | { readonly kind: 'page'; readonly page: number | 'next' | 'previous' | 'last' | 'first' }
  | { readonly kind: 'date'; readonly date: string; readonly field?: string }
  | { readonly kind: 'upload'; readonly file: string; readonly field?: string }
  | { readonly kind: 'submit' }
  | { readonly kind: 'scroll'; readonly to: string }
  | { readonly kind: 'wait'; readonly text: string }
  | { readonly kind: 'read'; readonly query: string }
  | { readonly kind: 'handOff'; readonly reason: string }
  | { readonly kind: 'back' }
  | { readonly kind: 'unknown' }
)

export interface FieldValue {
  readonly field: string
  readonly value: string
}

const verbs =
  'open|go|visit|navigate|search|look up|find|log ?in|sign ?in|tick|untick|check|uncheck|mark|add|put|check ?out|buy|order|pay|fill|enter|type|set|choose|select|pick|click|press|tap|double-click|push|filter|sort|show|upload|attach|submit|send|save|scroll|wait|tell|read|report|extract|delete|remove|switch|close|turn|continue|clear|let me|ask me'
const chineseVerbs =
  '点击|单击|双击|打开|访问|进入|搜索|查找|输入|填写|填入|选择|选中|勾选|取消|上传|登录|用|把|将|在|添加|加入|新增|删除|移除|等待|翻到|转到|下一页|上一页|结账|结算|提交|保存|滚动|告诉|读取|筛选|过滤|设置|切换|按|让我'
const separators = new RegExp(
  [
    '\\n+',
    '[;；。!！]+',
    '[.?](?=\\s|$)',
    '[,，、]?\\s*\\b(?:and then|after that|afterwards|then|finally)\\b[,，]?\\s*',
    `[,，]\\s*(?:and\\s+)?(?=(?:${verbs})\\b)`,
    `\\s+and\\s+(?=(?:${verbs})\\b)`,
    `[,，、]?\\s*(?:然后|接着|之后|最后|并且)[,，]?\\s*`,
    `[,，、]\\s*(?:再|并)?(?=${chineseVerbs})`,
    `(?:再|并)(?=${chineseVerbs})`,
  ].join('|'),
  'i',
)

/** Quoted words and URLs are not split; each is replaced by one character of the private use area. */
class Masks {
  readonly #masked: string[] = []

  mask(text: string): string {
    const keep = (words: string) => String.fromCharCode(0xe000 + this.#masked.push(words) - 1)
    return text
      .replace(/"([^"]*)"|“([^”]*)”|「([^」]*)」|『([^』]*)』|《([^》]*)》|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu, (_, ...found) =>
        keep(found.slice(0, 6).find(each => each !== undefined) as string),
      )
      .replace(/\b(?:https?|file):\/\/[^\s<>"，。；]*[^\s<>"，。；.,;!?)]/gi, keep)
      .replace(/\{\{[^}]*\}\}|(?<=^|\s)(?:\.{0,2}\/|[A-Za-z]:\\)?[\w./\\-]+\.\w{2,5}(?=$|[\s,;，；])|[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g, keep)
  }

  unmask(text: string): string {
    return text.replace(/[\ue000-\uf8ff]/g, each => this.#masked[each.charCodeAt(0) - 0xe000] ?? '').trim()
  }
}

/**
 * The steps of a goal, in the order of its text.
 *
 * @example
 * parseInstructions('Search for tea, then click "Green tea"').map(({ kind }) => kind) // ['search', 'click']
 */
export function parseInstructions(goal: string): readonly Instruction[] {
  const masks = new Masks()
  const clauses = masks
    // the numbers of a list are no sentences
    .mask(goal.replace(/\r/g, '').replace(/^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+/gm, ''))
    .split(separators)
    .map(clause => clause?.trim() ?? '')
    .filter(clause => /[\p{L}\p{N}\ue000-\uf8ff]/u.test(clause))
  const steps = clauses.flatMap(clause => parseClause(clause, masks) ?? [])
  return joinFields(steps)
}

function parseClause(clause: string, masks: Masks): Instruction | undefined {
  const words = masks.unmask(clause)
  const polite = clause.replace(/^(?:please|now|next|first|also|and|请|先|现在)[,，]?\s*/i, '')
  if (/^(?:fill|set)\s*(?:in|out|up)?\s*(?:the|this)?\s*(?:form|fields|settings)?\s*[:：]?$/i.test(polite)) return undefined
  for (const [pattern, build] of instructionPatterns) {
    const found = pattern.exec(polite)
    if (!found) continue
    const groups = found.groups ?? {}
    const plain = (text: string) => masks.unmask(withoutArticle(text.trim()))
    const step = build({
      groups,
      word: name => plain(groups[name] ?? ''),
      list: name =>
        (groups[name] ?? '')
          .split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*[、，和]\s*/)
          .map(plain)
          .filter(Boolean),
    })
    if (step) return { ...step, words: wordsFor(step, /\p{Script=Han}/u.test(words)) ?? words } as Instruction
  }
  return { kind: 'unknown', words }
}

/** The words are repeated in notes and summaries, where a password does not belong; whether a field hides its value is not known yet. */
function wordsFor(step: Omit<Instruction, 'words'>, isChinese: boolean): string | undefined {
  const { kind, user, fields } = step as {
    readonly kind: Instruction['kind']
    readonly user?: string
    readonly fields?: readonly FieldValue[]
  }
  if (kind === 'logIn') return isChinese ? `用 ${user} 登录` : `log in as ${user}`
  if (kind !== 'fill') return undefined
  const names = (fields ?? []).map(({ field }) => field)
  return isChinese ? `填写${names.join('、')}` : `fill in ${names.join(', ')}`
}

/** Fields that follow each other are set in one call, which also sends the form if that is the next step. */
function joinFields(steps: readonly Instruction[]): readonly Instruction[] {
  const joined: Instruction[] = []
  for (const step of steps) {
    const last = joined[joined.length - 1]
    if (step.kind === 'fill' && last?.kind === 'fill' && !last.submit)
      joined[joined.length - 1] = { ...last, words: `${last.words}, ${step.words}`, fields: [...last.fields, ...step.fields] }
    else if (step.kind === 'submit' && last?.kind === 'fill')
      joined[joined.length - 1] = { ...last, words: `${last.words}, ${step.words}`, submit: true }
    else joined.push(step)
  }
  return joined
}
