import { sumUsd } from '../../lib/sum-usd.ts'
import type { Receipt } from './receipt.ts'

/** What the receipts of one token on one network come to. */
export type Total = {
  readonly network: string
  readonly token: string
  readonly count: number
  /** What reached workers and the fee on it. */
  readonly spentUsd: number
  readonly payoutUsd: number
  readonly feeUsd: number
  /** Locked, and neither paid out nor back. */
  readonly heldUsd: number
  readonly refundedUsd: number
}

const holding: readonly Receipt['status'][] = ['authorized', 'releasing', 'refunding']

/** Every token of every network for itself: they are different money. */
export function totalsOf(receipts: readonly Receipt[]): readonly Total[] {
  const assets = Map.groupBy(receipts, ({ network, token }) => `${network} ${token}`)
  return [...assets.values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const sum = (figure: (one: Receipt) => number): number => sumUsd(all.map(figure))
    return [
      {
        network: first.network,
        token: first.token,
        count: all.length,
        spentUsd: sum(spentOf),
        payoutUsd: sum(({ payoutUsd }) => payoutUsd ?? 0),
        feeUsd: sum(({ feeUsd }) => feeUsd ?? 0),
        heldUsd: sum((one) =>
          holding.includes(one.status) ? sumUsd([one.grossUsd, -spentOf(one), -(one.refundedUsd ?? 0)]) : 0,
        ),
        refundedUsd: sum(({ refundedUsd }) => refundedUsd ?? 0),
      },
    ]
  })
}

function spentOf({ payoutUsd, feeUsd }: Receipt): number {
  return sumUsd([payoutUsd ?? 0, feeUsd ?? 0])
}

/** The receipts as a table for other programs: the words and figures of the service, times in UTC. */
export function csvRows(receipts: readonly Receipt[]): readonly (readonly (string | number | null)[])[] {
  const hashOf = (one: Receipt, step: string): string | null =>
    one.transactions.find((transaction) => transaction.step === step)?.hash ?? null
  return [
    [
      'moved_at',
      'task_id',
      'title',
      'status',
      'gross_usd',
      'payout_usd',
      'fee_usd',
      'refunded_usd',
      'network',
      'token',
      'escrow_tx',
      'release_tx',
      'fee_tx',
      'refund_tx',
    ],
    ...receipts.map((one) => [
      one.movedAt,
      one.taskId,
      one.title,
      one.status,
      one.grossUsd,
      one.payoutUsd,
      one.feeUsd,
      one.refundedUsd,
      one.network,
      one.token,
      hashOf(one, 'lock'),
      hashOf(one, 'release'),
      hashOf(one, 'fee'),
      hashOf(one, 'refund'),
    ]),
  ]
}
