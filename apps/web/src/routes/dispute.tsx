import { lazy, Suspense, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'
import { Money } from '../components/money.tsx'
import { OperatorGate } from '../components/operator-gate.tsx'
import { Page } from '../components/page.tsx'
import { ReadFault } from '../components/read-fault.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Loading } from '../components/surface.tsx'
import { AddStatement } from '../features/disputes/add-statement.tsx'
import { Decide } from '../features/disputes/decide.tsx'
import { DisputeBadge } from '../features/disputes/dispute-badge.tsx'
import {
  DisputeFacts,
  NextNote,
  Statements,
  type Dispute,
  type DisputedTask,
  type Reader,
} from '../features/disputes/dispute-view.tsx'
import { disputeMessages } from '../features/disputes/messages.ts'
import { NotForYou } from '../features/disputes/not-for-you.tsx'
import { Outcome } from '../features/disputes/outcome.tsx'
import { Sides } from '../features/disputes/sides.tsx'
import { useIsArbiter } from '../features/disputes/use-is-arbiter.ts'
import { HandedIn } from '../features/review/handed-in.tsx'
import { RulingCard } from '../features/settle/ruling-card.tsx'
import { SettleCard } from '../features/settle/settle-card.tsx'
import { useOperatorRuling } from '../features/settle/use-operator-ruling.ts'
import { useRuling } from '../features/settle/use-ruling.ts'
import { Talk, TalkOfDispute } from '../features/talk/talk.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useAdminKey, useOperatorRead } from '../lib/operator.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

// Few who open a dispute rule on it.
const DisputeForArbiter = lazy(async () => ({
  default: (await import('./dispute-for-arbiter.tsx')).DisputeForArbiter,
}))

const route = getRouteApi('/disputes/$disputeId')
/** Money on its way is asked after more often than people who write. */
const movingMs = 3_000
const calmMs = 15_000
const freshMs = 5_000

/** One dispute: what both sides say, its state, and for the arbiter the decision. */
export function DisputeScreen(): ReactNode {
  const { as } = route.useSearch()
  return as === 'operator' ? <OfOperator /> : <OfParty />
}

function OfParty(): ReactNode {
  const say = useMessages(disputeMessages)
  const common = useMessages(commonMessages)
  const { disputeId } = route.useParams()
  const { wallet } = useSession()
  const {
    data: dispute,
    error,
    refetch,
  } = useRead(
    'disputes.get',
    { dispute_id: disputeId },
    {
      enabled: typeof wallet === 'string',
      // Each reading of an arbiter leaves a line in the audit log.
      staleTime: ({ state }) => (sideOf(state.data, wallet) === 'arbiter' ? Number.POSITIVE_INFINITY : freshMs),
      refetchInterval: ({ state }) => (sideOf(state.data, wallet) === 'arbiter' ? false : everyMs(state.data)),
    },
  )
  // Whether the money moves, or waits for the publisher, is said by the task.
  const task = useRead(
    'tasks.get',
    { task_id: dispute?.task_id ?? '' },
    { enabled: dispute !== undefined, refetchInterval: dispute?.status === 'resolving' ? calmMs : false },
  )
  if (wallet === null)
    return (
      <Page title={say('dispute')}>
        <SignedOut what={say('signedOut')} />
        <OtherView isOperator={false} />
      </Page>
    )
  if (wallet === undefined)
    return (
      <Page title={say('dispute')}>
        <SessionUnknown />
      </Page>
    )
  if (error !== null && dispute === undefined) return <Unread error={error} refetch={refetch} />
  if (dispute === undefined)
    return (
      <Page title={common('loading')}>
        <Loading says={common('loading')} />
      </Page>
    )
  const side = sideOf(dispute, wallet)
  if (side !== 'arbiter') return <OneDispute dispute={dispute} task={task.data} reader={side} />
  return (
    <DisputeFrame dispute={dispute} task={task.data} reader="arbiter">
      <Suspense fallback={<Loading says={common('loading')} />}>
        <DisputeForArbiter dispute={dispute} taskRead={task} />
      </Suspense>
    </DisputeFrame>
  )
}

function Unread({ error, refetch }: { readonly error: Error; readonly refetch: () => unknown }): ReactNode {
  const say = useMessages(disputeMessages)
  const common = useMessages(commonMessages)
  const isArbiter = useIsArbiter()
  // The service refuses an arbiter only what the task keeps for another.
  if (isArbiter && error instanceof ErgonError && error.code === 'FORBIDDEN')
    return (
      <Page title={say('dispute')}>
        <NotForYou why="other" />
        <ToRule />
      </Page>
    )
  return (
    <Page title={common('somethingWrong')}>
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
      <OtherView isOperator={false} />
    </Page>
  )
}

/** Whoever reads a dispute and is neither side of it may rule on it: the service shows it to nobody else. */
function sideOf(dispute: Dispute | undefined, wallet: string | null | undefined): 'publisher' | 'worker' | 'arbiter' {
  if (dispute === undefined || dispute.worker_wallet.toLowerCase() === wallet) return 'worker'
  return dispute.publisher_wallet.toLowerCase() === wallet ? 'publisher' : 'arbiter'
}

function OfOperator(): ReactNode {
  const say = useMessages(disputeMessages)
  const common = useMessages(commonMessages)
  const hasKey = useAdminKey() !== undefined
  const { disputeId } = route.useParams()
  // Until the service has taken the key, the gate is all there is.
  const {
    data: dispute,
    error,
    refetch,
  } = useOperatorRead('disputes.get', { dispute_id: disputeId }, { refetchInterval: movingMs })
  const { data: found } = useOperatorRead(
    'admin.tasks',
    { search: dispute?.task_id ?? '', limit: 1 },
    { enabled: dispute !== undefined },
  )
  if (hasKey && dispute !== undefined) return <OneDispute dispute={dispute} task={found?.tasks[0]} reader="operator" />
  return (
    <Page title={say('dispute')}>
      <OperatorGate>
        {error === null ? (
          <Loading says={common('loading')} />
        ) : (
          <Failure
            error={error}
            retry={() => {
              void refetch()
            }}
          />
        )}
      </OperatorGate>
      <OtherView isOperator />
    </Page>
  )
}

const everyMs = (dispute: Dispute | undefined): number | false =>
  dispute?.status === 'resolving' ? movingMs : dispute?.status === 'open' ? calmMs : false

type OneProps = {
  readonly dispute: Dispute
  readonly task: DisputedTask | undefined
  readonly reader: Reader
}

function OneDispute({ dispute, task, reader }: OneProps): ReactNode {
  const navigate = useNavigate()
  const { do: doing } = route.useSearch()
  const isOperator = reader === 'operator'
  const isOpen = dispute.status === 'open'
  const isArbiter = useIsArbiter()
  const closeDialog = useCloseDialog()
  const shown = useRuling(dispute.id, { enabled: !isOperator })
  const ofOperator = useOperatorRuling(dispute.id, { enabled: isOperator })
  const read = isOperator ? ofOperator : shown
  const { ruling } = read
  const here = { to: '/disputes/$disputeId', params: { disputeId: dispute.id } } as const
  const body = (
    <>
      {/* Whether an arbiter has ruled decides what comes next. */}
      {ruling !== undefined && <NextNote dispute={dispute} task={task} reader={reader} ruling={ruling} />}
      <ReadFault of={read} />
      {isArbiter && !isOperator && isOpen && ruling === null && <NotForYou why="side" />}
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <div className="grid min-w-0 gap-6">
          <Statements dispute={dispute} task={task} reader={reader} />
          {isOperator && <TalkOfDispute taskId={dispute.task_id} />}
          {(reader === 'publisher' || reader === 'worker') && (
            <Talk
              task={{
                id: dispute.task_id,
                status: isOpen || dispute.status === 'resolving' ? 'disputed' : 'completed',
              }}
              side={reader}
            />
          )}
          {isOpen && !isOperator && <AddStatement disputeId={dispute.id} />}
          {/* After a ruling the parties settle no more. */}
          {isOpen && ruling === null && (reader === 'publisher' || reader === 'worker') && (
            <SettleCard taskId={dispute.task_id} side={reader} disputedUsd={dispute.disputed_amount_usdc} />
          )}
          {isOperator && <HandedIn submissionId={dispute.submission_id} />}
        </div>
        {/* On a phone what was decided comes first, and what is to be decided after what was said and handed in. */}
        <div className={`grid min-w-0 gap-6 ${isOpen && !ruling ? '' : 'max-lg:order-first'}`}>
          <Outcome dispute={dispute} task={task} />
          {ruling && <RulingCard ruling={ruling} mayAppeal={!isOperator} />}
          {isOperator && isOpen && (
            <Decide
              dispute={dispute}
              isConfirming={doing === 'decide'}
              onConfirm={() => {
                void navigate({ ...here, search: { as: 'operator', do: 'decide' }, resetScroll: false })
              }}
              onClose={() => {
                closeDialog({ ...here, search: { as: 'operator' } })
              }}
            />
          )}
          <DisputeFacts dispute={dispute} task={task} reader={reader} />
        </div>
      </div>
    </>
  )
  return (
    <DisputeFrame dispute={dispute} task={task} reader={reader}>
      {isOperator ? <OperatorGate>{body}</OperatorGate> : body}
    </DisputeFrame>
  )
}

/** Its title, its amount and its state, for whoever reads it. */
function DisputeFrame({ dispute, task, reader, children }: OneProps & { readonly children: ReactNode }): ReactNode {
  const say = useMessages(disputeMessages)
  return (
    <Page
      title={task === undefined ? say('dispute') : say('disputeOf', { title: task.title })}
      wide
      actions={<Money usd={dispute.disputed_amount_usdc} className="text-2xl" />}
    >
      <div>
        <DisputeBadge status={dispute.status} />
      </div>
      <Sides dispute={dispute} task={task} reader={reader} />
      {children}
      {reader === 'arbiter' ? <ToRule /> : <OtherView isOperator={reader === 'operator'} />}
    </Page>
  )
}

/** Back to what else waits for a ruling. */
function ToRule(): ReactNode {
  const say = useMessages(disputeMessages)
  return (
    <nav>
      <Link to="/disputes" search={{ as: 'arbiter' }} className="link inline-flex min-h-6 items-center">
        {say('toRule')}
      </Link>
    </nav>
  )
}

/** To the same dispute with other eyes, and back to the list. */
function OtherView({ isOperator }: { readonly isOperator: boolean }): ReactNode {
  const say = useMessages(disputeMessages)
  const params = route.useParams()
  return (
    <nav className="flex flex-wrap gap-x-6 gap-y-2">
      <Link
        to="/disputes"
        search={isOperator ? { as: 'operator' } : {}}
        className="link inline-flex min-h-6 items-center"
      >
        {say(isOperator ? 'inboxTitle' : 'title')}
      </Link>
      <Link
        to="/disputes/$disputeId"
        params={params}
        search={isOperator ? {} : { as: 'operator' }}
        className="link inline-flex min-h-6 items-center"
      >
        {say(isOperator ? 'asParty' : 'forOperator')}
      </Link>
    </nav>
  )
}
