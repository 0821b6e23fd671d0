import { environment, exitCodes, globalOptions, optionText, usageOf, type Command, type Options } from '@ergon/cli'
import { code, page, table } from './table.ts'

/**
 * Every command of the command line with what it takes, what every command takes, and the numbers a script branches on.
 */
export function cliPage(commands: readonly Command[]): string {
  return page(
    'Command line',
    'packages/cli/src',
    'With `--json` a command prints one object on stdout: `ok`, `command`, and `data` or `error` (`code`, `message`, `recovery`, `details`) with `exit_code`. What follows events prints an object a line before it. Progress and errors go to stderr.',
    '## Numbers a command ends with',
    table(
      ['Number', 'Means'],
      Object.values(exitCodes).map(({ code: number, says }) => [String(number), says]),
    ),
    '## Options of every command',
    optionTable(globalOptions),
    '## Environment',
    table(
      ['Variable', 'Says'],
      Object.entries(environment).map(([name, says]) => [code(name), says]),
    ),
    '## Commands',
    ...commands.flatMap(commandParts),
  )
}

function commandParts(command: Command): readonly string[] {
  const { words, about, positionals = [], options = {}, examples = [] } = command
  return [
    `### ${words.join(' ')}`,
    about,
    ['```', usageOf(command), '```'].join('\n'),
    ...(positionals.length === 0
      ? []
      : [
          table(
            ['Argument', 'What it is'],
            positionals.map(({ name, about: says }) => [code(name), says]),
          ),
        ]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    ...(examples.length === 0 ? [] : [['```sh', ...examples, '```'].join('\n')]),
  ]
}

function optionTable(options: Options): string {
  return table(
    ['Option', 'What it does'],
    Object.entries(options).map(([name, option]) => {
      const { left, right } = optionText(name, option)
      // A word in angle brackets is no tag.
      return [code(left), right.replaceAll('<', '&lt;')]
    }),
  )
}
