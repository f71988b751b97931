// Instructions that set fields: forms, boxes, lists of options, filters, search, log in.
import type { FieldValue } from './rules-instructions.ts'
import {
  boxRoles,
  buttonRoles,
  fieldRoles,
  findElement,
  findElements,
  findRivals,
  type Match,
  meanings,
  normalized,
  overlap,
  setRoles,
} from './rules-match.ts'
import type { PageElement } from './rules-page.ts'
import {
  accepted,
  act,
  alertOf,
  done,
  ended,
  hasLooked,
  isChecked,
  look,
  type Move,
  type MoveContext,
  problem,
  refused,
  type StepContext,
  type StepTable,
  seek,
  severalFit,
} from './rules-steps.ts'

type Field = { readonly ref: string; readonly value: string }

const fillForm = (phase: string, fields: readonly Field[], submit = false): Move =>
  act(phase, { action: 'fillForm', fields, ...(submit && { submit: true }) })

const onOff = (value: string): string => {
  if (/^(on|yes|true|ticked|checked|enabled|开|是|启用)$/i.test(value)) return 'true'
  return /^(off|no|false|unticked|unchecked|disabled|关|否|停用)$/i.test(value) ? 'false' : value
}

/** The fields with their refs, and the names that no element has. Each element is used once. */
function resolveFields(elements: readonly PageElement[], fields: readonly FieldValue[], takesSimilar: boolean) {
  const found: (Field & { readonly name: string })[] = []
  const missing: string[] = []
  let several: Move | undefined
  const isFree = ({ ref }: PageElement) => !found.some(each => each.ref === ref)
  for (const { field, value } of fields) {
    const query = { name: field, roles: setRoles, where: isFree }
    const match = findElement(elements, query)
    const radio = findElement(elements, { name: value, near: field, roles: /^radio$/, where: isFree })
    const best = match?.isExact || !radio ? match : radio
    if (!best || !(best.isExact || takesSimilar)) missing.push(field)
    else if (best === radio) found.push({ ref: best.element.ref, value: 'true', name: field })
    else {
      several ??= severalFit(findRivals(elements, query), `the field "${field}"`)
      found.push({ ref: best.element.ref, value: boxRoles.test(best.element.role) ? onOff(value) : value, name: field })
    }
  }
  return { fields: found.map(({ ref, value }) => ({ ref, value })), missing, several }
}

/** A form that was filled in, but did not react to Enter or its button, may have a button of another kind. */
function afterSubmit(context: MoveContext, words: string): Move {
  const { page, last, phase } = context
  const alert = alertOf(page)
  if (alert) return problem(`the page says "${alert}".`, refused(words))
  const wasSent = !/^ok: .*then submit by/m.test(last?.text ?? '') || /^(new page|new view|effect: .*page changed)/m.test(last?.text ?? '')
  if (wasSent || phase === 'button') return accepted(context, words)
  const button = findElement(page.elements, { roles: /^button$/, like: meanings.submit })
  return button ? act('button', { action: 'click', ref: button.element.ref }) : problem('the form was not sent.')
}

function logIn(context: StepContext<'logIn'>): Move {
  const { step, phase, page } = context
  const password = findElement(page.elements, { roles: /^textbox$/, where: each => each.attributes.type === 'password' })
  const user = findElement(page.elements, {
    roles: fieldRoles,
    like: meanings.user,
    where: each => each.attributes.type !== 'password' && each.attributes.type !== 'search',
  })
  if (phase.startsWith('sent')) {
    const alert = alertOf(page)
    if (alert) return problem(`the page says "${alert}".`)
    const isAsked = findElement(page.fresh, { roles: /^textbox$/, where: each => each.attributes.type === 'password' })
    if (!isAsked)
      return phase === 'sent user' ? problem('the page did not ask for the password.') : ended(context, `logged in as ${step.user}`)
    if (phase !== 'sent user') return problem('the page asks for the password again.')
    return fillForm('sent password', [{ ref: isAsked.element.ref, value: step.password }], true)
  }
  const fields = [
    ...(user ? [{ ref: user.element.ref, value: step.user }] : []),
    ...(password ? [{ ref: password.element.ref, value: step.password }] : []),
  ]
  // the password alone: the second page of a log-in that was interrupted, or a site without users
  if (user || password) return fillForm(password ? 'sent password' : 'sent user', fields, true)
  if (!hasLooked(phase)) return look('log in sign in user name email password')
  // the form may be behind a link
  const opener = findElement(page.elements, { roles: buttonRoles, like: /log ?in|sign ?in|登录/i })
  return opener && phase === 'look'
    ? act('look for the form', { action: 'click', ref: opener.element.ref })
    : problem('the page has no fields to log in.')
}

const generic =
  /\b(to-?dos?|tasks?|items?|boxes|checkboxes|rows?|entries|of|the|in|list|on|this|page|them|options?|settings?|项目?|待办|任务|复选框)\b|复选框|待办(事项)?|项目|任务/gi

