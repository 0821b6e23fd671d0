import type { Output } from '@ergon/sdk'

type Payment = Output<'workers.earnings'>['payments'][number]

const yearOf = ({ paid_at: at }: Payment): string => at.slice(0, 4)

/** The years (UTC) in which something was paid, the newest first. */
export function yearsOf(payments: readonly Payment[]): readonly string[] {
  return [...new Set(payments.map(yearOf))].sort().reverse()
}

/** A year as a table: what was agreed, what was kept, what arrived, in what, and where it can be looked up. */
export function statementOf(
  payments: readonly Payment[],
  year: string,
): readonly (readonly (string | number | null)[])[] {
  return [
    ['paid_at', 'task_id', 'title', 'gross_usd', 'fee_usd', 'payout_usd', 'network', 'token', 'payment_tx'],
    ...payments
      .filter((one) => yearOf(one) === year)
      .map((one) => [
        one.paid_at,
        one.task_id,
        one.title,
        one.gross_usd,
        // In millionths: a difference of decimals drifts.
        (Math.round(one.gross_usd * 1e6) - Math.round(one.payout_usd * 1e6)) / 1e6,
        one.payout_usd,
        one.network,
        one.token,
        one.payment_tx,
      ]),
  ]
}
