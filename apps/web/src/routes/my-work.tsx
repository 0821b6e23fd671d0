import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { choiceLink } from '../components/choice-link.ts'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { OfflineWork } from '../features/outbox/offline-work.tsx'
import { OutboxList } from '../features/outbox/outbox-list.tsx'
import { workMessages } from '../features/work/messages.ts'
import { Applications, AssignedTasks, Submissions } from '../features/work/work-lists.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useOfflineWallet, useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/work')
const lists = ['tasks', 'applications', 'submissions'] as const

/** What a person does: assigned tasks with the next step, applications, and what was handed in. */
export function MyWorkScreen(): ReactNode {
  const say = useMessages(workMessages)
  const { wallet } = useSession()
  const offlineWallet = useOfflineWallet()
  return (
    <Page title={say('title')} lead={say('lead')} beside actions={<LinkButton to="/find">{say('find')}</LinkButton>}>
      {offlineWallet !== undefined && <OfflineWork wallet={offlineWallet} />}
      {wallet === null ? (
        <SignedOut what={say('signedOut')} />
      ) : wallet === undefined ? (
        offlineWallet === undefined && <SessionUnknown />
      ) : (
        <>
          <OutboxList wallet={wallet} />
          <WorkLists />
        </>
      )}
    </Page>
  )
}

function WorkLists(): ReactNode {
  const say = useMessages(workMessages)
  const { workerId } = useSession()
  const { show } = route.useSearch()
  const list = lists.find((one) => one === show) ?? 'tasks'
  return (
    <div className="grid gap-4">
      <nav aria-label={say('show')} className="flex flex-wrap gap-2">
        {lists.map((one) => (
          <Link
            {...choiceLink}
            key={one}
            to="/work"
            search={one === 'tasks' ? {} : { show: one }}
            aria-current={one === list ? 'true' : undefined}
          >
            {say(`show.${one}`)}
          </Link>
        ))}
      </nav>
      {list === 'tasks' && <AssignedTasks executorId={workerId} />}
      {list === 'applications' && <Applications />}
      {list === 'submissions' && <Submissions executorId={workerId} />}
    </div>
  )
}
