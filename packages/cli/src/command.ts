import type { ExitName } from './exit-codes.ts'
import type { Session } from './session.ts'

/** One option: with `value` it takes one, without it is a switch. */
export type OptionSpec = {
  readonly about: string
  readonly value?: string
  readonly short?: string
  readonly many?: boolean
  readonly among?: readonly string[]
}
export type Options = Readonly<Record<string, OptionSpec>>
export type Positional = { readonly name: string; readonly about: string; readonly optional?: boolean }

/**
 * What a command ends with: one object for programs, lines for people, and the one word a script keeps with --quiet.
 */
export type Outcome = {
  readonly data: unknown
  readonly lines: readonly string[]
  readonly brief?: string
  readonly exit?: ExitName
}

/** One command of the table: parsing, help, completion and the guide are derived from it. */
export type Command = {
  readonly words: readonly string[]
  readonly about: string
  readonly positionals?: readonly Positional[]
  readonly options?: Options
  readonly examples?: readonly string[]
  run(call: Call, session: Session): Promise<Outcome>
}

/** What was typed after the command's own words. */
export interface Call {
  /** A positional or an option with a value, when it was given. */
  text(name: string): string | undefined
  /** @throws CliError when it was not given. */
  need(name: string): string
  /** A number, when it was given. @throws CliError when it is none */
  number(name: string): number | undefined
  list(name: string): readonly string[]
  is(name: string): boolean
}

/** What every command takes. */
export const globalOptions: Options = {
  profile: { value: 'NAME', about: 'The profile to act as (ERGON_PROFILE).' },
  url: { value: 'URL', about: "Where the service is, in place of the profile's (ERGON_URL)." },
  json: { about: 'Print one JSON object on stdout: ok, command, and data or error.' },
  quiet: { short: 'q', about: 'Print the id alone, and no progress.' },
  yes: { short: 'y', about: 'Do not ask before something that cannot be taken back.' },
  debug: { about: 'Show where an error arose.' },
  help: { short: 'h', about: 'Print what the command takes.' },
}
