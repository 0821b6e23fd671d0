import { globalOptions, type Command, type Options, type OptionSpec } from './command.ts'
import { environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'

/** What `ergon --help` prints: the table, one line a command. */
export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.words.join(' '), command.about] as const)
  return [
    'ergon: an open task marketplace from the terminal',
    '',
    'Usage: ergon <command> [options]',
    '',
    'Commands',
    ...columns(rows),
    '',
    'Options of every command',
    ...optionLines(globalOptions),
    '',
    'Environment',
    ...columns(Object.entries(environment)),
    '',
    'Ends with',
    ...columns(Object.values(exitCodes).map(({ code, says }) => [String(code).padStart(3), says] as const)),
    '',
    'ergon <command> --help says more.',
  ].join('\n')
}

/** What `ergon <command> --help` prints. */
export function helpOf(command: Command): string {
  const positionals = command.positionals ?? []
  const options = command.options ?? {}
  return [
    command.about,
    '',
    `Usage: ${usageOf(command)}`,
    ...(positionals.length === 0
      ? []
      : ['', 'Arguments', ...columns(positionals.map(({ name, about }) => [name, about] as const))]),
    ...(Object.keys(options).length === 0 ? [] : ['', 'Options', ...optionLines(options)]),
    '',
    'Options of every command',
    ...optionLines(globalOptions),
    ...(command.examples === undefined ? [] : ['', 'Examples', ...command.examples.map((line) => `  ${line}`)]),
  ].join('\n')
}

/** How a command is typed. */
export function usageOf({ words, positionals = [] }: Command): string {
  return [
    'ergon',
    ...words,
    ...positionals.map(({ name, optional }) => (optional === true ? `[${name}]` : `<${name}>`)),
    '[options]',
  ].join(' ')
}

/** An option as it is typed, and what it does. */
export function optionText(
  name: string,
  { short, value, about, among, many }: OptionSpec,
): { readonly left: string; readonly right: string } {
  return {
    left: `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    right: [about, among === undefined ? '' : `One of ${among.join(', ')}.`, many === true ? 'May be repeated.' : '']
      .filter((part) => part !== '')
      .join(' '),
  }
}

function optionLines(options: Options): readonly string[] {
  return columns(
    Object.entries(options).map(([name, option]) => {
      const { left, right } = optionText(name, option)
      return [left, right] as const
    }),
  )
}

/** Two columns; the second begins where the widest of the first ends. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}
