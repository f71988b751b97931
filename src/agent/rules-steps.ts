// One step of the rules: the next call for an instruction, from what the answers show.
import { cut } from '../contract/text.ts'
import type { Instruction } from './rules-instructions.ts'
import {
  anyControl,
  boxRoles,
  buttonRoles,
  type ElementQuery,
  findElement,
  findRivals,
  type Match,
  meanings,
  overlap,
} from './rules-match.ts'
import type { PageElement, PageView, ToolAnswer } from './rules-page.ts'
import { refusalOf } from './rules-refusals.ts'
import { isUnknownOutcome } from './rules-transcript.ts'

export interface MoveContext {
  readonly next: Instruction | undefined
  /** what the last call of this instruction was for; '' before its first call */
  readonly phase: string
  readonly page: PageView
  readonly last: ToolAnswer | undefined
  hasTool(name: string): boolean
}

export interface StepContext<Kind extends Instruction['kind'] = Instruction['kind']> extends MoveContext {
  readonly step: Extract<Instruction, { readonly kind: Kind }>
}

/** A call, the end of the instruction, or why it cannot be carried out. */
export type Move =
  | { readonly call: { readonly tool: string; readonly input: object }; readonly phase: string }
  | { readonly done: string }
  /** `did` says what was carried out all the same */
  | { readonly problem: string; readonly did?: string }

export const act = (phase: string, input: object): Move => ({ call: { tool: 'browser-act', input }, phase })
export const look = (task: string, { maxChars = 1_500, phase = 'look' } = {}): Move => ({
  call: { tool: 'browser-observe', input: { task, maxChars } },
  phase,
})
export const problem = (words: string, did?: string): Move => ({ problem: words, ...(did !== undefined && { did }) })
/** What was carried out, and must not be repeated only because the page refuses it. */
export const refused = (words: string): string => `${words}, which the page did not accept`
export const done = (words: string): Move => ({ done: words })

/** `button "Save"` */
export const label = ({ role, name, text, attributes: { hint, placeholder } }: PageElement): string => {
  const words = name || text || hint || placeholder
  return words ? `${role} "${words}"` : role
}

/** A call that was answered leads to the end of most instructions; the effect is part of the truth. */
export function ended({ last }: Pick<MoveContext, 'last'>, words: string): Move {
  const text = last?.text ?? ''
  const dialog = /^note: The page shows a dialog.*?: "(.*)"\.$/m.exec(text)?.[1]
  if (dialog !== undefined)
    return problem(`the page asks "${dialog}", and the rules have no tool to answer it.`, `${words}, which the page asks about`)
  return done(/^effect: none seen$/m.test(text) ? `${words} (no effect was seen)` : words)
}

/** The end of an instruction that sends or changes something: what the page does not accept is not done. */
export function accepted(context: Pick<MoveContext, 'last' | 'page' | 'phase'>, words: string): Move {
  const refusal = refusalOf(context)
  return refusal === undefined ? ended(context, words) : problem(refusal, refused(words))
}

/** What an alert in the newest answer says. */
export const alertOf = ({ fresh }: PageView): string | undefined =>
  fresh.flatMap(each => (each.role === 'alert' ? each.text || each.name || [] : []))[0]

/** An action that may have happened is not repeated. */
export const unknownOutcome = (words: string): string => `${words}, whose outcome is not known`

export const hasLooked = (phase: string): boolean => /^(look|scroll)/.test(phase)
const maxScrolls = 8

interface Search {
  readonly query: ElementQuery
  /** words for `browser-observe` */
  readonly task: string
  /** what a problem says is missing */
  readonly what: string
  /** scrolls where the page may load more */
  readonly scrolls?: boolean
  /** takes a name that only resembles the words, without looking first */
  readonly isSure?: boolean
}

/** Finds an element in what was read; looks and scrolls only if it is not there. */
export function seek({ phase, page, last }: MoveContext, search: Search, found: (element: Match['element']) => Move): Move {
  const { query, task, what, scrolls = false, isSure = false } = search
  const elements = findElement(page.fresh, query) ? page.fresh : page.elements
  const match = findElement(elements, query)
  if (match && (match.isExact || isSure || hasLooked(phase))) return severalFit(findRivals(elements, query), what) ?? found(match.element)
  if (!hasLooked(phase)) return look(task)
  return (scrolls ? scrollOn({ phase, last }, task) : undefined) ?? problem(`${what} was not found on the page.`)
}

