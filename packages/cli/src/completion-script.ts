import { usageError } from './cli-error.ts'
import { globalOptions, type Command, type Options } from './command.ts'

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
    const words = commands.flatMap((command) =>
      command.words[0] === first && command.words[1] !== undefined ? [command.words[1]] : [],
    )
    return words.length === 0 ? [] : [`    '${first}') words='${words.join(' ')}' ;;`]
  })
  const options = commands.map(
    (command) =>
      `    '${command.words.join(' ')}'|'${command.words.join(' ')} '*) words='${optionsOf(command).join(' ')}' ;;`,
  )
  const lists = new Map(
    commands.flatMap(({ options = {} }) =>
      Object.entries(options).flatMap(([name, { among }]) => (among === undefined ? [] : [[name, among] as const])),
    ),
  )
  const values = [...lists].map(([name, among]) => `    '--${name}') words='${among.join(' ')}' ;;`)
  return [
    '_ergon() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""',
    '  case "$before" in',
    `    '') words='${firsts.join(' ')}' ;;`,
    ...seconds,
    ...options,
    '  esac',
    '  case "${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _ergon ergon',
  ].join('\n')
}

function fish(commands: readonly Command[]): string {
  return [
    ...commands.flatMap(({ words: [first = '', second], about, options = {} }) => {
      const there =
        second === undefined
          ? `__fish_seen_subcommand_from ${first}`
          : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      return [
        `complete -c ergon -n '__fish_use_subcommand' -a '${first}'${second === undefined ? ` -d '${quoted(about)}'` : ''}`,
        ...(second === undefined
          ? []
          : [`complete -c ergon -n '__fish_seen_subcommand_from ${first}' -a '${second}' -d '${quoted(about)}'`]),
        ...fishOptions(options, ` -n '${there}'`),
      ]
    }),
    ...fishOptions(globalOptions, ''),
  ].join('\n')
}

function fishOptions(options: Options, condition: string): readonly string[] {
  return Object.entries(options).map(
    ([name, { value, short, about, among }]) =>
      `complete -c ergon${condition} -l '${name}'${short === undefined ? '' : ` -s '${short}'`}${value === undefined ? '' : ' -r'}${among === undefined ? '' : ` -f -a '${among.join(' ')}'`} -d '${quoted(about)}'`,
  )
}

function quoted(text: string): string {
  return text.replaceAll("'", String.raw`\'`)
}
