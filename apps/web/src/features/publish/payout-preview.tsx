import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Money } from '../../components/money.tsx'
import { Card, Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { publishMessages } from './messages.ts'

/** The one display of the fee: a part of the bounty, never on top of it, and as the service works it out. */
export function PayoutPreview({ bountyUsd }: { readonly bountyUsd: number | undefined }): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  const { data, error } = useRead('payments.fees', bountyUsd === undefined ? {} : { bounty_usd: bountyUsd }, {
    staleTime: 600_000,
    placeholderData: keepPreviousData,
  })
  const split = bountyUsd === undefined ? undefined : (data?.example ?? undefined)
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('preview')}</h2>
      {error !== null && <Failure error={error} />}
      <div aria-live="polite">
        {data !== undefined && (
          <Facts
            rows={[
              [
                say('youPay'),
                split === undefined ? '–' : <Money key="gross" usd={split.bounty_usd} className="text-xl" />,
              ],
              [
                say('workerGets'),
                split === undefined ? (
                  format.percent(data.worker_bps / 10_000)
                ) : (
                  <Money key="payout" usd={split.worker_usd} />
                ),
              ],
              [
                say('fee', { pct: format.percent(data.fee_bps / 10_000) }),
                split === undefined ? '–' : <Money key="fee" usd={split.fee_usd} />,
              ],
            ]}
          />
        )}
      </div>
      <p className="text-quiet">{say('whenLocked')}</p>
    </Card>
  )
}