/** Which of several elements is meant is not for the rules to guess. */
export function severalFit(rivals: readonly PageElement[], what: string): Move | undefined {
  if (rivals.length === 0) return undefined
  const names = rivals.map(
    each => `${label(each)}${rivals.some(other => other !== each && label(other) === label(each)) ? placeOf(each) : ''}`,
  )
  const shown = [...names.slice(0, maxNames), ...(names.length > maxNames ? [`${names.length - maxNames} more`] : [])]
  return problem(
    `several elements fit ${what}: ${shown.join(', ')}. Give the whole name, or the words beside it: click NAME in the row WORDS.`,
  )
}

const maxNames = 5
const placeOf = ({ item }: PageElement): string => (item ? ` in "${cut(item.replace(/\s+/g, ' '), 60)}"` : '')

/** Scrolls for more of the page, and looks again if the answer does not show all that came; undefined at the end. */
function scrollOn({ phase, last }: Pick<MoveContext, 'phase' | 'last'>, task: string): Move | undefined {
  const scrolled = Number(/ (\d+)$/.exec(phase)?.[1] ?? 0)
  if (phase.startsWith('scroll') && /^\s*… /m.test(last?.text ?? '')) return look(task, { phase: `look ${scrolled}` })
  if (scrolled >= maxScrolls || last?.code === 'no_progress') return undefined
  return act(`scroll ${scrolled + 1}`, { action: 'scroll', direction: 'down', amount: 5_000 })
}

/** refs that no longer hold are worth one more look */
const isStale = ({ code }: ToolAnswer): boolean => /^(ref_|stale|target_moved|not_attached)/.test(code)
const firstSentence = (text: string): string => /^[a-z_]+: .*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? ''

const isSameUrl = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/** How many actions of a call were carried out before it stopped; undefined if all were. */
export function actionsBefore({ text }: ToolAnswer): number | undefined {
  const [, done] =
    /^note: stopped after (\d+) of \d+ actions/m.exec(text) ?? /\b(\d+) of \d+ actions were carried out before\./.exec(text) ?? []
  return done === undefined ? undefined : Number(done)
}

type StepFunction<Kind extends Instruction['kind']> = (context: StepContext<Kind>) => Move
export type StepTable = { readonly [Kind in Instruction['kind']]?: StepFunction<Kind> }

/** The next move in an instruction. */
export function takeStep(table: StepTable, context: StepContext): Move {
  const { step, phase, last } = context
  const isFailure = phase !== '' && last !== undefined && !last.ok
  if (isFailure && !(phase.startsWith('scroll') && last.code === 'no_progress')) {
    if (isUnknownOutcome(last)) return problem(`${firstSentence(last.text)} (${step.words})`, unknownOutcome(step.words))
    // the items before the one that failed are in the cart
    const [, item] = /^act (\d+)$/.exec(step.kind === 'cart' ? phase : '') ?? []
    if ((isStale(last) || actionsBefore(last)) && !phase.startsWith('look again'))
      return look(step.words, { phase: item === undefined ? 'look again' : `look again ${Number(item) - 1}` })
    return problem(`${firstSentence(last.text)} (${step.words})`)
  }
  const stepFunction = table[step.kind] as StepFunction<Instruction['kind']> | undefined
  return stepFunction ? stepFunction(context) : problem(`the rules do not understand "${step.words}".`)
}

