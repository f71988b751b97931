// Plain instructions in English and simple Chinese, as a list of steps. Nothing here knows a page.
import { parseDate } from './rules-dates.ts'

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
  | { readonly kind: 'back' }
  | { readonly kind: 'unknown' }
)

export interface FieldValue {
  readonly field: string
  readonly value: string
}

const verbs =
  'open|go|visit|navigate|search|look up|find|log ?in|sign ?in|tick|untick|check|uncheck|mark|add|put|check ?out|buy|order|pay|fill|enter|type|set|choose|select|pick|click|press|tap|double-click|push|filter|sort|show|upload|attach|submit|send|save|scroll|wait|tell|read|report|extract|delete|remove|switch|close|turn|continue|clear'
const chineseVerbs =
  '点击|单击|双击|打开|访问|进入|搜索|查找|输入|填写|填入|选择|选中|勾选|取消|上传|登录|用|把|将|在|添加|加入|新增|删除|移除|等待|翻到|转到|下一页|上一页|结账|结算|提交|保存|滚动|告诉|读取|筛选|过滤|设置|切换|按'
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

type Rule = readonly [pattern: RegExp, build: (found: InstructionMatch) => Step | undefined]
type Step = Instruction extends infer Each ? (Each extends { readonly words: string } ? Omit<Each, 'words'> : never) : never
interface InstructionMatch {
  readonly groups: { readonly [name: string]: string | undefined }
  /** a group without its mask, quotes and article */
  word(name: string): string
  /** the members of a list such as `A, B and C` */
  list(name: string): readonly string[]
}

function parseClause(clause: string, masks: Masks): Instruction | undefined {
  const words = masks.unmask(clause)
  const polite = clause.replace(/^(?:please|now|next|first|also|and|请|先|现在)[,，]?\s*/i, '')
  if (/^(?:fill|set)\s*(?:in|out|up)?\s*(?:the|this)?\s*(?:form|fields|settings)?\s*[:：]?$/i.test(polite)) return undefined
  for (const [pattern, build] of rules) {
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
    // the words are repeated in notes and summaries, where a password does not belong
    if (step) return { ...step, words: step.kind === 'logIn' ? `log in as ${step.user}` : words } as Instruction
  }
  return { kind: 'unknown', words }
}

const withoutArticle = (text: string): string => text.replace(/^(?:[Tt]he|an?|my|your|一个|这个)\s+/, '')
const optional = <Name extends string>(name: Name, word: string) => (word ? { [name]: word } : {}) as { [Each in Name]?: string }
/** `Name with Ada, Email with a@b` */
const pair = /^(?<field>.+?)\s*(?:\s(?:with|to|as|is)\s|[:：=]|为|成)\s*(?<value>.+)$/i

const everything = /^(?:all|every(?:thing)?|each|所有的?|全部的?)\b\s*(?:of\s+)?(?:the\s+)?|^(?:所有的?|全部的?)/i

