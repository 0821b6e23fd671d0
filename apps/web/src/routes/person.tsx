import { lazy, Suspense, type ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { BlockButton } from '../components/block-button.tsx'
import { AddressDetails } from '../components/address-details.tsx'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Page } from '../components/page.tsx'
import { ReadFault } from '../components/read-fault.tsx'
import { Scene } from '../components/scene.tsx'
import { sceneOf } from '../art/scene-of.ts'
import { Portrait } from '../components/portrait.tsx'
import { StatusBadge } from '../components/status.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { CrossChain } from '../features/people/cross-chain.tsx'
import { Invite } from '../features/people/invite.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { Ratings } from '../features/people/ratings.tsx'
import { Figures, Scores } from '../features/people/scores.tsx'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { shortAddress } from '../lib/short-address.ts'
import { useTaskTitle } from '../lib/use-task-title.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { wordMessages } from '../messages/words.ts'
import { useSession } from '../wallet/wallet.tsx'

const Gallery = lazy(async () => ({ default: (await import('../features/portfolio/gallery.tsx')).Gallery }))

const route = getRouteApi('/people/$workerId')

/** What anybody may know of a worker. */
export function PersonScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const { workerId } = route.useParams()
  const worker = useRead('workers.get', { executor_id: workerId })
  if (worker.data === undefined)
    return (
      <Page title={say('person')}>
        {worker.error === null ? <Loading says={common('loading')} /> : <ReadFault of={worker} />}
      </Page>
    )
  return <Known worker={worker.data} />
}

function Known({ worker }: { readonly worker: Output<'workers.get'> }): ReactNode {
  const say = useMessages(peopleMessages)
  const words = useMessages(wordMessages)
  const format = useFormat()
  const { wallet } = useSession()
  const reputation = useRead('workers.reputation', { executor_id: worker.id })
  return (
    <Page
      title={worker.display_name ?? say('noName')}
      wide
      lead={say('hereSince', {
        kind: words(`party.${worker.executor_type}`),
        when: format.date(worker.created_at),
      })}
      before={
        <Portrait
          address={worker.wallet_address}
          party={worker.executor_type}
          name={worker.display_name}
          picture={worker.picture_url}
          size={88}
        />
      }
    >
      {typeof wallet === 'string' && wallet !== worker.wallet_address.toLowerCase() && (
        <Invite workerId={worker.id} name={worker.display_name ?? say('noName')} />
      )}
      {reputation.error !== null && (
        <Failure
          error={reputation.error}
          retry={() => {
            void reputation.refetch()
          }}
        />
      )}
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
        <div className="grid min-w-0 gap-8">
          <Figures done={worker.tasks_completed} of={reputation.data} />
          <Suspense>
            <Gallery workerId={worker.id} />
          </Suspense>
          {reputation.data !== undefined && <Ratings title={say('ratings')} ratings={reputation.data.ratings} />}
          <WorkerTasks workerId={worker.id} />
        </div>
        <aside className="grid min-w-0 gap-4">
          {reputation.data !== undefined && (
            <Scores of={reputation.data}>
              <Checkable worker={worker} network={reputation.data.network} />
            </Scores>
          )}
          <CrossChain wallet={worker.wallet_address} />
          {typeof wallet === 'string' && wallet !== worker.wallet_address.toLowerCase() && (
            <BlockButton
              wallet={worker.wallet_address}
              name={worker.display_name ?? shortAddress(worker.wallet_address)}
            />
          )}
        </aside>
      </div>
    </Page>
  )
}

type CheckableProps = { readonly worker: Output<'workers.get'>; readonly network: string }

/** The entry in the registry, and the address behind a word. */
function Checkable({ worker, network }: CheckableProps): ReactNode {
  const say = useMessages(peopleMessages)
  const networkTitle = useNetworkTitle()
  return (
    <>
      <p className="text-sm text-quiet">
        {say('identity')}:{' '}
        {worker.erc8004_agent_id === null
          ? say('noIdentity')
          : say('identityNumber', { id: worker.erc8004_agent_id, network: networkTitle(network) })}
      </p>
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('wallet')}</summary>
        <AddressDetails address={worker.wallet_address} network={network} />
      </details>
    </>
  )
}

function WorkerTasks({ workerId }: { readonly workerId: string }): ReactNode {
  const say = useMessages(peopleMessages)
  const titleOf = useTaskTitle()
  const { data, error } = useRead('workers.tasks', { executor_id: workerId, limit: 20 })
  return (
    <section className="grid gap-3">
      <h2>{say('tasks')}</h2>
      {error !== null && <Failure error={error} />}
      {data !== undefined && data.tasks.length === 0 && <Empty title={say('noTasks')} />}
      <ul className="card rows py-1 empty:hidden">
        {data?.tasks.map((task) => (
          <li key={task.id} className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
            <Scene name={sceneOf[task.category]} className="size-11 flex-none" />
            <span className="grid min-w-0 grow basis-24 justify-items-start gap-1">
              <Link
                to="/tasks/$taskId"
                params={{ taskId: task.id }}
                className="font-label wrap-anywhere hover:underline"
              >
                {titleOf(task)}
              </Link>
              <StatusBadge status={task.status} />
            </span>
            <Money usd={task.bounty_usd} className="ms-auto" />
          </li>
        ))}
      </ul>
    </section>
  )
}
