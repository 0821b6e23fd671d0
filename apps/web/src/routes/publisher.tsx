import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { BlockButton } from '../components/block-button.tsx'
import { AddressDetails } from '../components/address-details.tsx'
import { Failure } from '../components/failure.tsx'
import { ReadFault } from '../components/read-fault.tsx'
import { Page } from '../components/page.tsx'
import { Stars } from '../components/person.tsx'
import { Portrait } from '../components/portrait.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { TaskCard } from '../components/task-card.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { Ratings } from '../features/people/ratings.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { shortAddress } from '../lib/short-address.ts'
import { useSplit } from '../lib/use-split.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/publishers/$wallet')

/** What anybody may know of a publisher: what workers said, and what is open. */
export function PublisherScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const { wallet } = route.useParams()
  const split = useSplit()
  const { wallet: own } = useSession()
  const received = useRead('reputation.publisher', { publisher_key: wallet })
  const tasks = useRead('tasks.list', { publisher: wallet, status: 'published', all_parties: true, limit: 20 })
  if (received.data === undefined)
    return (
      <Page title={say('publisher')}>
        {received.error === null ? <Loading says={common('loading')} /> : <ReadFault of={received} />}
      </Page>
    )
  const { avg_score: score, rating_count: count, ratings } = received.data
  const [first] = tasks.data?.tasks ?? []
  return (
    <Page
      title={first?.publisher_name ?? say('publisher')}
      lead={<Stars rated={{ score, count }} />}
      before={
        <Portrait
          address={received.data.wallet}
          party={first?.publisher_type}
          name={first?.publisher_name}
          picture={first?.publisher_picture_url}
          size={88}
        />
      }
    >
      <section className="grid gap-3">
        <h2>{say('openTasks')}</h2>
        {tasks.error !== null && <Failure error={tasks.error} />}
        {tasks.data !== undefined && tasks.data.tasks.length === 0 && <Empty title={say('noOpen')} />}
        <ul className="grid gap-3 empty:hidden">
          {tasks.data?.tasks.map((task) => (
            <li key={task.id} className="@container">
              <TaskCard task={task} metres={undefined} split={split} heading="h3" />
            </li>
          ))}
        </ul>
      </section>
      <Ratings title={say('received')} ratings={ratings} />
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('wallet')}</summary>
        <AddressDetails address={received.data.wallet} network={first?.payment_network} />
      </details>
      {typeof own === 'string' && own !== received.data.wallet.toLowerCase() && (
        <BlockButton wallet={received.data.wallet} name={first?.publisher_name ?? shortAddress(received.data.wallet)} />
      )}
    </Page>
  )
}
