import { fieldsOf, general } from './arguments.ts'
import { kebab } from './command-spec.ts'
import { commandSpecs } from './commands.generated.ts'
import { others } from './help.ts'

const commands = (): string[] => [...Object.keys(commandSpecs), ...Object.keys(others).map(each => each.split(' ')[0] as string)]
function flagsOf(command: string): string[] {
  const row = commandSpecs[command]
  const own = row ? Object.keys(fieldsOf(row)).filter(field => !row.required.includes(field)) : []
  return [...own, ...Object.keys(general)].map(field => `--${kebab(field)}`)
}

/** The completion of a shell, made from the table; null for a shell that is not known. */
export function completion(shell: string | undefined): string | null {
  if (shell === 'bash') return bash()
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`
  if (shell === 'fish') return fish()
  return null
}

function bash(): string {
  const cases = Object.keys(commandSpecs).map(command => `    ${command}) words="${flagsOf(command).join(' ')}" ;;`)
  return [
    '_pagehand() {',
    '  local words',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    `    *) words="${commands().join(' ')}" ;;`,
    '  esac',
    `  [ "$COMP_CWORD" -eq 1 ] && words="${commands().join(' ')}"`,
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
    ...commands().map(command => `complete -c pagehand -f -n ${isFirst} -a ${command}`),
    ...Object.keys(commandSpecs).flatMap(command =>
      flagsOf(command).map(flag => `complete -c pagehand -f -n '__fish_seen_subcommand_from ${command}' -l ${flag.slice(2)}`),
    ),
    '',
  ].join('\n')
}
