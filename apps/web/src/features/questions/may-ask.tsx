import { lazy, Suspense, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { useRead } from '../../lib/market.tsx'

const Questions = lazy(async () => ({ default: (await import('./questions.tsx')).Questions }))

type MayAskProps = {
  readonly task: Pick<Output<'tasks.get'>, 'id' | 'status' | 'publisher_name'>
  /** What the reader is to the task; undefined for whoever only reads. */
  readonly as: 'publisher' | 'asker' | undefined
}

/** What was asked about a task in public: where it is open, or anything was asked. */
export function MayAsk({ task, as }: MayAskProps): ReactNode {
  const isOpen = task.status === 'published'
  const { data, error } = useRead(
    'questions.list',
    { task_id: task.id, limit: 100 },
    { refetchInterval: isOpen ? 30_000 : false },
  )
  // What could not be read is not what nobody asked.
  if (data === undefined) return error === null ? null : <Failure error={error} />
  if (data.total === 0 && !(isOpen && as === 'asker')) return null
  return (
    <Suspense>
      <Questions
        taskId={task.id}
        publisher={task.publisher_name}
        questions={data.questions}
        as={isOpen ? as : undefined}
      />
    </Suspense>
  )
}
