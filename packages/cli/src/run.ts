import { ChallengeMismatch, ErgonError } from '@ergon/sdk'
import { CliError, usageError } from './cli-error.ts'
import type { Command, Outcome } from './command.ts'
import { exitCodes, exitOf } from './exit-codes.ts'
import { helpOf, helpOfAll } from './help.ts'
import { parseCall } from './parse-call.ts'
import { createSession, type Env } from './session.ts'

/** As the manifest of the package has it. */
export const version = '0.1.0'

/** Where a run reads from and writes to. */
export type Surroundings = {
  readonly env: Env
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly stopped: AbortSignal
}

/** Runs one line and answers the number it ends with. */
export async function run(
  commands: readonly Command[],
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { out, env } = surroundings
  const help = helpAsked(commands, words)
  if (help !== undefined) {
    out(`${help}\n`)
    return 0
  }
  if (words[0] === '--version') {
    out(`${version}\n`)
    return 0
  }
  let name = words.slice(0, 1).join(' ')
  try {
    const command = findCommand(commands, words)
    name = command.words.join(' ')
    const { call, wantsHelp } = parseCall(command, words.slice(command.words.length))
    if (wantsHelp) {
      out(`${helpOf(command)}\n`)
      return 0
    }
    const manner = {
      profile: call.text('profile'),
      url: call.text('url'),
      json: call.is('json'),
      quiet: call.is('quiet'),
      yes: call.is('yes'),
    }
    const session = createSession(env, manner, surroundings.stopped)
    const outcome = await command.run(call, session).finally(() => {
      session.settle()
    })
    out(printed(name, outcome, manner))
    return exitCodes[outcome.exit ?? 'ok'].code
  } catch (error) {
    return fail(name, error, words, surroundings)
  }
}

const asksForHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

/** Help on all, on a command, or on those that begin with a word; undefined when something is to be run. */
function helpAsked(commands: readonly Command[], words: readonly string[]): string | undefined {
  const [first = 'help', second] = words
  const isAll = first === 'help' || asksForHelp(first)
  if (!isAll && !asksForHelp(second)) return undefined
  const about = (isAll ? words.slice(1) : [first]).filter((word) => !word.startsWith('-'))
  const fitting = commands.filter((command) => about.every((word, index) => command.words[index] === word))
  const [only] = fitting.filter((command) => command.words.length === about.length)
  if (only !== undefined) return helpOf(only)
  if (fitting.length > 0) return helpOfAll(fitting)
  return isAll ? helpOfAll(commands) : undefined
}

/** The row whose words the line begins with; the longest wins. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command {
  const fitting = commands.filter((command) => command.words.every((word, index) => words[index] === word))
  const [best] = fitting.toSorted((one, other) => other.words.length - one.words.length)
  if (best !== undefined) return best
  const near = commands.filter((command) => command.words[0] === words[0]).map((command) => command.words.join(' '))
  throw usageError(
    `unknown command: ${words.slice(0, near.length > 0 ? 2 : 1).join(' ')}`,
    near.length > 0 ? `There are: ${near.join(', ')}.` : 'See ergon --help.',
  )
}

function printed(
  name: string,
  outcome: Outcome,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
): string {
  if (json) return `${JSON.stringify({ ok: (outcome.exit ?? 'ok') === 'ok', command: name, data: outcome.data })}\n`
  const lines = quiet ? (outcome.brief === undefined ? [] : [outcome.brief]) : outcome.lines
  return lines.map((line) => `${line}\n`).join('')
}

/** What happened, its code, and what to do; where it arose only with --debug. */
function fail(name: string, error: unknown, words: readonly string[], { out, err }: Surroundings): number {
  const exit = exitCodes[exitOf(error)].code
  const told = describe(error)
  if (words.includes('--json')) out(`${JSON.stringify({ ok: false, command: name, error: told, exit_code: exit })}\n`)
  err(
    `${[`ergon: ${told.message}`, `  code: ${told.code}`, ...(Object.keys(told.details).length === 0 ? [] : [`  details: ${JSON.stringify(told.details)}`]), ...(told.recovery === '' ? [] : [`  do: ${told.recovery}`]), ...(told.idempotency_key === null ? [] : [`  key: ${told.idempotency_key}`])].join('\n')}\n`,
  )
  if (words.includes('--debug') && error instanceof Error) err(`${error.stack ?? ''}\n`)
  return exit
}

type Told = {
  readonly code: string
  readonly message: string
  readonly recovery: string
  readonly status: number | null
  readonly request_id: string | null
  /** What to ask by when it is not known how it ended. */
  readonly idempotency_key: string | null
  readonly details: Readonly<Record<string, unknown>>
}

function describe(error: unknown): Told {
  const none = { status: null, request_id: null, idempotency_key: null, details: {} }
  if (error instanceof ErgonError) {
    const { code, recovery, status, requestId, details, pending, idempotencyKey } = error
    const idempotency_key = pending ? (idempotencyKey ?? null) : null
    return {
      code,
      message: error.message.replace(`${code}: `, ''),
      recovery,
      status,
      request_id: requestId ?? null,
      idempotency_key,
      details,
    }
  }
  if (error instanceof CliError) return { ...none, code: error.code, message: error.message, recovery: error.recovery }
  if (error instanceof ChallengeMismatch)
    return {
      ...none,
      code: 'CHALLENGE_MISMATCH',
      message: error.message,
      recovery: 'Nothing was signed. Compare the task with what you agreed to.',
    }
  return {
    ...none,
    code: 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
    recovery: 'Run it again with --debug to see where it arose.',
  }
}
