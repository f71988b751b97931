import { isFrameTag } from '../contract/roles.ts'
import type { ControlFacts, FormTarget, TargetFacts } from '../contract/target.ts'
import type { Assessment, RiskContext } from './assessment.ts'
import { isOwnSite, withoutFragment } from './sites.ts'
import { classesOfWords, isConfirming, isUnderstood, showsAmount } from './words.ts'

type Sites = Pick<RiskContext, 'sites'>

/** The classes of every command that activates an element: the one rule for clicks, keys, checks, choices, drags and uploads. */
export function activates(assessment: Assessment, target: TargetFacts | undefined, context: Sites): void {
  if (!target) {
    assessment.add('write', 'click')
    assessment.add('submit', 'unknown_element')
    return
  }
  const { reaches = [], url } = target
  if (!operates(assessment, target, { ...context, url })) assessment.add('write', 'click')
  for (const control of reaches) operates(assessment, control, { ...context, url })
  for (const control of [target, ...reaches]) {
    if (isFrameTag(control.tag)) assessment.add('submit', 'many_controls')
    if (control.type === 'file') assessment.add('upload', 'choose_files')
    // the name is what a screen reader says, the text what a person sees: a page may make them differ
    for (const words of wordsOf(control)) assessment.addWords(words)
    if (wordsOf(control).some(isConfirming)) confirms(assessment, target.dialog ?? '')
    if (isScripted(control, url)) for (const words of wordsOf(control)) mayBe(assessment, words)
  }
  if (target.isVague) assessment.add('submit', 'many_controls')
}

const wordsOf = ({ name, text = '' }: ControlFacts): readonly string[] => [name, ...(text === name ? [] : [text])]

/** What the browser does by itself when a control is clicked; false if it does nothing. */
function operates(assessment: Assessment, control: ControlFacts, context: Sites & { readonly url: string }): boolean {
  const { submits, href } = control
  if (submits && submits.method !== 'dialog') sends(assessment, submits, context)
  if (href) follows(assessment, control, context)
  return (submits !== undefined && submits.method !== 'dialog') || href !== undefined
}

/** Whether only a script of the page decides what it does: no link to another page, no field, and no button that submits a form. */
const isScripted = ({ tag, type = '', submits, href }: ControlFacts, url: string): boolean =>
  !submits &&
  !(href && leavesPage(href, url)) &&
  !/^(select|textarea|summary)$/.test(tag) &&
  !(tag === 'input' && !/^(button|reset)$/.test(type))

/** What cannot be understood may do anything. */
function mayBe(assessment: Assessment, words: string): void {
  if (showsAmount(words) && !classesOfWords(words).includes('pay')) assessment.add('submit', 'shows_amount')
  if (!isUnderstood(words)) assessment.add('submit', 'unknown_words')
}

/** Yes and OK mean what the dialog asks. */
function confirms(assessment: Assessment, dialog: string): void {
  assessment.addWords(dialog, 'dialog')
  mayBe(assessment, dialog)
}

const isScriptLink = (href: string): boolean => /^(javascript|data|blob):/i.test(href)
const leavesPage = (href: string, url: string): boolean => !isScriptLink(href) && withoutFragment(href) !== withoutFragment(url)

function follows(assessment: Assessment, { href = '', download }: ControlFacts, context: Sites & { readonly url: string }): void {
  if (download) assessment.add('download', 'download_link')
  if (isScriptLink(href)) assessment.add('write', 'script_link')
  else if (!leavesPage(href, context.url)) assessment.add('move', 'page_part')
  else opens(assessment, href, context)
}

export function opens(assessment: Assessment, url: string, { sites }: Sites): void {
  const isBlank = /^about:blank$/i.test(url)
  if (!isBlank) assessment.destination = url
  if (isBlank || isOwnSite(url, sites)) assessment.add('move', 'own_page')
  else assessment.add('navigate-out', 'other_site')
}

function sends(assessment: Assessment, { action }: FormTarget, { sites }: Sites): void {
  assessment.add('submit', 'send_form')
  assessment.destination = action
  if (!isOwnSite(action, sites) && !/^javascript:/i.test(action)) assessment.add('navigate-out', 'form_to_other_site')
}

/** Enter in a field presses the default button of the form, whose words say what that does. */
export function pressesDefaultButton(assessment: Assessment, form: FormTarget, context: Sites): void {
  if (form.method === 'dialog') assessment.add('write', 'close_dialog')
  else sends(assessment, form, context)
  assessment.addWords(form.button)
}
