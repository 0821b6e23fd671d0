import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Address } from '../../components/address.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Portrait } from '../../components/portrait.tsx'
import { Card, Empty } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { webLink } from '../../lib/web-link.ts'
import { peopleMessages } from './messages.ts'

type Rating = Output<'workers.reputation'>['ratings'][number]

/** Ratings as they stand on chain, each with its author, its transaction and the document it commits to. */
export function Ratings({
  title,
  ratings,
}: {
  readonly title: string
  readonly ratings: readonly Rating[]
}): ReactNode {
  const say = useMessages(peopleMessages)
  return (
    <section aria-label={title} className="grid gap-3">
      <h2>{title}</h2>
      {ratings.length === 0 ? (
        <Empty title={say('noRatings')} />
      ) : (
        <p className="text-quiet">{say('ratingsCount', { n: ratings.length })}</p>
      )}
      <ul className="grid gap-3">
        {ratings.map((rating) => (
          <RatingCard key={`${rating.task_id} ${rating.direction}`} rating={rating} />
        ))}
      </ul>
    </section>
  )
}

function RatingCard({ rating }: { readonly rating: Rating }): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const document = webLink(rating.feedback_uri)
  return (
    <Card as="li" className="grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="numbers font-strong">{say('outOf100', { score: format.number(rating.score) })}</span>
        <span className="inline-flex flex-wrap items-center gap-2 text-sm text-quiet">
          <span className="visually-hidden">{say('rater')}</span>
          <Portrait address={rating.rater_wallet} size={24} />
          <Address value={rating.rater_wallet} />
          {rating.created_at === null ? null : <Moment at={rating.created_at} />}
        </span>
      </p>
      {rating.comment !== null && (
        <p className="rounded-control bg-warm px-4 py-3 whitespace-pre-line">{rating.comment}</p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet">
        {rating.transaction_hash !== null && (
          <span>
            {say('transaction')} <Address value={rating.transaction_hash} /> ({networkTitle(rating.network)})
          </span>
        )}
        {document !== undefined && (
          <a href={document} rel="noreferrer noopener" className="link">
            {say('readDocument')}
          </a>
        )}
      </p>
    </Card>
  )
}
