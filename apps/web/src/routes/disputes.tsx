import type { ReactNode } from 'react'
import { disputeStatuses, type DisputeStatus } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { choiceLink } from '../components/choice-link.ts'
import { useDecider } from '../components/deciders/use-decider.ts'
import { Failure } from '../components/failure.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading } from '../components/surface.tsx'
import { DisputeRow, StatusFilter } from '../features/disputes/dispute-list.tsx'
import { disputeMessages } from '../features/disputes/messages.ts'
import { useIsArbiter } from '../features/disputes/use-is-arbiter.ts'
import { OperatorTaskTitle, OperatorTaskTurn, TaskTitle, TaskTurn } from '../features/disputes/task-title.tsx'
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
  const isArbiter = as === 'arbiter'
  const waiting = useToRule()
  const who = useDecider()
  const views = [
    [undefined, say('mine')],
    ...(isArbiter || waiting !== undefined ? [['arbiter', rulingWords(say, waiting)] as const] : []),
    ...(isOperator || adminKey !== undefined ? [['operator', say('everybody')] as const] : []),
  ] as const
  return (
    <Page
      title={say(isOperator ? 'inboxTitle' : 'title')}
      lead={say(isOperator ? 'inboxLead' : isArbiter ? 'ruleLead' : 'lead', { who })}
    >
      {views.length > 1 && (
        <nav aria-label={say('whose')} className="flex flex-wrap gap-2">
          {views.map(([one, name]) => (
            <Link
              {...choiceLink}
              key={one ?? 'own'}
              to="/disputes"
              search={one === undefined ? {} : { as: one }}
              aria-current={one === (isOperator || isArbiter ? as : undefined) ? 'true' : undefined}
            >
              {name}
            </Link>
          ))}
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
      ) : isArbiter ? (
        <ToRule />
      ) : (
        <OwnDisputes />
      )}
      {!isOperator && adminKey === undefined && (
        <p>
          <Link to="/disputes" search={{ as: 'operator' }} className="link inline-flex min-h-11 items-center text-sm">
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
      turnOf={({ task_id: taskId, publisher_wallet: publisher }) => (
        <TaskTurn taskId={taskId} as={publisher.toLowerCase() === wallet ? 'publisher' : 'worker'} />
      )}
    />
  )
}

const asArbiter = { role: 'arbiter' } as const

/** How many disputes wait for the ruling of this wallet; undefined where the operator does not name it. */
function useToRule(): number | undefined {
  const isNamed = useIsArbiter()
  const found = useRead('disputes.list', { ...asArbiter, limit: 1 }, { enabled: isNamed, refetchInterval: everyMs })
  return isNamed ? (found.data?.total ?? 0) : undefined
}

const rulingWords = (say: (key: 'toRule' | 'toRuleCount', values?: { n: number }) => string, n: number | undefined) =>
  n === undefined || n === 0 ? say('toRule') : say('toRuleCount', { n })

/** What an arbiter may rule on now; only open disputes are. */
function ToRule(): ReactNode {
  const { limit, offset } = useAsked()
  const asked = { limit, offset }
  return (
    <DisputeList
      asked={asked}
      answer={useRead('disputes.list', { ...asArbiter, ...asked }, { refetchInterval: everyMs })}
      titleOf={(taskId) => <TaskTitle taskId={taskId} />}
      turnOf={({ task_id: taskId }) => <TaskTurn taskId={taskId} as="arbiter" />}
      as="arbiter"
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
      turnOf={({ task_id: taskId }) => <OperatorTaskTurn taskId={taskId} />}
      as="operator"
    />
  )
}

type ListProps = {
  readonly asked: Asked
  readonly answer: Answer
  readonly titleOf: (taskId: string) => ReactNode
  readonly turnOf: (dispute: Output<'disputes.list'>['disputes'][number]) => ReactNode
  readonly as?: 'operator' | 'arbiter'
}

function DisputeList({ asked, answer: { data, error, refetch }, titleOf, turnOf, as: eyes }: ListProps): ReactNode {
  const say = useMessages(disputeMessages)
  const common = useMessages(commonMessages)
  const as = eyes === undefined ? {} : { as: eyes }
  const kept = { ...as, ...(asked.status === undefined ? {} : { status: asked.status }) }
  const page = asked.offset / perPage + 1
  const nothing =
    eyes === 'arbiter'
      ? 'noneToRule'
      : asked.status !== undefined
        ? 'noneOf'
        : eyes === 'operator'
          ? 'noneAtAll'
          : 'none'
  return (
    <div className="grid gap-4">
      {eyes !== 'arbiter' && <StatusFilter chosen={asked.status} kept={as} />}
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
            <p className="text-quiet">{say(eyes === 'arbiter' ? 'noneToRuleHelp' : 'noneHelp')}</p>
          </Empty>
        ) : (
          <p role="status" className="text-quiet">
            {say('count', { n: data.total })}
          </p>
        ))}
      <ul className="grid gap-3">
        {data?.disputes.map((dispute) => (
          <DisputeRow
            key={dispute.id}
            dispute={dispute}
            title={titleOf(dispute.task_id)}
            turn={turnOf(dispute)}
            kept={eyes === 'operator' ? as : {}}
          />
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
