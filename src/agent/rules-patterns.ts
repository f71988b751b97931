// The sentences that the rules understand, in the order in which they are tried.
import { parseDate } from './rules-dates.ts'
import type { Instruction } from './rules-instructions.ts'

/** A sentence, and the step that it means; undefined if another sentence fits. */
type Pattern = readonly [pattern: RegExp, build: (found: InstructionMatch) => Step | undefined]
type Step = Instruction extends infer Each ? (Each extends { readonly words: string } ? Omit<Each, 'words'> : never) : never
export interface InstructionMatch {
  readonly groups: { readonly [name: string]: string | undefined }
  /** a group without its mask, quotes and article */
  word(name: string): string
  /** the members of a list such as `A, B and C` */
  list(name: string): readonly string[]
}

export const withoutArticle = (text: string): string => text.replace(/^(?:[Tt]he|an?|my|your|一个|这个)\s+/, '')
const optional = <Name extends string>(name: Name, word: string) => (word ? { [name]: word } : {}) as { [Each in Name]?: string }
/** `Name with Ada, Email with a@b` */
const pair = /^(?<field>.+?)\s*(?:\s(?:with|to|as|is)\s|[:：=]|为|成)\s*(?<value>.+)$/i

const everything = /^(?:all|every(?:thing)?|each|所有的?|全部的?)\b\s*(?:of\s+)?(?:the\s+)?|^(?:所有的?|全部的?)/i

export const instructionPatterns: readonly Pattern[] = [
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
  [/^(?:(?:let|ask) me\s+(?:to\s+)?|让我)(?<reason>.+)$/i, ({ word }) => ({ kind: 'handOff', reason: word('reason') })],
  [/^(?:open|go to|visit|打开|进入)\s*(?<name>.+)$/i, ({ word }) => click(word('name'), '', false)],
  [/^find\s+(?<name>.+)$/i, ({ word }) => ({ kind: 'find', name: withoutRole(word('name')) })],
  [/^(?<field>[^:：=]{1,80}?)\s*[:：=]\s*(?<value>.+)$/, found => oneField(found)],
]

const isUrl = (text: string): boolean => /^(?:https?|file):\/\//i.test(text)

const newTab = ({ word }: InstructionMatch): Step =>
  isUrl(word('name')) ? { kind: 'newTab', url: word('name') } : { kind: 'newTab', name: word('name') }

const logIn = ({ word }: InstructionMatch): Step => ({ kind: 'logIn', user: word('user'), password: word('password') })

const withoutRole = (name: string): string => name.replace(/\s+(?:button|link|tab|menu|icon)$/i, '') || name

const click = (name: string, near: string, isDouble: boolean): Step => ({
  kind: 'click',
  name: withoutRole(name),
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
