import { flagOf, type OptionSpecs } from '../flags/option-spec.ts'
import { sessionFlags } from '../flags/session-flags.ts'
import { generalOptions, optionsOf } from './arguments.ts'
import { commandSpecs } from './commands.generated.ts'
import { programCommands } from './help.ts'

const commandNames = (): string[] => [
  ...Object.keys(commandSpecs),
  ...Object.keys(programCommands).map(usage => usage.split(' ')[0] as string),
]
function flagsFor(command: string): string[] {
  const spec = commandSpecs[command]
  const own = spec ? Object.entries(optionsOf(spec)).filter(([field]) => !spec.required.includes(field)) : []
  const options = [...own, ...entriesOf(generalOptions), ...entriesOf(sessionFlags)]
  // `snapshot` has its own --viewport
  return [...new Set(options.map(([field, option]) => flagOf(field, option)))]
}
const entriesOf = (options: OptionSpecs) => Object.entries(options)

/** The completion script for a shell; null for an unknown shell. */
export function completion(shell: string | undefined): string | null {
  if (shell === 'bash') return bash()
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`
  if (shell === 'fish') return fish()
  return null
}

function bash(): string {
  const cases = Object.keys(commandSpecs).map(command => `    ${command}) words="${flagsFor(command).join(' ')}" ;;`)
  return [
    '_pagehand() {',
    '  local words',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    `    *) words="${commandNames().join(' ')}" ;;`,
    '  esac',
    `  [ "$COMP_CWORD" -eq 1 ] && words="${commandNames().join(' ')}"`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _pagehand pagehand',
    '',
  ].join('\n')
}

function fish(): string {
  const isFirst = '__fish_use_subcommand'
  return [
    ...commandNames().map(command => `complete -c pagehand -f -n ${isFirst} -a ${command}`),
    ...Object.keys(commandSpecs).flatMap(command =>
      flagsFor(command).map(flag => `complete -c pagehand -f -n '__fish_seen_subcommand_from ${command}' -l ${flag.slice(2)}`),
    ),
    '',
  ].join('\n')
}
