import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Money } from '../../components/money.tsx'
import { SplitBar } from '../../components/split-bar.tsx'
import { Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { publishMessages } from './messages.ts'

type PreviewProps = {
  /** What the whole amount is to its payer. */
  readonly says: string
  readonly bountyUsd: number | undefined
}

/** The one display of the fee: a part of the bounty, never on top of it, and as the service works it out. */
export function PayoutPreview({ says, bountyUsd }: PreviewProps): ReactNode {
  const say = useMessages(publishMessages)
  const { data, error } = useRead('payments.fees', bountyUsd === undefined ? {} : { bounty_usd: bountyUsd }, {
    staleTime: 600_000,
    placeholderData: keepPreviousData,
  })
  const split = bountyUsd === undefined ? undefined : (data?.example ?? undefined)
  return (
    <Card as="section" className="grid gap-3">
      <h2 className="visually-hidden">{say('preview')}</h2>
      {error !== null && <Failure error={error} />}
      {data !== undefined && (
        <div aria-live="polite" className="grid gap-3">
          <Row says={says} usd={split?.bounty_usd} />
          <SplitBar feeBps={data.fee_bps} />
          <Row says={say('workerGets')} share={data.worker_bps} mark="bg-brand" usd={split?.worker_usd} />
          <Row says={say('fee')} share={data.fee_bps} mark="bg-edge/50" usd={split?.fee_usd} />
        </div>
      )}
    </Card>
  )
}

type RowProps = {
  readonly says: string
  readonly share?: number
  readonly mark?: string
  readonly usd: number | undefined
}

function Row({ says, share, mark, usd }: RowProps): ReactNode {
  const format = useFormat()
  return (
    <p className={`flex items-center justify-between gap-3 ${mark === undefined ? '' : 'text-[0.9375rem]'}`}>
      <span className="flex items-center gap-2">
        {mark !== undefined && <span aria-hidden="true" className={`size-2.5 rounded-sm ${mark}`} />}
        {share === undefined ? says : `${says} ${format.percent(share / 10_000)}`}
      </span>
      {usd === undefined ? <span className="text-quiet">–</span> : <Money usd={usd} />}
    </p>
  )
}
