import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { AddressDetails } from '../components/address-details.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Page } from '../components/page.tsx'
import { Portrait } from '../components/portrait.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Card, Empty, Facts, Loading } from '../components/surface.tsx'
import { CrossChain } from '../features/people/cross-chain.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { Ratings } from '../features/people/ratings.tsx'
import { Scores } from '../features/people/scores.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { wordMessages } from '../messages/words.ts'

const route = getRouteApi('/people/$workerId')

/** What anybody may know of a worker. */
export function PersonScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const { workerId } = route.useParams()
  const worker = useRead('workers.get', { executor_id: workerId })
  const reputation = useRead('workers.reputation', { executor_id: workerId })
  if (worker.error !== null)
    return (
      <Page title={say('person')}>
        <Failure
          error={worker.error}
          retry={() => {
            void worker.refetch()
          }}
        />
      </Page>
    )
  if (worker.data === undefined)
    return (
      <Page title={say('person')}>
        <Loading says={common('loading')} />
      </Page>
    )
  const { data } = worker
  return (
    <Page title={data.display_name ?? say('person')}>
      <WhoItIs worker={data} network={reputation.data?.network} />
      {reputation.error !== null && (
        <Failure
          error={reputation.error}
          retry={() => {
            void reputation.refetch()
          }}
        />
      )}
      {reputation.data !== undefined && (
        <>
          <Scores of={reputation.data} />
          <Ratings title={say('ratings')} ratings={reputation.data.ratings} />
        </>
      )}
      <CrossChain wallet={data.wallet_address} />
      <WorkerTasks workerId={workerId} />
    </Page>
  )
}

type WhoProps = { readonly worker: Output<'workers.get'>; readonly network: string | undefined }

/** The portrait, what it is and since when; the address behind a word. */
function WhoItIs({ worker, network }: WhoProps): ReactNode {
  const say = useMessages(peopleMessages)
  const words = useMessages(wordMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  return (
    <Card className="flex flex-wrap items-start gap-5">
      <Portrait address={worker.wallet_address} party={worker.executor_type} name={worker.display_name} size={88} />
      <div className="min-w-0 flex-1 basis-64">
        <Facts
          rows={[
            [say('kind'), words(`party.${worker.executor_type}`)],
            [
              say('identity'),
              worker.erc8004_agent_id === null
                ? say('noIdentity')
                : say('identityNumber', {
                    id: worker.erc8004_agent_id,
                    network: network === undefined ? '…' : networkTitle(network),
                  }),
            ],
            [say('completed'), format.number(worker.tasks_completed)],
            [say('since'), format.date(worker.created_at)],
          ]}
        />
        <details>
          <summary className="link inline-flex min-h-11 items-center">{say('wallet')}</summary>
          <AddressDetails address={worker.wallet_address} network={network} />
        </details>
      </div>
    </Card>
  )
}

function WorkerTasks({ workerId }: { readonly workerId: string }): ReactNode {
  const say = useMessages(peopleMessages)
  const { data, error } = useRead('workers.tasks', { executor_id: workerId, limit: 20 })
  return (
    <section className="grid gap-3">
      <h2>{say('tasks')}</h2>
      {error !== null && <Failure error={error} />}
      {data !== undefined && data.tasks.length === 0 && <Empty title={say('noTasks')} />}
      <ul className="grid gap-2">
        {data?.tasks.map((task) => (
          <Card as="li" key={task.id} className="flex flex-wrap items-center justify-between gap-2">
            <Link to="/tasks/$taskId" params={{ taskId: task.id }} className="link font-semibold">
              {task.title}
            </Link>
            <span className="flex items-center gap-3">
              <StatusBadge status={task.status} />
              <Money usd={task.bounty_usd} />
            </span>
          </Card>
        ))}
      </ul>
    </section>
  )
}
