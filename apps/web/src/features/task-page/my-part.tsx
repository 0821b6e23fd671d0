import { lazy, Suspense, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { LinkButton } from '../../components/button.tsx'
import { DisputeLink } from '../../components/dispute-link.tsx'
import { Note } from '../../components/surface.tsx'
import { useNow } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { wordMessages } from '../../messages/words.ts'
import { taskMessages } from './messages.ts'
import type { MyPart } from './use-my-part.ts'

// Only the two sides of a task that is under way are told what is next, and only a worker may have to begin.
const WhatIsNext = lazy(async () => ({ default: (await import('../../components/turn.tsx')).WhatIsNext }))
const BeginButton = lazy(async () => ({ default: (await import('../../components/begin-button.tsx')).BeginButton }))

type PartProps = {
  readonly task: Output<'tasks.get'>
  readonly part: MyPart
  /** What else a person can do with a task of its own. */
  readonly ofOwn?: ReactNode
}

/** The one thing the reader can do about this task now, or why there is nothing. */
export function MyPartNote({ task, part, ofOwn }: PartProps): ReactNode {
  const say = useMessages(taskMessages)
  if (part === undefined) return null
  if (part === 'publisher') return <OwnNote task={task} ofOwn={ofOwn} />
  if (part === 'assigned') return <AssignedNote task={task} />
  if (task.status === 'published' && part === 'applied') return <AppliedNote taskId={task.id} />
  if (task.status === 'published' && part === 'steppedDown') return <Note title={say('steppedDown')} />
  return <OpenNote task={task} />
}

function AppliedNote({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(taskMessages)
  const { data } = useRead('tasks.application', { task_id: taskId }, { refetchInterval: 60_000 })
  return (
    <Note tone="good" title={say('appliedTitle')}>
      <p className="text-sm">{say('appliedHelp')}</p>
      {data !== undefined && data.place !== null && (
        <p className="text-sm">{say('place', { place: data.place, waiting: data.waiting })}</p>
      )}
      <div>
        <LinkButton to="/tasks/$taskId" params={{ taskId }} search={{ withdraw: '1' }} resetScroll={false}>
          {say('takeBack')}
        </LinkButton>
      </div>
    </Note>
  )
}

/** A session decides nothing about what a signature published (decision 0049). */
function OwnNote({ task, ofOwn }: Pick<PartProps, 'task' | 'ofOwn'>): ReactNode {
  const say = useMessages(taskMessages)
  const isOfPerson = task.publisher_type === 'human'
  return (
    <Note title={say('own')}>
      {!isOfPerson && <p className="text-sm">{say('bySoftware')}</p>}
      {task.status !== 'published' && (
        <Suspense>
          <WhatIsNext next={task.next_action} as="publisher" />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {isOfPerson && (
          <LinkButton to="/my/tasks/$taskId" params={{ taskId: task.id }} kind="primary">
            {say('manage')}
          </LinkButton>
        )}
        {isOfPerson && ofOwn}
        <DisputeLink taskId={task.id} />
      </div>
    </Note>
  )
}

function AssignedNote({ task }: { readonly task: PartProps['task'] }): ReactNode {
  const say = useMessages(taskMessages)
  const params = { taskId: task.id }
  const mustBegin = task.next_action?.what === 'begin'
  if (task.status !== 'accepted' && task.status !== 'in_progress')
    return (
      <Note tone="move">
        <Suspense>
          <WhatIsNext next={task.next_action} as="worker" />
        </Suspense>
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/work">{say('seeWork')}</LinkButton>
          <DisputeLink taskId={task.id} />
        </div>
      </Note>
    )
  return (
    <Note tone="move" title={say('yours')}>
      <Suspense>
        <WhatIsNext next={task.next_action} as="worker" />
      </Suspense>
      <div className="flex flex-wrap gap-2 pt-2">
        <Suspense>{mustBegin && <BeginButton task={task} />}</Suspense>
        <LinkButton to="/work/$taskId/submit" params={params} kind={mustBegin ? 'secondary' : 'primary'}>
          {say('submit')}
        </LinkButton>
        <LinkButton to="/tasks/$taskId" params={params} search={{ withdraw: '1' }} resetScroll={false}>
          {say('stepDown')}
        </LinkButton>
      </div>
    </Note>
  )
}

function OpenNote({ task }: { readonly task: PartProps['task'] }): ReactNode {
  const say = useMessages(taskMessages)
  const word = useMessages(wordMessages)
  const now = useNow()
  const { target_executor_type: target } = task
  if (task.status !== 'published') return <Note title={say('notOpen')} />
  if (Date.parse(task.deadline) <= now) return <Note title={say('over')} />
  if (target === 'agent' || target === 'robot') {
    return (
      <Note tone="warn" title={say('agentsOnly', { party: word(`party.${target}`) })}>
        <p className="text-sm">{say('agentsHelp')}</p>
        <div>
          <LinkButton to="/developers">{say('developers')}</LinkButton>
        </div>
      </Note>
    )
  }
  return (
    <LinkButton
      to="/tasks/$taskId"
      params={{ taskId: task.id }}
      search={{ apply: '1' }}
      resetScroll={false}
      kind="primary"
      className="w-full"
    >
      {say('apply')}
    </LinkButton>
  )
}
