import type { ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { Money } from '../../components/money.tsx'
import { Card, Facts } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Dispute, DisputedTask } from './dispute-view.tsx'
import { disputeMessages } from './messages.ts'

/** What was decided, what each side gets, and the transactions as far as the chain has confirmed them. */
export function Outcome({
  dispute,
  task,
}: {
  readonly dispute: Dispute
  readonly task: DisputedTask | undefined
}): ReactNode {
  const say = useMessages(disputeMessages)
  const format = useFormat()
  const { verdict, split_pct: share, publisher_refund_usdc: back, worker_gross_usdc: gross, resolved_at: at } = dispute
  if (verdict === null) return null
  const proof = (hash: string | null): ReactNode => {
    if (hash === null) return <span className="text-quiet">{say('notYet')}</span>
    return task === undefined ? <Address value={hash} /> : <Transaction hash={hash} network={task.payment_network} />
  }
  const isMoved = (hash: string | null, usd: number | null): boolean =>
    hash !== null || (dispute.status === 'resolving' && usd !== null && usd > 0)
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('outcome')}</h2>
      <p className="text-lg font-semibold">{say(`verdict.${verdict}`)}</p>
      <Facts
        rows={[
          ...(share === null ? [] : [[say('share'), format.percent(share / 100)] as const]),
          ...(back === null ? [] : [[say('back'), <Money key="back" usd={back} />] as const]),
          ...(gross === null ? [] : [[say('gross'), <Money key="gross" usd={gross} />] as const]),
          ...(isMoved(dispute.payment_tx, gross) ? [[say('payment'), proof(dispute.payment_tx)] as const] : []),
          ...(isMoved(dispute.refund_tx, back) ? [[say('refund'), proof(dispute.refund_tx)] as const] : []),
          ...(at === null ? [] : [[say('decided'), <Moment key="at" at={at} />] as const]),
        ]}
      />
      {dispute.resolution_reason !== null && (
        <div>
          <h3>{say('why')}</h3>
          <p className="wrap-anywhere whitespace-pre-line">{dispute.resolution_reason}</p>
        </div>
      )}
    </Card>
  )
}