function tickAll(context: StepContext<'tick'>): Move {
  const { step, phase, page } = context
  const among = step.among.replace(generic, ' ').trim()
  if (phase === '') return look(`checkbox ${step.among}`, { maxChars: 50_000 })
  const boxes = page.fresh.filter(each => boxRoles.test(each.role) && each.role !== 'radio' && !meanings.all.test(each.name))
  const meant = boxes.filter(each => among === '' || overlap(among, `${each.name} ${each.item} ${each.section}`) >= 0.5)
  if (meant.length === 0) return problem(`no checkbox fits "${step.words}".`)
  const open = meant.filter(
    (each): each is Match['element'] => each.ref !== undefined && isChecked(each) !== step.on && !each.states.has('disabled'),
  )
  return open.length === 0
    ? done(`all ${meant.length} were ${step.on ? 'ticked' : 'unticked'} already`)
    : fillForm(
        `act ${open.length}`,
        open.map(({ ref }) => ({ ref, value: String(step.on) })),
      )
}

function choose(context: MoveContext, { value, field }: { readonly value: string; readonly field?: string }): Move {
  const { phase, page } = context
  if (phase === 'act') return ended(context, `chose "${value}"${field ? ` in ${field}` : ''}`)
  const { elements, fresh } = page
  if (phase !== 'open' && field) {
    const box = findElement(elements, { name: field, roles: /^(combobox|listbox)$/ })
    if (box?.element.attributes.options !== undefined && (box.isExact || hasLooked(phase)))
      return act('act', { action: 'select', ref: box.element.ref, values: [value] })
    const radio = findElement(elements, { name: value, near: field, roles: /^(radio|checkbox)$/ })
    if (radio && (radio.isExact || hasLooked(phase))) return act('act', { action: 'check', ref: radio.element.ref })
    if (box && hasLooked(phase)) return act('open', { action: 'click', ref: box.element.ref })
  }
  const roles = /^(option|radio|menuitem|menuitemradio|tab|treeitem|gridcell|button|link|listitem)$/
  const match =
    findElement(fresh, { name: value, roles }) ?? (field && phase !== 'open' ? undefined : findElement(elements, { name: value, roles }))
  if (match && (match.isExact || hasLooked(phase) || phase === 'open')) {
    const { owner, ref, role } = match.element
    if (owner !== undefined) return act('act', { action: 'select', ref: owner, values: [match.element.name] })
    return act('act', { action: role === 'radio' ? 'check' : 'click', ref })
  }
  if (!hasLooked(phase) && phase !== 'open') return look(`${field ?? ''} ${value}`.trim())
  // a choice that is no control by its markup, such as the sizes of a product
  const part = findElement(elements, { name: value, roles: buttonRoles, ...(field && { near: field }) })
  if (part) return act('act', { action: 'click', ref: part.element.ref })
  return problem(`no option "${value}"${field ? ` for "${field}"` : ''} was found.`)
}

function filter(context: StepContext<'filter'>): Move {
  const { step, phase, page, last } = context
  const words = `filtered by ${step.field ? `${step.field} ` : ''}"${step.value}"`
  if (phase === 'act') return ended(context, words)
  if (phase.startsWith('typed')) {
    const hasReacted = /^(new page|new view|effect: .*page changed|[+-] )/m.test(last?.text ?? '')
    return hasReacted ? ended(context, words) : act('act', { action: 'press', key: 'Enter', ref: phase.slice(6) })
  }
  const lists = findElements(page.elements, { roles: /^(combobox|listbox)$/, where: each => each.attributes.options !== undefined })
  // `status open`: the name of a list, then one of its options
  const list =
    lists.find(each => normalized(step.field ?? '') === normalized(each.name)) ??
    lists.find(each => overlap(each.name, `${step.field ?? ''} ${step.value}`) === 1 && each.name !== '')
  const rest =
    list && !step.field
      ? step.value.replace(new RegExp(`\\b${list.name.replace(/[^\p{L}\p{N} ]/gu, '.')}\\b`, 'iu'), '').trim()
      : step.value
  if (list) return act('act', { action: 'select', ref: list.ref, values: [rest || step.value] })
  const option = findElement(page.elements, { name: step.value, roles: /^(option|tab|radio|checkbox|switch|button|link)$/ })
  if (option?.isExact) {
    const { owner, ref, role, name } = option.element
    if (owner !== undefined) return act('act', { action: 'select', ref: owner, values: [name] })
    return act('act', { action: boxRoles.test(role) ? 'check' : 'click', ref })
  }
  const field = findElement(page.elements, {
    roles: /^(textbox|searchbox|combobox)$/,
    ...(step.field ? { name: step.field } : { like: meanings.filter }),
  })
  if (field) return act(`typed ${field.element.ref}`, { action: 'fill', ref: field.element.ref, text: step.value })
  return hasLooked(phase) ? problem(`no filter for "${step.value}" was found.`) : look(`filter ${step.field ?? ''} ${step.value}`)
}

