import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'
import { AsAnother } from './as-another.tsx'
import { LinkButton } from './button.tsx'
import { Failure } from './failure.tsx'
import { ownTaskMessages } from './own-task-messages.ts'
import { Page } from './page.tsx'
import { SessionUnknown } from './session-unknown.tsx'
import { SignedOut } from './signed-out.tsx'
import { Empty, Loading } from './surface.tsx'

const everyMs = 5_000

type Task = Output<'h2a.get'>
type OwnTaskProps = {
  readonly taskId: string
  /** The heading until the task is read; left out: what is being done. */
  readonly title?: string
  readonly signedOut: string
  readonly notYours: string
  /** The screen, for the publisher of the task. */
  readonly children: (task: Task) => ReactNode
}

/** A task for whoever published it; everybody else is told why it is not shown, and where it can be read. */
export function OwnTask({ taskId, title, signedOut, notYours, children }: OwnTaskProps): ReactNode {
  const common = useMessages(commonMessages)
  const { wallet } = useSession()
  const {
    data: task,
    error,
    refetch,
  } = useRead('h2a.get', { task_id: taskId }, { enabled: typeof wallet === 'string', refetchInterval: everyMs })
  if (wallet === null)
    return (
      <Page title={title ?? common('signIn')}>
        <SignedOut what={signedOut} />
      </Page>
    )
  if (wallet === undefined)
    return (
      <Page title={title ?? common('loading')}>
        <SessionUnknown />
      </Page>
    )
  if (error !== null && task === undefined)
    return (
      <Page title={common('somethingWrong')}>
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
        <div>
          <PublicPage taskId={taskId} />
        </div>
      </Page>
    )
  if (task === undefined)
    return (
      <Page title={title ?? common('loading')}>
        <Loading says={common('loading')} />
      </Page>
    )
  if (task.agent_id.toLowerCase() !== wallet)
    return (
      <Page title={task.title}>
        <Empty title={notYours}>
          <AsAnother />
          <PublicPage taskId={taskId} />
        </Empty>
      </Page>
    )
  return children(task)
}

function PublicPage({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(ownTaskMessages)
  return (
    <LinkButton to="/tasks/$taskId" params={{ taskId }}>
      {say('publicPage')}
    </LinkButton>
  )
}
