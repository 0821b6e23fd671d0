import { usageError } from './cli-error.ts'
import { globalOptions, type Command } from './command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

/** A script that completes commands and options, printed from the table. @throws CliError when the shell is another */
export function completionScript(shell: string, commands: readonly Command[]): string {
  if (shell === 'bash') return bash(commands)
  // zsh runs the same function through its own adapter.
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`
  if (shell === 'fish') return fish(commands)
  throw usageError(`no completion for ${shell}`, `There is one for ${shells.join(', ')}.`)
}

function optionsOf(command: Command): readonly string[] {
  return Object.keys({ ...command.options, ...globalOptions }).map((name) => `--${name}`)
}

function bash(commands: readonly Command[]): string {
  const firsts = [...new Set(commands.map(({ words: [first = ''] }) => first))]
  const seconds = firsts.flatMap((first) => {
    const words = commands.flatMap((command) => (command.words[0] === first && command.words[1] !== undefined ? [command.words[1]] : []))
    return words.length === 0 ? [] : [`    '${first}') words='${words.join(' ')}' ;;`]
  })
  const options = commands.map((command) => `    '${command.words.join(' ')}'|'${command.words.join(' ')} '*) words='${optionsOf(command).join(' ')}' ;;`)
  return [
    '_ergon() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""',
    '  case "$before" in',
    `    '') words='${firsts.join(' ')}' ;;`, ...seconds, ...options,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _ergon ergon',
  ].join('\n')
}

function fish(commands: readonly Command[]): string {
  return commands.flatMap(({ words: [first = '', second], about, options = {} }) => [
    `complete -c ergon -n '__fish_use_subcommand' -a '${first}'${second === undefined ? ` -d '${quoted(about)}'` : ''}`,
    ...(second === undefined ? [] : [`complete -c ergon -n '__fish_seen_subcommand_from ${first}' -a '${second}' -d '${quoted(about)}'`]),
    ...Object.entries(options).map(([name, option]) => `complete -c ergon -n '__fish_seen_subcommand_from ${second ?? first}' -l '${name}' -d '${quoted(option.about)}'`),
  ]).join('\n')
}

function quoted(text: string): string {
  return text.replaceAll("'", String.raw`\'`)
}
