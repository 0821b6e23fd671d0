import type { ExitName } from './exit-codes.ts'

/** What this side found wrong: what happened, a code to branch on, and what to do. */
export class CliError extends Error {
  readonly exit: ExitName
  readonly code: string
  readonly recovery: string

  constructor(exit: ExitName, code: string, message: string, recovery: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.exit = exit
    this.code = code
    this.recovery = recovery
  }
}

/** The line that was typed cannot be followed. */
export function usageError(message: string, recovery = 'Run the command with --help.'): CliError {
  return new CliError('usage', 'USAGE', message, recovery)
}