const rules: readonly Rule[] = [
  [
    /^(?:open|go to|visit|navigate to|打开|访问|进入)\s*(?<url>[\ue000-\uf8ff])\s*(?:in a new tab|in another tab)$/i,
    ({ word }) => (isUrl(word('url')) ? { kind: 'newTab', url: word('url') } : { kind: 'newTab', name: word('url') }),
  ],
  [/^(?:在新(?:标签页|标签|窗口)中?打开|open in a new tab)\s*(?<name>.+)$/i, found => newTab(found)],
  [/^open\s+(?<name>.+?)\s+in (?:a new|another) tab$/i, found => newTab(found)],
  [
    /^(?:switch|go back|go|return|切换)\s*(?:to|到|回)?\s*(?:the\s+)?(?<which>first|second|third|new|other|last|previous|第一个|新|上一个|\S+)\s*(?:tab|标签页?)$/i,
    ({ word }) => ({ kind: 'tab', which: word('which').toLowerCase() }),
  ],
  [
    /^(?:open|go to|visit|navigate to|打开|访问|进入)\s*(?:the page\s+)?(?<url>[\ue000-\uf8ff])$/i,
    ({ word }) => (isUrl(word('url')) ? { kind: 'open', url: word('url') } : undefined),
  ],
  [/^(?:go|return)\s+back$|^返回$|^后退$/i, () => ({ kind: 'back' })],
  [
    /^(?:go to|open|show|turn to)?\s*(?:the\s+)?(?<which>next|previous|last|first)\s+page$|^(?<chinese>下一页|上一页|末页|首页)$/i,
    ({ word }) => ({ kind: 'page', page: pageWord(word('which') || word('chinese')) }),
  ],
  [
    /^(?:(?:go|turn|switch) to|open|show|翻到|转到|打开)?\s*(?:page\s+(?<page>\d+)|第\s*(?<nth>\d+)\s*页)(?:\s+of\s+.+)?$/i,
    ({ word }) => ({ kind: 'page', page: Number(word('page') || word('nth')) }),
  ],
  [
    /^(?:log|sign)\s?in\s+(?:as|with|using)\s+(?:user(?:name)?\s+|email\s+|card\s+)?(?<user>\S+?)\s*(?:\/|,|\s+and\s+|\s+with\s+|\s+)\s*(?:(?:the\s+)?password\s+)?(?<password>\S.*)$/i,
    found => logIn(found),
  ],
  [
    /^用\s*(?<user>\S+?)\s*(?:\/|和)\s*(?:密码\s*)?(?<password>\S+?)\s*登录$|^登录\s*(?<name>\S+?)\s*\/\s*(?<secret>\S+)$/,
    ({ word }) => ({ kind: 'logIn', user: word('user') || word('name'), password: word('password') || word('secret') }),
  ],
  [
    /^(?:search|look)\s+(?:for|up)\s+(?<query>.+?)\s+(?:in|with)\s+(?:the\s+)?(?<field>.*\b(?:box|field|bar))$/i,
    ({ word }) => ({ kind: 'search', query: word('query'), field: word('field').replace(/\s*(?:box|field|bar)$/i, '') }),
  ],
  [/^(?:search\s+for|search|look\s+up|搜索|查找)\s*(?<query>.+)$/i, ({ word }) => ({ kind: 'search', query: word('query') })],
  [
    /^(?:check\s?out|proceed to (?:the\s+)?check\s?out|buy (?:it|them)|place (?:the|my) order|pay|结账|结算|下单)(?:\s*(?:with|as|using|用|[:：])\s*(?<details>.+))?$/i,
    found => ({ kind: 'checkOut', details: found.list('details') }),
  ],
  [
    /^(?:add|put)\s+(?<items>.+?)\s+(?:to|in|into)\s+(?:the\s+|my\s+)?(?:shopping\s+)?(?:cart|basket|bag)$/i,
    ({ list }) => ({ kind: 'cart', items: list('items').map(withoutArticle) }),
  ],
  [/^(?:把|将)\s*(?<items>.+?)\s*(?:加入|放入|添加到)\s*购物(?:车|篮)$/, ({ list }) => ({ kind: 'cart', items: list('items') })],
  [
    /^(?<un>un)?(?:tick|check|mark)\s+(?:off\s+)?(?<what>.+?)(?:\s+as\s+(?:done|read|complete[d]?))?$/i,
    ({ groups, word, list }) => tick(word('what'), list('what'), groups.un === undefined),
  ],
  [/^(?<un>取消)?(?:勾选|选中)\s*(?<what>.+)$/, ({ groups, word, list }) => tick(word('what'), list('what'), groups.un === undefined)],
  [
    /^(?:upload|attach|上传)\s*(?:the\s+)?(?:file\s+|文件\s*)?(?<file>[\ue000-\uf8ff]|\S+)(?:\s+(?:to|as|in|into|for)\s+(?<field>.+))?$/i,
    ({ word }) => ({ kind: 'upload', file: word('file'), ...optional('field', word('field')) }),
  ],
  [
    /^(?:choose|select|pick|set|enter|选择)\s*(?:the\s+)?(?<field>.*?\s*date|日期)?\s*(?:to|as|of)?\s*(?<date>.*\d.*?)(?:\s+(?:as|for|in)\s+(?<late>.+))?$/i,
    found => date(found),
  ],
  [
    /^(?:filter|show only|narrow)\s*(?:down\s+)?(?<field>.*?)\s*(?:by|to|for|with)\s+(?<value>.+)$|^(?:筛选|过滤)\s*(?:(?<name>.+?)\s*(?:为|是|[:：]))?\s*(?<chinese>.+)$/i,
    found => filter(found),
  ],
  [/^(?:choose|select|pick)\s+(?<value>.+?)\s+(?:in|for|from|as|under)\s+(?<field>.+)$/i, found => choose(found)],
  [
    /^(?:在\s*(?<field>.+?)\s*(?:中|里))?选择\s*(?<value>.+)$|^(?:choose|select|pick)\s+(?<other>.+)$/i,
    ({ word }) => ({ kind: 'choose', value: word('value') || word('other'), ...optional('field', word('field')) }),
  ],
  [/^(?:fill|set)\s+(?:in\s+|out\s+)?(?<fields>.+)$/i, found => fields(found)],
  [/^(?:enter|type|write|put)\s+(?<value>.+?)\s+(?:in|into|as|for)\s+(?:the\s+)?(?:field\s+)?(?<field>.+)$/i, found => oneField(found)],
  [
    /^在\s*(?<field>.+?)\s*(?:中|里|上)?\s*(?:输入|填写|填入)\s*(?<value>.+)$|^(?:把|将)\s*(?<name>.+?)\s*(?:填写?为|设置?为|改为|设成)\s*(?<other>.+)$/,
    found => oneField(found),
  ],
  [
    /^turn\s+(?<state>on|off)\s+(?<field>.+)$/i,
    ({ word }) => ({ kind: 'fill', fields: [{ field: word('field'), value: word('state') === 'on' ? 'true' : 'false' }], submit: false }),
  ],
  [
    /^(?:press|hit|按)\s*(?:the\s+)?(?<key>(?:(?:Control|Ctrl|Shift|Alt|Meta)\+)*(?:Enter|Tab|Escape|Esc|Backspace|Delete|Space|Home|End|Page(?:Up|Down)|Arrow\w+|F\d+))(?:\s*(?:key|键))?$/i,
    ({ word }) => ({ kind: 'press', key: word('key') }),
  ],
  [
    /^(?<twice>double-?\s?)?(?:click|press|tap|push|hit)\s+(?:on\s+)?(?<name>.+?)(?:\s+(?:in|of|for|next to|beside|near)\s+(?:the\s+(?:row|line|item)\s+(?:of\s+)?)?(?<near>.+))?$/i,
    ({ groups, word }) => click(word('name'), word('near'), groups.twice !== undefined),
  ],
  [
    /^(?<twice>双击)?(?:点击|单击|按下?)?\s*(?:(?<near>.+?)(?:旁边|一行|中)的)?\s*(?<name>.+?)(?:按钮|链接)$|^(?:点击|单击)\s*(?<other>.+)$/,
    ({ groups, word }) => click(word('name') || word('other'), word('near'), groups.twice !== undefined),
  ],
  [
    /^(?:delete|remove|clear|删除|移除)\s*(?<name>.+?)(?:\s+from\s+(?:the\s+)?(?:list|cart|table))?$/i,
    ({ word }) => ({ kind: 'remove', name: word('name') }),
  ],
  [
    /^(?:add|create|新增|添加)\s*(?:an?\s+|the\s+|new\s+)*(?:todos?|tasks?|items?|entr(?:y|ies)|notes?|待办(?:事项)?|任务)?\s*[:：]?\s*(?<items>.+?)(?:\s+to\s+(?:the\s+|my\s+)?(?:todo\s+|to-do\s+)?list)?$/i,
    ({ list }) => ({ kind: 'add', items: list('items') }),
  ],
  [
    /^(?:submit|send|save)(?:\s+(?:the\s+)?(?:form|settings|changes|it|everything))?$|^(?:提交|保存|发送)(?:表单|设置)?$/i,
    () => ({ kind: 'submit' }),
  ],
  [
    /^scroll\s+(?:down\s+)?(?:to|until(?:\s+you\s+see)?)\s+(?<to>.+?)(?:\s+(?:appears|is shown|is visible))?$|^滚动到\s*(?<name>.+)$/i,
    ({ word }) => ({ kind: 'scroll', to: word('to') || word('name') }),
  ],
  [
    /^wait\s+(?:for|until)\s+(?<text>.+?)(?:\s+(?:appears?|is shown))?$|^等待\s*(?<name>.+?)(?:出现)?$/i,
    ({ word }) => ({ kind: 'wait', text: word('text') || word('name') }),
  ],
  [
    /^(?:tell me|read|report|extract|what is|what are|say|告诉我|读取)\s*(?<query>.+)$/i,
    ({ word }) => ({ kind: 'read', query: word('query') }),
  ],
  [/^(?:open|go to|visit|find|打开|进入)\s*(?<name>.+)$/i, ({ word }) => click(word('name'), '', false)],
  [/^(?<field>[^:：=]{1,80}?)\s*[:：=]\s*(?<value>.+)$/, found => oneField(found)],
]