function search(context: StepContext<'search'>): Move {
  const { step, next, phase, page, last } = context
  const words = `searched for "${step.query}"`
  if (phase === 'act') return ended(context, words)
  if (phase.startsWith('typed')) {
    const wanted = next?.kind === 'choose' ? next.value : next?.kind === 'click' || next?.kind === 'find' ? next.name : undefined
    const suggestion = (name: string) => findElement(page.fresh, { name, roles: /^(option|menuitem|listitem|link|button)$/ })
    // the next instruction takes one of the suggestions
    if (wanted !== undefined && suggestion(wanted)) return done(words)
    const same = suggestion(step.query)
    return same?.isExact && same.element.role === 'option'
      ? act('act', { action: 'click', ref: same.element.ref })
      : act('sent', { action: 'press', key: 'Enter', ref: phase.slice(6) })
  }
  if (phase === 'sent') {
    if (/^(new page|new view|effect: .*(page changed|url)|[+-] )/m.test(last?.text ?? '')) return ended(context, words)
    const button = findElement(page.elements, { roles: /^button$/, like: meanings.search })
    return button ? act('act', { action: 'click', ref: button.element.ref }) : ended(context, words)
  }
  const isField = (each: PageElement) =>
    each.role === 'searchbox' ||
    each.attributes.type === 'search' ||
    [each.name, each.section, each.attributes.placeholder, each.attributes.name].some(
      words => meanings.search.test(words ?? '') || /^q$/.test(words ?? ''),
    )
  const query = step.field ? { roles: fieldRoles, name: step.field } : { roles: /^(searchbox|textbox|combobox)$/, where: isField }
  return seek(context, { query, task: `search ${step.field ?? ''}`, what: 'a search field' }, ({ ref }) =>
    act(`typed ${ref}`, { action: 'fill', ref, text: step.query }),
  )
}

export const formSteps: StepTable = {
  logIn,
  search,
  filter,

  fill(context) {
    const { step, phase, page } = context
    const words = `set ${step.fields
      .map(({ field }) => field)
      .slice(0, 5)
      .join(', ')}${step.fields.length > 5 ? ` and ${step.fields.length - 5} more` : ''}`
    if (phase === 'act' || phase === 'button')
      return step.submit ? afterSubmit(context, `${words}, and sent the form`) : ended(context, words)
    const { fields, missing, several } = resolveFields(page.elements, step.fields, hasLooked(phase))
    if (missing.length === 0 && several) return several
    if (missing.length === 0) return fillForm('act', fields, step.submit)
    if (hasLooked(phase)) return problem(`no field ${missing.map(each => `"${each}"`).join(', ')} was found.`)
    return look(step.fields.map(({ field }) => field).join(' '), { maxChars: Math.min(50_000, 1_500 + 250 * step.fields.length) })
  },

  tick(context) {
    const { step, phase, page } = context
    if (phase.startsWith('act')) return ended(context, `${step.on ? 'ticked' : 'unticked'} ${phase.slice(4) || step.words}`)
    if (step.names === 'all') return tickAll(context)
    const found = step.names.map(
      name =>
        findElement(page.elements, { name, roles: boxRoles }) ?? findElement(page.elements, { near: name, roles: /^(checkbox|switch)$/ }),
    )
    if (found.every(each => each !== undefined && (each.isExact || hasLooked(phase))))
      return fillForm(
        `act ${step.names.join(', ').replace(/[[\]]/g, '')}`,
        found.map(each => ({ ref: (each as Match).element.ref, value: String(step.on) })),
      )
    if (!hasLooked(phase)) return look(`checkbox ${step.names.join(' ')}`, { maxChars: 1_500 + 300 * step.names.length })
    return problem(
      `no checkbox ${step.names
        .filter((_, at) => !found[at])
        .map(name => `"${name}"`)
        .join(', ')} was found.`,
    )
  },

  choose: context => choose(context, context.step),

  add(context) {
    const { step, phase, page } = context
    const count = Number(/^(?:add|button) (\d+)$/.exec(phase)?.[1] ?? 0)
    const item = step.items[count - 1]
    const isShown =
      item !== undefined && page.fresh.some(each => !fieldRoles.test(each.role) && overlap(item, `${each.name} ${each.text}`) === 1)
    if (phase.startsWith('add') && !isShown) {
      const button = findElement(page.elements, { roles: /^button$/, like: meanings.add })
      return button
        ? act(`button ${count}`, { action: 'click', ref: button.element.ref })
        : problem(`"${item}" was entered, but did not appear in a list.`)
    }
    if (phase.startsWith('button') && !isShown) return problem(`"${item}" was entered, but did not appear in a list.`)
    const wanted = step.items[count]
    if (wanted === undefined) return ended(context, `added ${step.items.map(each => `"${each}"`).join(', ')}`)
    const fields = findElements(page.elements, { roles: /^(textbox|combobox)$/ })
    const only =
      fields.length === 1 && !page.isPartial ? { roles: /^(textbox|combobox)$/ } : { roles: /^(textbox|combobox)$/, like: meanings.newItem }
    return seek(
      context,
      { query: only, task: 'new add what needs to be done', what: 'a field for a new entry', isSure: count > 0 },
      ({ ref }) => fillForm(`add ${count + 1}`, [{ ref, value: wanted }], true),
    )
  },
}
