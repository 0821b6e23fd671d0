import { lazy, Suspense, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'

// Most who open a task are no side of it, and writing brings the form along.
const Talk = lazy(async () => ({ default: (await import('./talk.tsx')).Talk }))

type MayTalkProps = {
  readonly task: Pick<Output<'tasks.get'>, 'id' | 'status' | 'executor_id' | 'publisher_name'>
  readonly side: 'publisher' | 'worker' | undefined
}

/** Where a task has two sides, what they write to one another. */
export function MayTalk({ task, side }: MayTalkProps): ReactNode {
  if (side === undefined || task.executor_id === null) return null
  return (
    <Suspense>
      <Talk task={task} side={side} />
    </Suspense>
  )
}