const isUrl = (text: string): boolean => /^(?:https?|file):\/\//i.test(text)

const newTab = ({ word }: InstructionMatch): Step =>
  isUrl(word('name')) ? { kind: 'newTab', url: word('name') } : { kind: 'newTab', name: word('name') }

const logIn = ({ word }: InstructionMatch): Step => ({ kind: 'logIn', user: word('user'), password: word('password') })

const click = (name: string, near: string, isDouble: boolean): Step => ({
  kind: 'click',
  name: name.replace(/\s+(?:button|link|tab|menu|icon)$/i, '') || name,
  ...optional('near', near),
  ...(isDouble && { times: 2 as const }),
})

function tick(what: string, list: readonly string[], on: boolean): Step {
  const isAll = everything.test(what)
  return { kind: 'tick', names: isAll ? 'all' : list, among: isAll ? what.replace(everything, '') : '', on }
}

function date({ word }: InstructionMatch): Step | undefined {
  const day = parseDate(word('date'))
  const field = (word('late') || word('field')).replace(/^(?:date|日期)$/i, '')
  return day === undefined ? undefined : { kind: 'date', date: day, ...optional('field', field) }
}

function filter({ word }: InstructionMatch): Step {
  const field = (word('field') || word('name')).replace(/^(?:table|list|results?|rows?|it|them|orders|items|表格|列表)$/i, '')
  return { kind: 'filter', value: word('value') || word('chinese'), ...optional('field', field) }
}

