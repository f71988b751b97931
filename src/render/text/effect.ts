import type { Effect } from '../../contract/page-api.ts'
import type { ActionData, SettleStatus } from '../../contract/results.ts'
import { inline, quote } from './quote.ts'

/** What an action was seen to do, in words; what did not change is not said. */
export function effectLines({ effect, trusted, settled, pending = [], notes = [] }: ActionData): readonly string[] {
  const said = effectWords(effect)
  return [
    said.length > 0 ? `effect: ${said.join(', ')}` : 'effect: none seen',
    ...(effect.changed?.text ? [`new text: ${quote(effect.changed.text, 160)}`] : []),
    ...(trusted ? [] : ['input: made by a script, and the page can tell']),
    ...pendingLines({ settled, pending }),
    ...noteLines(notes),
  ]
}

/** what the page had not finished when it was waited for long enough; nothing where nobody knows */
export const pendingLines = ({ settled, pending = [] }: Partial<SettleStatus>): readonly string[] =>
  settled === false ? [`still going on: ${inline(pending.join(', ') || 'changes', 120)}`] : []

export const noteLines = (notes: readonly string[] = []): readonly string[] => [
  ...notes.slice(0, 5).map(note => `note: ${inline(note, 240)}`),
  ...(notes.length > 5 ? [`note: ${notes.length - 5} more`] : []),
]

function effectWords(effect: Effect): string[] {
  const { value, checked, selected, expanded, pressed, files, url, focus, dialog, answered, scroll, gone, submitted, changed } = effect
  return [
    ...(value === undefined ? [] : [`value ${quote(value, 120)}`]),
    ...(checked === undefined ? [] : [checked === 'mixed' ? 'checked mixed' : checked ? 'checked' : 'unchecked']),
    ...(selected === undefined ? [] : [`selected ${list(selected)}`]),
    ...(expanded === undefined ? [] : [expanded ? 'expanded' : 'collapsed']),
    ...(pressed === undefined ? [] : [pressed === 'mixed' ? 'pressed mixed' : pressed ? 'pressed' : 'not pressed']),
    ...(files === undefined ? [] : [`files ${list(files)}`]),
    ...(submitted ? ['form sent'] : []),
    ...(url === undefined ? [] : [`url now ${quote(url, 200)}`]),
    ...(dialog === undefined ? [] : [`dialog ${named(dialog)} opened`]),
    ...(answered === undefined ? [] : [answeredWords(answered)]),
    ...(focus === undefined ? [] : [focus === '' ? 'focus nowhere' : `focus ${named(focus)}`]),
    ...(scroll === undefined ? [] : [`scrolled to ${scroll.x},${scroll.y}`]),
    ...(gone ? ['the element is gone'] : []),
    ...(changed ? [changedWords(changed)] : []),
  ]
}

const answeredWords = ({ type, message, accepted, tab }: NonNullable<Effect['answered']>): string =>
  `${inline(type, 20)}${message && ` ${quote(message, 120)}`}${tab ? ` of tab ${inline(tab, 20)}` : ''} ${accepted ? 'accepted' : 'dismissed'}`

const changedWords = ({ added, removed, altered }: NonNullable<Effect['changed']>): string =>
  `page changed (${[...(added ? [`${added} added`] : []), ...(removed ? [`${removed} removed`] : []), ...(altered ? [`${altered} altered`] : [])].join(', ')})`

// a ref stands as it is, words of the page are quoted
const named = (what: string): string => (/^(f\d+)?e\d+$/.test(what) ? what : quote(what, 80))
const list = (texts: readonly string[]): string =>
  `${
    texts
      .slice(0, 10)
      .map(text => quote(text, 60))
      .join(', ') || 'nothing'
  }${texts.length > 10 ? ` and ${texts.length - 10} more` : ''}`
