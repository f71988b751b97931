// Instructions over several pages or views: cart and check-out, pages of a list, calendars.
import { namesDay, parseMonth } from './rules-dates.ts'
import {
  anyControl,
  buttonRoles,
  fieldRoles,
  findElement,
  findElements,
  findRivals,
  meanings,
  normalized,
  setRoles,
} from './rules-match.ts'
import type { PageElement, PageView } from './rules-page.ts'
import {
  act,
  alertOf,
  ended,
  hasLooked,
  look,
  type Move,
  problem,
  refused,
  type StepContext,
  type StepTable,
  seek,
  severalFit,
} from './rules-steps.ts'

function cart(context: StepContext<'cart'>): Move {
  const { step, phase, page } = context
  // the items that are in the cart already
  const [, word = '', number = '0'] = /^(look again|look|product|act)(?: (\d+))?/.exec(phase) ?? []
  const count = Number(number)
  const add = { roles: buttonRoles, like: meanings.addToCart }
  if (word === 'product') {
    const button = findElement(page.fresh, add)
    return button
      ? act(`act ${count + 1}`, { action: 'click', ref: button.element.ref })
      : problem(`the page of "${step.items[count]}" has no button for the cart.`)
  }
  const item = step.items[count]
  if (item === undefined) return ended(context, `added ${step.items.join(', ')} to the cart`)
  const inList = findElement(page.elements, { ...add, near: item })
  if (inList)
    return (
      severalFit(findRivals(page.elements, { ...add, near: item }), `"${item}"`) ??
      act(`act ${count + 1}`, { action: 'click', ref: inList.element.ref })
    )
  if (!hasLooked(phase)) return look(`add to cart ${item}`, { phase: `look ${count}` })
  const product = findElement(page.elements, { roles: /^link$/, name: item })
  if (!product) return problem(`no product "${item}" was found.`)
  return (
    severalFit(findRivals(page.elements, { roles: /^link$/, name: item }), `"${item}"`) ??
    act(`product ${count}`, { action: 'click', ref: product.element.ref })
  )
}

const stages = [meanings.order, meanings.checkOut, meanings.proceed, meanings.cart] as const
const maxStages = 8

/** `email ann@shop.test` for the field Email, as long as the field is empty. */
function detailsFor(page: PageView, details: readonly string[]): readonly { ref: string; value: string }[] {
  return findElements(page.elements, { roles: setRoles, where: each => (each.attributes.value ?? '') === '' }).flatMap(field => {
    const name = normalized(field.name)
    const detail = name === '' ? undefined : details.find(each => normalized(each).startsWith(`${name} `))
    const value = detail?.replace(new RegExp(`^\\s*(?:[^\\p{L}\\p{N}]*[\\p{L}\\p{N}]+){${name.split(' ').length}}[\\s:=]*`, 'u'), '')
    return value ? [{ ref: field.ref, value }] : []
  })
}

function checkOut(context: StepContext<'checkOut'>): Move {
  const { step, phase, page, last } = context
  const [, number = '0'] = /(\d+)/.exec(phase) ?? []
  const count = Number(number)
  const isActed = phase.startsWith('stage') || phase.startsWith('order')
  if (isActed) {
    const alert = alertOf(page)
    if (alert) return problem(`the page says "${alert}".`, phase.startsWith('order') ? refused('sent the order') : undefined)
    if ([page.title, ...page.fresh.flatMap(each => [each.name, each.text])].some(words => meanings.ordered.test(words)))
      return ended(context, 'placed the order')
  }
  if (count >= maxStages) return problem('the order is not complete after many pages.')
  const isNew = /^new (page|view):/m.test(last?.text ?? '')
  const elements = isActed && isNew ? page.fresh : page.elements
  const fields = phase.startsWith('fill') ? [] : detailsFor({ ...page, elements }, step.details)
  const stage = stages
    .map(like => findElement(elements, { roles: /^(button|link)$/, like, where: each => !meanings.addToCart.test(each.name) }))
    .find(each => each !== undefined)
  const isOrder = stage !== undefined && meanings.order.test(stage.element.name)
  if (fields.length > 0) {
    const filled = new Set(fields.map(({ ref }) => ref))
    const isComplete = emptyRequired(elements).every(({ ref }) => ref !== undefined && filled.has(ref))
    return stage && isComplete
      ? act(`${isOrder ? 'order' : 'stage'} ${count + 1}`, {
          action: 'fillForm',
          fields,
          next: [{ action: 'click', ref: stage.element.ref }],
        })
      : act(`fill ${count + 1}`, { action: 'fillForm', fields })
  }
  if (stage && !phase.startsWith('order')) {
    const empty = isOrder || phase.startsWith('fill') ? emptyRequired(elements) : []
    if (empty.length > 0)
      return problem(`the page requires ${empty.map(each => `"${each.name}"`).join(', ')}, which the instructions do not give.`)
    return act(`${isOrder ? 'order' : 'stage'} ${count + 1}`, { action: 'click', ref: stage.element.ref })
  }
  if (phase.startsWith('order')) return ended(context, 'sent the order')
  return hasLooked(phase)
    ? problem('no way to check out was found.')
    : look('cart basket check out place order', { phase: `look ${count}` })
}