const choose = ({ word }: InstructionMatch): Step => ({
  kind: 'choose',
  value: word('value'),
  field: word('field').replace(/^(?:list|menu|suggestions?)$/i, ''),
})

function fields({ list, word }: InstructionMatch): Step | undefined {
  const pairs = list('fields').map(each => pair.exec(each)?.groups)
  if (pairs.every(each => each !== undefined))
    return {
      kind: 'fill',
      submit: false,
      fields: pairs.map(each => ({ field: withoutArticle(each.field as string), value: (each.value as string).trim() })),
    }
  const whole = pair.exec(word('fields'))?.groups
  return (
    whole && {
      kind: 'fill',
      submit: false,
      fields: [{ field: withoutArticle(whole.field as string), value: (whole.value as string).trim() }],
    }
  )
}

const oneField = ({ word }: InstructionMatch): Step => ({
  kind: 'fill',
  submit: false,
  fields: [{ field: (word('field') || word('name')).replace(/\s+field$/i, ''), value: word('value') || word('other') }],
})

const pageWord = (word: string) =>
  (({ 下一页: 'next', 上一页: 'previous', 末页: 'last', 首页: 'first' })[word] as 'next' | undefined) ??
  (word.toLowerCase() as 'next' | 'previous' | 'last' | 'first')

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
