import { globalOptions, type Command, type Options } from './command.ts'

/** What `ergon --help` prints: the table, one line a command. */
export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.words.join(' '), command.about] as const)
  return ['ergon: an open task marketplace from the terminal', '', 'Usage: ergon <command> [options]', '', 'Commands', ...columns(rows), '', 'Options of every command', ...optionLines(globalOptions), '', 'ergon <command> --help says more.'].join('\n')
}

/** What `ergon <command> --help` prints. */
export function helpOf(command: Command): string {
  const positionals = command.positionals ?? []
  const usage = ['ergon', ...command.words, ...positionals.map(({ name, optional }) => optional === true ? `[${name}]` : `<${name}>`), '[options]'].join(' ')
  const options = command.options ?? {}
  return [
    command.about, '', `Usage: ${usage}`,
    ...(positionals.length === 0 ? [] : ['', 'Arguments', ...columns(positionals.map(({ name, about }) => [name, about] as const))]),
    ...(Object.keys(options).length === 0 ? [] : ['', 'Options', ...optionLines(options)]),
    '', 'Options of every command', ...optionLines(globalOptions),
    ...(command.examples === undefined ? [] : ['', 'Examples', ...command.examples.map((line) => `  ${line}`)]),
  ].join('\n')
}

function optionLines(options: Options): readonly string[] {
  return columns(Object.entries(options).map(([name, { short, value, about, among, many, default: fallback }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    [about, among === undefined ? '' : `One of ${among.join(', ')}.`, many === true ? 'May be repeated.' : '', fallback === undefined ? '' : `Default: ${fallback}.`].filter((part) => part !== '').join(' '),
  ] as const))
}

/** Two columns; the second begins where the widest of the first ends. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}
