import { redacted } from '../../../../src/contract/page-api.ts'
import { riskReasons } from '../../../../src/contract/risk-reasons.ts'
import { dialogName } from './dialog-name.ts'
import type { FactMessages } from './fact-messages.ts'

const quoted = (texts: readonly string[]) => texts.map(text => `“${text}”`).join(', ')

export const factsEn: FactMessages = {
  reasons: riskReasons,
  clause: ({ classes, origin = 'any site', isTo }) => (isTo ? `go to ${origin}` : `${classes.join(', ')} on ${origin}`),
  clauseSeparator: '; ',
  effects: {
    value: value => (value === redacted ? 'value set' : value === '' ? 'empty now' : `now ${quoted([value])}`),
    characters: characters => `${characters.toLocaleString('en')} characters`,
    checked: checked => (checked === 'mixed' ? 'partly checked' : checked ? 'checked' : 'unchecked'),
    selected: options => (options.length === 0 ? 'nothing chosen' : `chose ${quoted(options)}`),
    expanded: expanded => (expanded ? 'expanded' : 'collapsed'),
    pressed: pressed => (pressed === 'mixed' ? 'partly on' : pressed ? 'on' : 'off'),
    files: files => `files ${quoted(files)}`,
    submitted: submitted => (submitted ? 'form sent' : 'the page handles the form itself'),
    invalid: ({ message }) => `form not sent: ${quoted([message])}`,
    url: url => `now at ${url}`,
    dialog: dialog => (dialogName(dialog) === '' ? 'a dialog opened' : `a dialog opened: ${quoted([dialogName(dialog)])}`),
    answered: ({ type, message, accepted }) =>
      `${type} ${message === '' ? '' : `${quoted([message])} `}${accepted ? 'accepted' : 'dismissed'}`,
    focus: () => '',
    scroll: () => 'scrolled',
    gone: () => 'the element is gone',
    changed: ({ added, removed, altered, text }) => {
      const counts = [added && `${added} added`, removed && `${removed} removed`, altered && `${altered} altered`]
        .filter(Boolean)
        .join(', ')
      return text === undefined || text === '' ? `page changed (${counts})` : `new on the page: ${quoted([text])}`
    },
  },
  noEffect: 'No effect seen',
  fields: count => `${count} fields`,
  read: characters => `Read ${characters.toLocaleString('en')} characters`,
  separator: ', ',
  ends: {
    max_steps: 'The run reached its limit of steps before the goal.',
    max_cost: 'The run used up its budget before the goal.',
    max_time: 'The run reached its time limit before the goal.',
    loop: 'The run repeated the same calls without any change.',
    aborted: 'The run was stopped.',
    denied: 'What the run asked for was denied.',
    needs_approval: 'The run waits for a decision.',
  },
  problems: {},
}
