import type { ReactNode } from 'react'
import { disputeStatuses, type DisputeStatus } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { choiceLink } from '../components/choice-link.ts'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { DisputeRow, StatusFilter } from '../features/disputes/dispute-list.tsx'
import { disputeMessages } from '../features/disputes/messages.ts'
import { OperatorTaskTitle, TaskTitle } from '../features/disputes/task-title.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useAdminKey, useOperatorRead } from '../lib/operator.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/disputes')
const perPage = 20
const everyMs = 15_000

type Asked = { readonly limit: number; readonly offset: number; readonly status?: DisputeStatus }
type Answer = {
  readonly data: Output<'disputes.list'> | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** The disputes of the person; with the key of the deployment, everybody's, to decide. */
export function DisputesScreen(): ReactNode {
  const say = useMessages(disputeMessages)
  const { wallet } = useSession()
  const adminKey = useAdminKey()
  const { as } = route.useSearch()
  const isOperator = as === 'operator'
  return (
    <Page title={say(isOperator ? 'inboxTitle' : 'title')} lead={say(isOperator ? 'inboxLead' : 'lead')}>
      {(isOperator || adminKey !== undefined) && (
        <nav aria-label={say('whose')} className="flex flex-wrap gap-2">
          <Link {...choiceLink} to="/disputes" search={{}} aria-current={isOperator ? undefined : 'true'}>
            {say('mine')}
          </Link>
          <Link
            {...choiceLink}
            to="/disputes"
            search={{ as: 'operator' }}
            aria-current={isOperator ? 'true' : undefined}
          >
            {say('everybody')}
          </Link>
        </nav>
      )}
      {isOperator ? (
        <OperatorGate>
          <Inbox />
        </OperatorGate>
      ) : wallet === null ? (
        <SignedOut what={say('signedOut')} />
      ) : wallet === undefined ? (
        <SessionUnknown />
      ) : (
        <OwnDisputes />
      )}
      {!isOperator && adminKey === undefined && (
        <p>
          <Link to="/disputes" search={{ as: 'operator' }} className="link inline-flex min-h-6 items-center">
            {say('forOperator')}
          </Link>
        </p>
      )}
    </Page>
  )
}

function useAsked(): Asked {
  const { status, page: at } = route.useSearch()
  const page = /^[1-9]\d{0,2}$/.test(at ?? '') ? Number(at) : 1
  const chosen = disputeStatuses.find((one) => one === status)
  return { limit: perPage, offset: (page - 1) * perPage, ...(chosen === undefined ? {} : { status: chosen }) }
}

function OwnDisputes(): ReactNode {
  const { wallet } = useSession()
  const asked = useAsked()
  return (
    <DisputeList
      asked={asked}
      answer={useRead('disputes.list', asked, { enabled: typeof wallet === 'string', refetchInterval: everyMs })}
      titleOf={(taskId) => <TaskTitle taskId={taskId} />}
    />
  )
}

function Inbox(): ReactNode {
  const asked = useAsked()
  return (
    <DisputeList
      asked={asked}
      answer={useOperatorRead('disputes.list', asked, { refetchInterval: everyMs })}
      titleOf={(taskId) => <OperatorTaskTitle taskId={taskId} />}
      isOperator
    />
  )
}

type ListProps = {
  readonly asked: Asked
  readonly answer: Answer
  readonly titleOf: (taskId: string) => ReactNode
  readonly isOperator?: boolean
}

function DisputeList({ asked, answer: { data, error, refetch }, titleOf, isOperator = false }: ListProps): ReactNode {
  const say = useMessages(disputeMessages)
  const common = useMessages(commonMessages)
  const as = isOperator ? { as: 'operator' } : {}
  const kept = { ...as, ...(asked.status === undefined ? {} : { status: asked.status }) }
  const page = asked.offset / perPage + 1
  const nothing = asked.status !== undefined ? 'noneOf' : isOperator ? 'noneAtAll' : 'none'
  return (
    <div className="grid gap-4">
      <StatusFilter chosen={asked.status} kept={as} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} />}
      {data !== undefined &&
        (data.disputes.length === 0 ? (
          <Empty title={say(nothing)}>
            <p className="text-quiet">{say('noneHelp')}</p>
          </Empty>
        ) : (
          <p role="status" className="text-quiet">
            {say('count', { n: data.total })}
          </p>
        ))}
      <ul className="grid gap-3">
        {data?.disputes.map((dispute) => (
          <DisputeRow key={dispute.id} dispute={dispute} title={titleOf(dispute.task_id)} kept={as} />
        ))}
      </ul>
      <Pager
        previous={
          page === 1
            ? undefined
            : { to: '/disputes', search: { ...kept, ...(page === 2 ? {} : { page: String(page - 1) }) } }
        }
        next={data?.has_more === true ? { to: '/disputes', search: { ...kept, page: String(page + 1) } } : undefined}
      />
    </div>
  )
}
