import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { peopleMessages } from './messages.ts'

/** Each score with its scale and where it comes from; unrated is a word, not a zero. */
export function Scores({ of }: { readonly of: Output<'workers.reputation'> }): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const outOf = (key: 'outOf100' | 'outOf5', score: number | null): string =>
    score === null ? common('unrated') : say(key, { score: format.number(score, { maximumFractionDigits: 1 }) })
  const rows = [
    [say('effective'), outOf('outOf100', of.effective_reputation_score), say('effectiveFrom')],
    [
      say('onChain'),
      outOf('outOf100', of.onchain_reputation_score),
      say('onChainFrom', { network: networkTitle(of.network) }),
    ],
    [say('here'), outOf('outOf100', of.reputation_score), say('hereFrom')],
    [say('stars'), outOf('outOf5', of.avg_rating), say('starsFrom')],
  ] as const
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('scores')}</h2>
      <p className="text-quiet">{say('scoresLead')}</p>
      <dl className="grid gap-3 sm:grid-cols-2">
        {rows.map(([name, value, from]) => (
          <div key={name} className="rounded-xl bg-sunken p-3">
            <dt className="text-sm font-semibold">{name}</dt>
            <dd className="numbers text-lg font-bold">{value}</dd>
            <dd className="text-sm text-quiet">{from}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
