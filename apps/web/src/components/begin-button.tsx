import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useMessages } from '../lib/i18n.tsx'
import { useChange } from '../lib/market.tsx'
import { turnMessages } from '../messages/turns.ts'
import { Button, type ButtonKind } from './button.tsx'
import { Failure } from './failure.tsx'

type BeginProps = {
  readonly task: Pick<Output<'tasks.get'>, 'id' | 'next_action'>
  readonly kind?: ButtonKind
  readonly className?: string
}

/** Where a worker has to begin by a time, the way to say so: otherwise the task is handed on. */
export function BeginButton({ task, kind = 'primary', className = '' }: BeginProps): ReactNode {
  const say = useMessages(turnMessages)
  const begin = useChange('tasks.begin', ['tasks.get', 'workers.tasks', 'events.list'])
  if (task.next_action?.what !== 'begin') return null
  return (
    <>
      {begin.error !== null && <Failure error={begin.error} />}
      <Button
        kind={kind}
        className={className}
        busy={begin.isPending}
        onClick={() => {
          begin.mutate({ task_id: task.id })
        }}
      >
        {say('begin')}
      </Button>
    </>
  )
}