const emptyRequired = (elements: readonly PageElement[]): readonly PageElement[] =>
  elements.filter(each => fieldRoles.test(each.role) && each.states.has('required') && (each.attributes.value ?? '') === '')

function page(context: StepContext<'page'>): Move {
  const { step, phase, page: view } = context
  if (phase === 'act') return ended(context, `went to page ${step.page}`)
  const roles = /^(link|button)$/
  const clicked = Number(/^next (\d+)$/.exec(phase)?.[1] ?? 0)
  if (typeof step.page === 'number') {
    if (clicked + 1 === step.page) return ended(context, `went to page ${step.page}`)
    const direct = findElement(view.elements, {
      roles,
      like: new RegExp(`^(?:(?:go to )?page )?${step.page}$|^第?\\s*${step.page}\\s*页?$`, 'i'),
    })
    if (direct) return act('act', { action: 'click', ref: direct.element.ref })
    const next = findElement(view.elements, { roles, like: meanings.next, where: each => !each.states.has('disabled') })
    if (next && (hasLooked(phase) || clicked > 0)) return act(`next ${clicked + 1}`, { action: 'click', ref: next.element.ref })
    return hasLooked(phase) || clicked > 0 ? problem(`page ${step.page} was not found.`) : look(`page ${step.page} next`)
  }
  const like = { next: meanings.next, previous: meanings.previous, last: /^\s*last|末页/i, first: /^\s*first|首页/i }[step.page]
  return seek(context, { query: { roles, like }, task: `${step.page} page`, what: `the ${step.page} page` }, ({ ref }) =>
    act('act', { action: 'click', ref }),
  )
}

function date(context: StepContext<'date'>): Move {
  const { step, phase, page: view } = context
  if (phase === 'act') return ended(context, `chose ${step.date}`)
  const named = step.field ? { name: step.field } : {}
  const native = findElement(view.elements, { roles: anyControl, ...named, where: each => each.attributes.type === 'date' })
  if (native) return act('act', { action: 'fill', ref: native.element.ref, text: step.date })
  const shown = shownMonth(view)
  if (shown !== undefined) return inCalendar(context, shown)
  if (phase.startsWith('month'))
    return { call: { tool: 'browser-snapshot', input: { maxChars: 6_000 } }, phase: phase.replace('month', 'look month') }
  const query = { roles: /^(textbox|combobox|button)$/, ...(step.field ? { name: step.field } : { like: meanings.date }) }
  if (phase === 'open') return problem('no calendar opened.')
  return seek(context, { query, task: `date calendar ${step.field ?? ''}`, what: 'a field for the date' }, ({ ref }) =>
    act('open', { action: 'click', ref }),
  )
}

/** The month of the calendar; the newest answer counts. */
function shownMonth({ fresh, elements }: PageView): number | undefined {
  for (const list of [fresh, elements])
    for (const { role, name, text } of [...list].reverse()) {
      // a day's own date is no title
      if (/^(gridcell|cell|button|option|link|textbox)$/.test(role)) continue
      const month = parseMonth(name) ?? parseMonth(text)
      if (month !== undefined) return month
    }
  return undefined
}

const maxMonths = 24
/** as many as one call takes */
const maxMonthsAtOnce = 10

function inCalendar({ step, phase, page: view }: StepContext<'date'>, shown: number): Move {
  const wanted = parseMonth(step.date) ?? shown
  const clicked = Number(/month (\d+)/.exec(phase)?.[1] ?? 0)
  if (shown !== wanted) {
    const like = wanted > shown ? meanings.nextMonth : meanings.previousMonth
    const button = findElement(view.elements, { roles: /^(button|link)$/, like, where: each => !each.states.has('disabled') })
    if (!button || clicked >= maxMonths) return problem(`the calendar does not go to ${step.date.slice(0, 7)}.`)
    const once = { action: 'click', ref: button.element.ref }
    const times = Math.min(Math.abs(wanted - shown), maxMonthsAtOnce)
    return act(`month ${clicked + times}`, times > 1 ? { ...once, next: Array.from({ length: times - 1 }, () => once) } : once)
  }
  const isDay = (each: PageElement) => namesDay(each.name || each.text, step.date) && !each.states.has('disabled')
  const known = view.fresh.some(isDay) ? view.fresh : view.elements
  const days = findElements(known, { roles: /^(gridcell|cell|button|option|link)$/, where: isDay })
  // days of the months before and after have the same numbers
  const day = Number(step.date.slice(-2)) > 15 ? days[days.length - 1] : days[0]
  if (day) return act('act', { action: 'click', ref: day.ref })
  return phase.startsWith('look day')
    ? problem(`${step.date} cannot be chosen.`)
    : { call: { tool: 'browser-snapshot', input: { maxChars: 8_000 } }, phase: 'look day' }
}

export const journeySteps: StepTable = { cart, checkOut, page, date }
