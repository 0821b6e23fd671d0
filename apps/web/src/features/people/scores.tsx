import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card, Facts } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { peopleMessages } from './messages.ts'

type ScoresProps = { readonly of: Output<'workers.reputation'>; readonly children?: ReactNode }

/** Each score with its scale, for those who check; unrated is a word, not a zero. */
export function Scores({ of, children }: ScoresProps): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const outOf = (score: number | null): string =>
    score === null ? common('unrated') : say('outOf100', { score: format.number(score, { maximumFractionDigits: 1 }) })
  return (
    <Card as="section" className="grid gap-3">
      <h2 className="text-card">{say('forThoseWhoCheck')}</h2>
      <Facts
        rows={[
          [say('onChain', { network: networkTitle(of.network) }), outOf(of.onchain_reputation_score)],
          [say('here'), outOf(of.reputation_score)],
          [say('effective'), outOf(of.effective_reputation_score)],
        ]}
      />
      <p className="text-sm text-quiet">{say('scoresLead')}</p>
      {children}
    </Card>
  )
}

type FiguresProps = { readonly done: number; readonly of: Output<'workers.reputation'> | undefined }

/** Three figures at a glance. */
export function Figures({ done, of }: FiguresProps): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const figures = [
    [format.number(done), say('paidCount', { n: done })],
    [
      of === undefined || of.avg_rating === null
        ? '–'
        : format.number(of.avg_rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
      say('stars'),
    ],
    [format.number(of?.ratings.length ?? 0), say('ratingsWord', { n: of?.ratings.length ?? 0 })],
  ] as const
  return (
    <dl className="card grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.5rem),1fr))] gap-4">
      {figures.map(([figure, name]) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className="numbers text-[1.5rem] leading-tight font-strong">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
