import type { Output } from '@ergon/sdk'
import { sumUsd } from '../../lib/sum-usd.ts'

type Task = Pick<
  Output<'tasks.list'>['tasks'][number],
  'id' | 'title' | 'created_at' | 'updated_at' | 'escrow_status' | 'payment_tx' | 'refund_tx'
>
type Payment = Output<'payments.get'>
type Entry = Output<'payments.events'>['events'][number]

/** What became of the bounty of one task, in the figures of the service. */
export type Receipt = {
  readonly taskId: string
  readonly title: string
  readonly status: Payment['status']
  readonly network: string
  readonly token: string
  /** The bounty: everything that was promised, held or paid. */
  readonly grossUsd: number
  /** Null until the worker was paid. */
  readonly payoutUsd: number | null
  readonly feeUsd: number | null
  /** Null where nothing came back. */
  readonly refundedUsd: number | null
  /** The last time the bounty was locked, paid or given back; null when the service names none. */
  readonly movedAt: string | null
  readonly transactions: readonly Transaction[]
}

export type Step = 'lock' | 'release' | 'fee' | 'refund'
export type Transaction = { readonly step: Step; readonly hash: string }

/** The kinds of entries that move the bounty itself; the fee may follow days later. */
const moves: readonly Entry['type'][] = ['settle', 'disburse_worker', 'refund']

const held: readonly Task['escrow_status'][] = ['authorized', 'releasing', 'released', 'refunding', 'refunded']

/** Money of the publisher moved: into escrow, to the worker or back. */
export function hasMoved({ escrow_status, payment_tx, refund_tx }: Task): boolean {
  return held.includes(escrow_status) || payment_tx !== null || refund_tx !== null
}

export function receiptOf(task: Task, payment: Payment, entries: readonly Entry[]): Receipt {
  const done = entries.filter(({ status }) => status !== 'failed')
  const refunds = done.flatMap(({ type, amount_usd }) => (type === 'refund' && amount_usd !== null ? [amount_usd] : []))
  const moments = done
    .filter(({ type }) => moves.includes(type))
    .map(({ timestamp }) => timestamp)
    .sort()
  const { escrow_tx, release_tx, fee_tx, refund_tx } = payment
  const named = [
    ['lock', escrow_tx],
    ['release', release_tx],
    ['fee', fee_tx],
    ['refund', refund_tx],
  ] as const
  return {
    taskId: task.id,
    title: task.title,
    status: payment.status,
    network: payment.network,
    token: payment.token,
    grossUsd: payment.total_amount,
    payoutUsd: payment.released_net_usdc,
    feeUsd: payment.platform_fee_usdc,
    refundedUsd: refunds.length === 0 ? null : sumUsd(refunds),
    movedAt: moments.at(-1) ?? null,
    transactions: named.flatMap(([step, hash]) => (hash === null ? [] : [{ step, hash }])),
  }
}
