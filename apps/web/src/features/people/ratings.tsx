import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Address } from '../../components/address.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Portrait } from '../../components/portrait.tsx'
import { StarRow } from '../../components/star-row.tsx'
import { Empty } from '../../components/surface.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { webLink } from '../../lib/web-link.ts'
import { peopleMessages } from './messages.ts'
import { Spread } from './spread.tsx'

type Rating = Output<'workers.reputation'>['ratings'][number]
type RatingsProps = { readonly title: string; readonly ratings: readonly Rating[] }

/** What was said, by whom and with how many stars; the proof of each behind a word. */
export function Ratings({ title, ratings }: RatingsProps): ReactNode {
  const say = useMessages(peopleMessages)
  return (
    <section aria-label={title} className="grid gap-3">
      <h2>{title}</h2>
      {ratings.length === 0 ? (
        <Empty title={say('noRatings')} scene="check" />
      ) : (
        <>
          <Spread scores={ratings.map(({ score }) => score)} />
          <ul className="card rows py-1">
            {ratings.map((rating) => (
              <RatingRow key={`${rating.task_id} ${rating.direction}`} rating={rating} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function RatingRow({ rating }: { readonly rating: Rating }): ReactNode {
  const say = useMessages(peopleMessages)
  const isPublisher = rating.direction === 'publisher_rates_executor'
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="inline-flex min-w-0 items-center gap-2.5">
          <Portrait address={rating.rater_wallet} size={40} />
          <span className="grid min-w-0">
            {isPublisher ? (
              <Link
                to="/publishers/$wallet"
                params={{ wallet: rating.rater_wallet }}
                className="font-label hover:underline"
              >
                {say('aPublisher')}
              </Link>
            ) : (
              <span className="font-label">{say('aWorker')}</span>
            )}
            <span className="text-sm text-quiet">
              {rating.created_at === null ? null : <Moment at={rating.created_at} />}
            </span>
          </span>
        </span>
        <StarRow score={rating.score} />
      </div>
      {rating.comment !== null && (
        <p className="rounded-control bg-warm px-4 py-3 wrap-anywhere whitespace-pre-line">{rating.comment}</p>
      )}
      <Proof rating={rating} />
    </li>
  )
}

function Proof({ rating }: { readonly rating: Rating }): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const document = webLink(rating.feedback_uri)
  return (
    <details className="text-sm text-quiet">
      <summary className="link inline-flex min-h-6 items-center">{say('details')}</summary>
      <p className="flex flex-wrap gap-x-4 gap-y-1 pt-1">
        <span className="numbers">{say('outOf100', { score: format.number(rating.score) })}</span>
        <span>
          {say('rater')} <Address value={rating.rater_wallet} />
        </span>
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
    </details>
  )
}
