import type { ReactNode } from 'react'
import { disputeStatuses, type DisputeStatus } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { choiceLink } from '../../components/choice-link.ts'
import { Money } from '../../components/money.tsx'
import { Card } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { DisputeBadge } from './dispute-badge.tsx'
import { disputeMessages } from './messages.ts'

type Dispute = Output<'disputes.list'>['disputes'][number]

/** One list for each status; `kept` is what else the address says. */
export function StatusFilter({
  chosen,
  kept,
}: {
  readonly chosen: DisputeStatus | undefined
  readonly kept: Search
}): ReactNode {
  const say = useMessages(disputeMessages)
  return (
    <nav aria-label={say('filter')} className="flex flex-wrap gap-2">
      <Link {...choiceLink} to="/disputes" search={kept} aria-current={chosen === undefined ? 'true' : undefined}>
        {say('filter.all')}
      </Link>
      {disputeStatuses.map((one) => (
        <Link
          {...choiceLink}
          key={one}
          to="/disputes"
          search={{ ...kept, status: one }}
          aria-current={one === chosen ? 'true' : undefined}
        >
          {say(`status.${one}`)}
        </Link>
      ))}
    </nav>
  )
}

/** One dispute in a list: what about, how much, since when, and how it ended. */
export function DisputeRow({
  dispute,
  title,
  turn,
  kept,
}: {
  readonly dispute: Dispute
  readonly title: ReactNode
  /** Whose turn it is, while it is open. */
  readonly turn: ReactNode
  readonly kept: Search
}): ReactNode {
  const say = useMessages(disputeMessages)
  const format = useFormat()
  const { status, verdict, publisher_refund_usdc: back, worker_gross_usdc: gross } = dispute
  return (
    <Card as="li" className="relative grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 text-base wrap-anywhere">
          <Link
            to="/disputes/$disputeId"
            params={{ disputeId: dispute.id }}
            search={kept}
            className="after:absolute after:inset-0 hover:underline"
          >
            {title}
          </Link>
        </h2>
        <Money usd={dispute.disputed_amount_usdc} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <DisputeBadge status={status} />
        {status === 'open' && turn}
      </p>
      <p className="font-label">{say(`reason.${dispute.reason}`)}</p>
      <p className="line-clamp-2 wrap-anywhere text-quiet">{dispute.description}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet">
        <span>
          {say('openedBy')}: {say(`side.${dispute.opened_by}`)}
        </span>
        <Moment at={dispute.created_at} />
      </p>
      {verdict !== null && back !== null && gross !== null && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          <span className="font-semibold">{say(`verdict.${verdict}`)}</span>
          <span>
            {say('back')}: {format.usd(back)}
          </span>
          <span>
            {say('gross')}: {format.usd(gross)}
          </span>
        </p>
      )}
    </Card>
  )
}
