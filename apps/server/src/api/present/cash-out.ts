import type { CashOutStatus, Operations, OutputOf } from '@ergon/contract'
import type { CashOut } from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { instant } from './instant.ts'
import { usd } from './money.ts'

const statuses: Readonly<Record<CashOut['status'], CashOutStatus>> = {
  claimed: 'sending',
  in_doubt: 'sending',
  confirmed: 'sent',
  refused: 'not_sent',
}

export function presentCashOut({
  transfer,
  status,
  txHash,
  code,
  createdAt,
}: CashOut): OutputOf<Operations['cashOuts.get']> {
  const { asset } = transfer.amount
  return {
    network: asset.network,
    token: asset.symbol,
    to: transfer.to,
    amount_usd: usd(transfer.amount),
    nonce: transfer.nonce,
    status: statuses[status],
    tx: txHash,
    reason: code,
    valid_before: Number(transfer.validBefore),
    created_at: instant(createdAt),
  }
}

export function answerCashOut(cashOut: CashOut): AnswerOf<Operations['cashOuts.send']> {
  const body = presentCashOut(cashOut)
  return body.status === 'sending' ? inFlight(body) : done(body)
}
