import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { AddressDetails } from '../components/address-details.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { Scene } from '../components/scene.tsx'
import { sceneOf } from '../art/scene-of.ts'
import { PersonChip } from '../components/person.tsx'
import { Card, Empty, Loading } from '../components/surface.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { Ratings } from '../features/people/ratings.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/publishers/$wallet')

/** What anybody may know of a publisher: what workers said, and what is open. */
export function PublisherScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const { wallet } = route.useParams()
  const received = useRead('reputation.publisher', { publisher_key: wallet })
  const tasks = useRead('tasks.list', { publisher: wallet, status: 'published', all_parties: true, limit: 20 })
  if (received.error !== null)
    return (
      <Page title={say('publisher')}>
        <Failure
          error={received.error}
          retry={() => {
            void received.refetch()
          }}
        />
      </Page>
    )
  if (received.data === undefined)
    return (
      <Page title={say('publisher')}>
        <Loading says={common('loading')} />
      </Page>
    )
  const { avg_score: score, rating_count: count, ratings } = received.data
  return (
    <Page title={say('publisher')}>
      <Card className="grid gap-3">
        <PersonChip
          address={received.data.wallet}
          party={tasks.data?.tasks[0]?.publisher_type}
          rated={{ score, count }}
          size={44}
        />
        <details>
          <summary className="link inline-flex min-h-11 items-center">{say('wallet')}</summary>
          <AddressDetails address={received.data.wallet} network={tasks.data?.tasks[0]?.payment_network} />
        </details>
      </Card>
      <section className="grid gap-3">
        <h2>{say('openTasks')}</h2>
        {tasks.error !== null && <Failure error={tasks.error} />}
        {tasks.data !== undefined && tasks.data.tasks.length === 0 && <Empty title={say('noOpen')} />}
        <ul className="card rows py-1 empty:hidden">
          {tasks.data?.tasks.map((task) => (
            <li key={task.id} className="flex items-center gap-3.5">
              <Scene name={sceneOf[task.category]} className="size-11 flex-none" />
              <Link
                to="/tasks/$taskId"
                params={{ taskId: task.id }}
                className="min-w-0 grow font-label wrap-anywhere hover:underline"
              >
                {task.title}
              </Link>
              <Money usd={task.bounty_usd} />
            </li>
          ))}
        </ul>
      </section>
      <Ratings title={say('received')} ratings={ratings} />
    </Page>
  )
}