/** Instructions of one element or one call. */
export const simpleSteps: StepTable = {
  open: ({ step: { url }, phase, page, last }) =>
    // the run may begin with the page
    phase === 'act' || (last?.tool === 'open-url' && last.ok && isSameUrl(url, page.url))
      ? done(`opened "${page.title || url}"`)
      : { call: { tool: 'open-url', input: { url } }, phase: 'act' },

  click(context) {
    const { step, phase, page } = context
    if (phase.startsWith('act')) return accepted(context, `clicked ${phase.slice(4) || `"${step.name}"`}`)
    const whole = step.words.replace(/^\S+\s+(?:on\s+)?/, '')
    const query = { roles: buttonRoles, name: step.name, ...(step.near !== undefined && { near: step.near }) }
    const isOneName = step.near !== undefined && findElement(page.elements, { roles: buttonRoles, name: whole })?.isExact
    const clickOn = (element: Match['element']) =>
      act(`act ${label(element).replace(/[[\]\n]/g, ' ')}`, { action: step.times === 2 ? 'dblclick' : 'click', ref: element.ref })
    const wanted = isOneName ? { roles: buttonRoles, name: whole } : query
    const hasButton = findElement(page.elements, wanted) !== undefined
    const roles = !hasButton && hasLooked(phase) ? anyControl : buttonRoles
    return seek(context, { query: { ...wanted, roles }, task: whole, what: `"${whole}"`, scrolls: true }, clickOn)
  },

  press: ({ step: { key }, ...context }) =>
    context.phase === 'act' ? accepted(context, `pressed ${key}`) : act('act', { action: 'press', key }),

  back: context => (context.phase === 'act' ? ended(context, `went back to "${context.page.title}"`) : act('act', { action: 'back' })),

  remove(context) {
    const { step, phase } = context
    if (phase === 'act') return ended(context, `removed "${step.name}"`)
    const query = { roles: buttonRoles, like: meanings.remove, near: step.name }
    return seek(
      context,
      { query, task: `delete remove ${step.name}`, what: `a control that removes "${step.name}"`, scrolls: true },
      ({ ref }) => act('act', { action: 'click', ref }),
    )
  },

  upload(context) {
    const { step, phase } = context
    if (phase === 'act') return ended(context, `chose the file ${step.file}`)
    const query = {
      roles: anyControl,
      where: (each: PageElement) => each.attributes.type === 'file',
      ...(step.field && { name: step.field }),
    }
    return seek(context, { query, task: `file upload ${step.field ?? ''}`, what: 'a field for files' }, ({ ref }) =>
      act('act', { action: 'upload', ref, files: [step.file] }),
    )
  },

  submit(context) {
    if (context.phase === 'act') {
      const alert = alertOf(context.page)
      return alert ? problem(`the page says "${alert}".`, refused('sent the form')) : accepted(context, 'sent the form')
    }
    return seek(
      context,
      { query: { roles: /^button$/, like: meanings.submit }, task: 'submit save send', what: 'a button that sends the form' },
      ({ ref }) => act('act', { action: 'click', ref }),
    )
  },

  scroll(context) {
    const { step, page, phase } = context
    const isShown = [...page.fresh, ...page.elements].some(({ name, text, item }) => overlap(step.to, `${name} ${text} ${item}`) === 1)
    if (isShown) return done(`"${step.to}" is on the page`)
    if (!hasLooked(phase)) return look(step.to)
    return scrollOn(context, step.to) ?? problem(`"${step.to}" did not appear while scrolling.`)
  },

  wait: ({ step: { text }, phase }) =>
    phase === 'act'
      ? done(`"${text}" appeared`)
      : { call: { tool: 'browser-wait', input: { textIncludes: text, timeoutMs: 10_000 } }, phase: 'act' },

  handOff: ({ step: { reason }, phase, hasTool }) => {
    if (phase === 'act') return done(`the person was asked: ${reason}`)
    return hasTool('browser-handoff')
      ? { call: { tool: 'browser-handoff', input: { reason } }, phase: 'act' }
      : problem('no tool asks a person.')
  },

  newTab(context) {
    const { step, phase, page, last, hasTool } = context
    const opened = page.tabs[page.tabs.length - 1]
    if (phase === 'select') return done(`opened "${page.title}" in a new tab`)
    if (phase === 'act') {
      if (!/\bTab t\d+ opened\b/.test(last?.text ?? '') || opened === undefined) return problem('no tab opened.')
      return hasTool('browser-tabs')
        ? { call: { tool: 'browser-tabs', input: { operation: 'select', tab: opened } }, phase: 'select' }
        : done(`opened tab ${opened}`)
    }
    if (step.url !== undefined)
      return hasTool('browser-tabs')
        ? { call: { tool: 'browser-tabs', input: { operation: 'new', url: step.url } }, phase: 'select' }
        : problem('no tool opens tabs.')
    const name = step.name ?? ''
    return seek(context, { query: { roles: /^link$/, name }, task: name, what: `the link "${name}"`, scrolls: true }, ({ ref }) =>
      act('act', { action: 'click', ref, modifiers: ['Control'] }),
    )
  },

  tab({ step: { which }, phase, page, hasTool }) {
    if (phase === 'act') return done(`selected the tab "${page.title}"`)
    if (!hasTool('browser-tabs')) return problem('no tool selects tabs.')
    const ordinal = ['first', 'second', 'third'].indexOf(which)
    const tab = /^t?\d+$/.test(which)
      ? `t${which.replace('t', '')}`
      : ordinal >= 0
        ? `t${ordinal + 1}`
        : /^(第一个|previous|other|上一个)$/.test(which)
          ? 't1'
          : (page.tabs[page.tabs.length - 1] ?? 't1')
    return { call: { tool: 'browser-tabs', input: { operation: 'select', tab } }, phase: 'act' }
  },
}

export const isChecked = ({ states, attributes }: PageElement): boolean => states.has('checked') || attributes.checked === 'true'
export const isBox = ({ role }: PageElement): boolean => boxRoles.test(role)
