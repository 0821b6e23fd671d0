import type { ReactNode } from 'react'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card, Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { moneyMessages } from './messages.ts'
import type { Total } from './totals.ts'

/** What the receipts come to, one block for each token of each network. */
export function TotalsCard({ totals }: { readonly totals: readonly Total[] }): ReactNode {
  const say = useMessages(moneyMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  if (totals.length === 0) return null
  return (
    <Card as="section" className="grid gap-5">
      <h2>{say('totals')}</h2>
      {totals.map((one) => (
        <div key={`${one.network} ${one.token}`} className="grid gap-2">
          <h3 className="text-base">
            {networkTitle(one.network)}, {one.token}{' '}
            <span className="text-sm font-normal text-quiet">{say('receiptsCount', { n: one.count })}</span>
          </h3>
          <Facts
            rows={[
              [say('spent'), <Money key="spent" usd={one.spentUsd} className="text-lg" />],
              [say('payouts'), format.usd(one.payoutUsd)],
              [say('fees'), format.usd(one.feeUsd)],
              ...(one.heldUsd === 0 ? [] : [[say('held'), format.usd(one.heldUsd)] as const]),
              ...(one.refundedUsd === 0 ? [] : [[say('returned'), format.usd(one.refundedUsd)] as const]),
            ]}
          />
        </div>
      ))}
    </Card>
  )
}
