import type { ReactNode } from 'react'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { moneyMessages } from './messages.ts'
import type { Total } from './totals.ts'

/** What the receipts come to, one block for each token of each network. */
export function TotalsCard({ totals }: { readonly totals: readonly Total[] }): ReactNode {
  const say = useMessages(moneyMessages)
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
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
            <Sum name={say('spent')} usd={one.spentUsd} />
            <Sum name={say('payouts')} usd={one.payoutUsd} />
            <Sum name={say('fees')} usd={one.feeUsd} />
            {one.heldUsd !== 0 && <Sum name={say('held')} usd={one.heldUsd} />}
            {one.refundedUsd !== 0 && <Sum name={say('returned')} usd={one.refundedUsd} />}
          </dl>
        </div>
      ))}
    </Card>
  )
}

function Sum({ name, usd }: { readonly name: string; readonly usd: number }): ReactNode {
  return (
    <div>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd>
        <Money usd={usd} className="text-lg" />
      </dd>
    </div>
  )
}
