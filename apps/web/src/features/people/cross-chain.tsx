import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card, Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { peopleMessages } from './messages.ts'

/** The standing of a wallet on every network with registries, as each of them says it. */
export function CrossChain({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const { data, error } = useRead('reputation.crossChain', { wallet }, { staleTime: 300_000 })
  if (error !== null) return <Failure error={error} />
  if (data === undefined || data.networks.length === 0) return null
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('crossChain')}</h2>
      <Facts
        rows={data.networks.map(
          ({ network, status, score, rating_count: count }) =>
            [
              networkTitle(network),
              say(`standing.${status}`, {
                score: format.number(score ?? 0, { maximumFractionDigits: 1 }),
                n: count ?? 0,
              }),
            ] as const,
        )}
      />
    </Card>
  )
}
