import { ChallengeMismatch, ErgonError } from '@ergon/sdk'
import { CliError } from './cli-error.ts'

/** What a script branches on. The guide prints this table; a number never changes its meaning. */
export const exitCodes = {
  ok: { code: 0, says: 'Done; of wait: the task is completed.' },
  unexpected: { code: 1, says: 'Any error that has no number of its own.' },
  usage: { code: 2, says: 'The command, an option or a file it names is wrong; nothing was sent.' },
  rejected: { code: 3, says: 'wait: the work was rejected or is disputed.' },
  expired: { code: 4, says: 'wait: the task expired.' },
  cancelled: { code: 5, says: 'wait: the task was cancelled.' },
  auth: { code: 10, says: 'No wallet, a wrong passphrase, or the service refused the caller.' },
  notFound: { code: 11, says: 'There is no such thing, or not any more.' },
  conflict: { code: 12, says: 'The state of the thing does not allow it.' },
  validation: { code: 13, says: 'A field does not meet its rule.' },
  payment: { code: 14, says: 'The money could not be moved, or what was to be signed is not what was agreed.' },
  rateLimited: { code: 15, says: 'Too many requests.' },
  unavailable: { code: 16, says: 'The service, or something it depends on, does not answer.' },
  pending: {
    code: 17,
    says: 'Under way, or not known yet: nothing has failed. The same command again goes on with it.',
  },
  timeout: { code: 124, says: 'wait, task watch: the time given has passed.' },
  interrupted: { code: 130, says: 'Stopped by Ctrl-C.' },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly says: string }>>

export type ExitName = keyof typeof exitCodes

const byStatus: Readonly<Record<number, ExitName>> = {
  400: 'validation',
  401: 'auth',
  402: 'payment',
  403: 'auth',
  404: 'notFound',
  409: 'conflict',
  410: 'notFound',
  413: 'validation',
  415: 'validation',
  422: 'validation',
  429: 'rateLimited',
}

/** Codes about money whose HTTP status says something more general. */
const aboutMoney =
  /^(INSUFFICIENT_FUNDS|INVALID_PAYMENT_AUTH|NETWORK_MISMATCH|PAYMENT_|SETTLEMENT_|REFUND_FAILED|ESCROW_STATE_MISSING|AUTHORIZATION_EXPIRED|escrow_)/

/** The number a failure ends with. */
export function exitOf(error: unknown): ExitName {
  if (error instanceof CliError) return error.exit
  if (error instanceof ChallengeMismatch) return 'payment'
  if (!(error instanceof ErgonError)) return 'unexpected'
  if (error.is('SETTLEMENT_PENDING', 'OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_FLIGHT')) return 'pending'
  if (aboutMoney.test(error.code)) return 'payment'
  return byStatus[error.status] ?? (error.status === 0 || error.status >= 500 ? 'unavailable' : 'unexpected')
}
