import { didYouMean } from '../flags/suggest.ts'
import { commandSpecs } from './commands.generated.ts'

/** Commands that do not run a verb on a page. */
export const programNames = [
  'html',
  'batch',
  'agent',
  'runs',
  'run',
  'mcp',
  'relay',
  'studio',
  'record',
  'replay',
  'report',
  'approvals',
  'approve',
  'grants',
  'explain',
  'status',
  'stop',
  'login',
  'doctor',
  'install',
  'completion',
  'help',
] as const

/** What other tools call a command. */
const synonyms: { readonly [word: string]: string } = {
  goto: 'open',
  go: 'open',
  navigate: 'open',
  visit: 'open',
  url: 'open',
  input: 'fill',
  key: 'press',
  text: 'read',
  errors: 'console',
  logs: 'console',
  network: 'requests',
  find: 'observe',
  js: 'eval',
  evaluate: 'eval',
  quit: 'stop',
  exit: 'stop',
  kill: 'stop',
  sessions: 'status',
  list: 'status',
  version: '--version',
}

/** `; did you mean open?`, or that it is no command on a page, for a command that does not exist; '' if none is close. */
export function suggestCommand(word: string): string {
  if (programNames.some(name => name === word)) return `: it is not a command on a page; run pagehand ${word} by itself`
  const synonym = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined
  return synonym ? `; did you mean ${synonym}?` : didYouMean(word, [...Object.keys(commandSpecs), ...programNames])
}
