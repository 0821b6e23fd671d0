import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { PersonChip } from '../components/person.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/leaderboard')
const perPage = 50

/** Workers by the score that gates compare; who is unrated comes last and has no number. */
export function LeaderboardScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const { from } = route.useSearch()
  const offset = /^\d{1,5}$/.test(from ?? '') ? Number(from) : 0
  const { data, error, refetch } = useRead('reputation.leaderboard', { limit: perPage, offset })
  return (
    <Page title={say('leaderboard')} lead={say('leaderboardLead')}>
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} />}
      {data !== undefined && data.leaderboard.length === 0 && <Empty title={say('none')} />}
      {data !== undefined && data.leaderboard.length > 0 && (
        <ol aria-label={say('leaderboard')} className="card rows py-1">
          {data.leaderboard.map((worker) => (
            <li key={worker.id} className="flex items-center gap-x-3 sm:gap-x-4">
              <span className="numbers w-5 flex-none text-end text-quiet">{format.number(worker.rank)}</span>
              <Link
                to="/people/$workerId"
                params={{ workerId: worker.id }}
                className="inline-flex min-h-11 min-w-0 grow items-center hover:underline"
              >
                <PersonChip
                  address={worker.wallet_address}
                  party={worker.executor_type}
                  name={worker.display_name}
                  picture={worker.picture_url}
                  rated={{ score: worker.effective_reputation_score, count: 1 }}
                  counted={false}
                />
              </Link>
              {worker.tasks_completed > 0 && (
                <span className="numbers flex-none text-sm text-quiet">
                  {format.number(worker.tasks_completed)} {say('paidCount', { n: worker.tasks_completed })}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      <Pager
        previous={
          offset === 0
            ? undefined
            : { to: '/leaderboard', search: offset > perPage ? { from: String(offset - perPage) } : {} }
        }
        next={data?.has_more === true ? { to: '/leaderboard', search: { from: String(offset + perPage) } } : undefined}
      />
    </Page>
  )
}
