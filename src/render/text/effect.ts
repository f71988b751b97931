import type { Effect } from '../../contract/page-api.ts'
import type { ActionData, SettleStatus } from '../../contract/results.ts'
import { plainRefs, type RefStyle } from './dialect.ts'
import { inline, quote } from './quote.ts'

/** The observed effect of an action, in words; properties that did not change are not mentioned. */
export function effectLines(
  { effect, trusted, settled, pending = [], live = [], notes = [] }: ActionData,
  refs: RefStyle = plainRefs,
): readonly string[] {
  return [
    `effect: ${effectWords(effect, refs) || 'none seen'}`,
    ...(effect.changed?.text ? [`new text: ${quote(effect.changed.text, 160)}`] : []),
    ...(trusted ? [] : ['input: made by a script, and the page can tell']),
    ...pendingLines({ settled, pending, live }),
    ...noteLines(notes),
  ]
}

/** The work that the page had not finished at the end of the wait; no line if the driver does not know. */
export const pendingLines = ({ settled, pending = [], live = [] }: Partial<SettleStatus>): readonly string[] => [
  ...(settled === false ? [`still going on: ${inline(pending.join(', ') || 'changes', 120)}`] : []),
  ...(live.length ? [`may still change: ${inline(live.join(', '), 120)}`] : []),
]

export const noteLines = (notes: readonly string[] = []): readonly string[] => [
  ...notes.slice(0, 5).map(note => `note: ${inline(note, 240)}`),
  ...(notes.length > 5 ? [`note: ${notes.length - 5} more`] : []),
]

/** in the order in which they are written */
const phrases: { readonly [Name in keyof Required<Effect>]: (value: NonNullable<Effect[Name]>, refs: RefStyle) => string } = {
  value: value => `value ${quote(value, 120)}`,
  characters: characters => `${characters} ${characters === 1 ? 'character' : 'characters'}`,
  checked: checked => (checked === 'mixed' ? 'checked mixed' : checked ? 'checked' : 'unchecked'),
  selected: options => `selected ${list(options)}`,
  expanded: expanded => (expanded ? 'expanded' : 'collapsed'),
  pressed: pressed => (pressed === 'mixed' ? 'pressed mixed' : pressed ? 'pressed' : 'not pressed'),
  files: files => `files ${list(files)}`,
  submitted: submitted => (submitted ? 'form sent' : 'submit prevented by the page'),
  invalid: ({ field, message }, refs) => `form not sent: ${refOrText(field, refs)} is invalid: ${quote(message, 160)}`,
  url: url => `url now ${quote(url, 200)}`,
  dialog: (dialog, refs) => `dialog ${refOrText(dialog, refs)} opened`,
  answered: ({ type, message, accepted, tab }) =>
    `${inline(type, 20)}${message && ` ${quote(message, 120)}`}${tab ? ` of tab ${inline(tab, 20)}` : ''} ${accepted ? 'accepted' : 'dismissed'}`,
  focus: (focus, refs) => (focus === '' ? 'focus nowhere' : `focus ${refOrText(focus, refs)}`),
  scroll: ({ x, y }) => `scrolled to ${x},${y}`,
  gone: gone => (gone ? 'the element is gone' : ''),
  changed: ({ added, removed, altered }) => {
    const counts = [
      ...(added ? [`${added} added`] : []),
      ...(removed ? [`${removed} removed`] : []),
      ...(altered ? [`${altered} altered`] : []),
    ]
    return `page changed (${counts.join(', ')})`
  },
}

/** The phrases of an effect, or ''. */
export function effectWords(effect: Effect, refs: RefStyle = plainRefs): string {
  const phraseOf = <Name extends keyof Effect>(name: Name): string => {
    const value = effect[name]
    return value === undefined || value === null ? '' : phrases[name](value, refs)
  }
  return (Object.keys(phrases) as (keyof Effect)[])
    .map(phraseOf)
    .filter(phrase => phrase !== '')
    .join(', ')
}

/** A ref, or text of the page in quotes. */
const refOrText = (what: string, refs: RefStyle): string => (/^(f\d+)?e\d+$/.test(what) ? refs.ref(what) : quote(what, 80))

function list(texts: readonly string[]): string {
  const shown = texts.slice(0, 10).map(text => quote(text, 60))
  return `${shown.join(', ') || 'nothing'}${texts.length > 10 ? ` and ${texts.length - 10} more` : ''}`
}
