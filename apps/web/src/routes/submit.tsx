import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { AsAnother } from '../components/as-another.tsx'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
import { ToSession } from '../components/to-session.tsx'
import type { Typed } from '../features/capture/gather.ts'
import { CaptureForm } from '../features/capture/capture-form.tsx'
import { captureMessages } from '../features/capture/messages.ts'
import { whyClosed, type WhyClosed } from '../features/capture/why-closed.ts'
import { KeptAnswers } from '../features/outbox/kept-answers.tsx'
import { outboxMessages } from '../components/outbox/messages.ts'
import { typedName, useKept, useParcels, type Kept } from '../components/outbox/outbox-keeper.tsx'
import type { Answers } from '../components/outbox/parcel.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { isSession } from '../lib/session-task.ts'
import { readDraft } from '../lib/use-draft.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useOfflineWallet, useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/work/$taskId/submit')

/** What a task asks for, step by step; it goes through the outbox, with or without a network. */
export function SubmitScreen(): ReactNode {
  const say = useMessages(captureMessages)
  const common = useMessages(commonMessages)
  const { wallet, workerId } = useSession()
  const offlineWallet = useOfflineWallet()
  const { taskId } = route.useParams()
  // What was read before the worker was chosen is shown to nobody as an answer.
  const {
    data: task,
    error,
    refetch,
    isFetching,
    isPaused,
  } = useRead('tasks.get', { task_id: taskId }, { enabled: typeof wallet === 'string', staleTime: 0 })
  const kept = useKept(wallet ?? offlineWallet, taskId)
  // Whoever applied elsewhere a moment ago is a worker by now.
  const session = useRead('auth.readSession', {}, { staleTime: 0 })
  const isWorkerKnown = workerId !== null || session.isFetchedAfterMount
  if (wallet === null)
    return (
      <Page title={common('signIn')}>
        <SignedOut what={say('signedOut')} />
      </Page>
    )
  const here = wallet ?? offlineWallet
  if (here !== undefined && kept !== undefined && (wallet === undefined || (task === undefined && isPaused)))
    return (
      <Unsent taskId={taskId} title={kept.title ?? say('signedOut')} wallet={here}>
        <KeptWork wallet={here} taskId={taskId} kept={kept} why="away" />
      </Unsent>
    )
  if (wallet === undefined)
    return (
      <Page title={common('loading')}>
        <SessionUnknown />
      </Page>
    )
  if (error !== null && task === undefined)
    return (
      <Page title={kept?.title ?? common('somethingWrong')}>
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
        {kept !== undefined && <KeptAnswers {...keptWork(wallet, taskId, kept)} />}
      </Page>
    )
  if (task !== undefined && isSession(task)) return <ToSession id={task.id} side="worker" />
  if (task === undefined || kept === undefined)
    return (
      <Page title={common('loading')}>
        <Loading says={common('loading')} />
      </Page>
    )
  const why = whyClosed(task, isWorkerKnown ? workerId : undefined)
  if (why !== undefined || (!isWorkerKnown && session.isFetching))
    return isFetching || why === undefined ? (
      <Page title={task.title}>
        <Loading says={common('loading')} />
      </Page>
    ) : (
      <KeptWork wallet={wallet} taskId={taskId} kept={{ ...kept, title: task.title }} why={why} />
    )
  return (
    <Unsent key={task.id} taskId={task.id} title={task.title} wallet={wallet}>
      <CaptureForm task={task} wallet={wallet} kept={kept} />
    </Unsent>
  )
}

/** What this device keeps for a task for which nothing can be handed in now, and why not. */
function KeptWork({
  wallet,
  taskId,
  kept,
  why,
}: {
  readonly wallet: string
  readonly taskId: string
  readonly kept: Kept
  readonly why: WhyClosed | 'away'
}): ReactNode {
  const say = useMessages(captureMessages)
  const box = useMessages(outboxMessages)
  const work = keptWork(wallet, taskId, kept)
  const isEmpty = Object.keys(work.answers).length === 0 && work.note === ''
  return (
    <Page title={kept.title ?? box('keptTitle')}>
      {why === 'away' ? (
        <Note tone="warn" role="status" title={box('away')}>
          <p>{box('awayDraft')}</p>
        </Note>
      ) : (
        <Note tone="warn" title={say(`closed.${why}`)}>
          {!isEmpty && <p>{say('closedHelp')}</p>}
        </Note>
      )}
      {(why === 'others' || why === 'free') && <AsAnother />}
      {!isEmpty && <h2>{box('keptTitle')}</h2>}
      {(why === 'away' || !isEmpty) && <KeptAnswers {...work} />}
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/work" kind="primary">
          {say('back')}
        </LinkButton>
        {why !== 'away' && (
          <LinkButton to="/tasks/$taskId" params={{ taskId }}>
            {say('see')}
          </LinkButton>
        )}
      </div>
    </Page>
  )
}

/** What was captured and what was typed since, as it would be handed in. */
function keptWork(
  wallet: string,
  taskId: string,
  { answers, note }: Kept,
): { readonly answers: Answers; readonly note: string } {
  const { note: typedNote = note, ...typed } = readDraft<Typed>(typedName(wallet, taskId))
  const written = Object.entries(typed).filter(([, text]) => text.trim() !== '')
  return {
    answers: {
      ...answers,
      ...Object.fromEntries(written.map(([type, text]) => [type, { kind: 'value', value: text }])),
    },
    note: typedNote.trim(),
  }
}

/** What waits in the outbox for a task is not handed in a second time. */
function Unsent({
  taskId,
  title,
  wallet,
  children,
}: {
  readonly taskId: string
  readonly title: string
  readonly wallet: string
  readonly children: ReactNode
}): ReactNode {
  const say = useMessages(outboxMessages)
  const { data: parcels } = useParcels(wallet)
  const waits = parcels?.some((parcel) => parcel.taskId === taskId && parcel.state === 'waiting') === true
  return waits ? (
    <Page title={title}>
      <Empty title={say('underWay')}>
        <p className="text-quiet">{say('underWayHelp')}</p>
        <LinkButton to="/work" kind="primary">
          {say('see')}
        </LinkButton>
      </Empty>
    </Page>
  ) : (
    children
  )
}
