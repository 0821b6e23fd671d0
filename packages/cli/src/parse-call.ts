import { parseArgs } from 'node:util'
import { usageError } from './cli-error.ts'
import { globalOptions, type Call, type Command, type Options } from './command.ts'

export type Parsed = { readonly call: Call; readonly wantsHelp: boolean }

/**
 * Reads the words behind the command's own against its row of the table. @throws CliError on a word that the row does
 * not know
 */
export function parseCall(command: Command, words: readonly string[]): Parsed {
  const known: Options = { ...command.options, ...globalOptions }
  const { values, positionals } = readWords(known, words)
  const wantsHelp = values['help'] === true
  const expected = command.positionals ?? []
  const extra = positionals[expected.length]
  if (extra !== undefined && !wantsHelp) throw usageError(`unexpected word: ${extra}`)
  const given = new Map(expected.map(({ name }, index) => [name, positionals[index]]))
  for (const { name, optional } of expected) {
    if (given.get(name) === undefined && optional !== true && !wantsHelp) throw usageError(`${name} is missing`)
  }
  for (const [name, { among }] of Object.entries(known)) {
    const value = values[name]
    if (typeof value === 'string' && among !== undefined && !among.includes(value))
      throw usageError(`--${name} must be one of ${among.join(', ')}`)
  }
  return { call: createCall(given, values), wantsHelp }
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

function readWords(
  known: Options,
  words: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, short, many }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: many === true,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  )
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw usageError(error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error))
  }
}

function createCall(positionals: ReadonlyMap<string, string | undefined>, values: Values): Call {
  const text = (name: string): string | undefined => {
    const value = values[name]
    return positionals.get(name) ?? (typeof value === 'string' ? value : undefined)
  }
  return {
    text,
    need(name) {
      const value = text(name)
      if (value === undefined) throw usageError(`--${name} is missing`)
      return value
    },
    number(name) {
      const value = text(name)
      if (value === undefined) return undefined
      const number = Number(value)
      if (value.trim() === '' || !Number.isFinite(number)) throw usageError(`--${name} must be a number`)
      return number
    },
    list(name) {
      const value = values[name]
      return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
    },
    is: (name) => values[name] === true,
  }
}
