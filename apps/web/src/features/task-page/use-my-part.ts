import type { Output } from '@ergon/sdk'
import { useRead } from '../../lib/market.tsx'
import { useSession } from '../../wallet/wallet.tsx'

type Task = Output<'tasks.get'>
type TaskEvent = Output<'events.list'>['events'][number]

/** What the reader is to a task; `undefined` while it is not known yet. */
export type MyPart = 'visitor' | 'publisher' | 'none' | 'applied' | 'steppedDown' | 'assigned' | undefined

/** The part of a signed-in wallet, from its own feed: the service addresses each application to whoever made it. */
export function myPartOf(
  task: Pick<Task, 'agent_id' | 'executor_id'>,
  wallet: string | null | undefined,
  mine: readonly TaskEvent[] | undefined,
): MyPart {
  if (wallet === undefined) return undefined
  if (wallet === null) return 'visitor'
  if (task.agent_id.toLowerCase() === wallet) return 'publisher'
  if (mine === undefined) return undefined
  // Whoever is not the publisher hears of their own application alone.
  const last = mine.findLastIndex(({ type }) => type === 'worker.applied')
  const applied = mine[last]
  if (applied === undefined) return 'none'
  const executorId = applied.data['executor_id']
  if (task.executor_id !== null && task.executor_id === executorId) return 'assigned'
  // Whoever stepped down may have applied again since.
  const since = mine.slice(last)
  return since.some(({ type, data }) => type === 'task.withdrawn' && data['executor_id'] === executorId)
    ? 'steppedDown'
    : 'applied'
}

/**
 * The same, asked of the service where only it can tell: that an application was taken back is told to nobody as an
 * event.
 */
export function useMyPart(
  task: Pick<Task, 'id' | 'agent_id' | 'executor_id'>,
  wallet: string | null | undefined,
  mine: readonly TaskEvent[] | undefined,
): MyPart {
  const part = myPartOf(task, wallet, mine)
  const own = useRead('tasks.application', { task_id: task.id }, { enabled: part === 'applied' })
  if (part !== 'applied') return part
  if (own.isLoading) return undefined
  return own.data?.outcome === 'taken_back' ? 'none' : part
}

/** Whether the one thing left to do is to apply: the task is open, for people, and the reader no party to it. */
export function canApply(
  { status, deadline, target_executor_type: target }: Pick<Task, 'status' | 'deadline' | 'target_executor_type'>,
  part: MyPart,
  now: number,
): boolean {
  return (
    status === 'published' &&
    (part === 'visitor' || part === 'none') &&
    Date.parse(deadline) > now &&
    (target === 'any' || target === 'human')
  )
}

/** Everything about one task that the reader may hear of, oldest first. */
export function useTaskStory(taskId: string): {
  readonly mine: readonly TaskEvent[] | undefined
  readonly story: readonly TaskEvent[] | undefined
  readonly error: Error | null
} {
  const { wallet } = useSession()
  const everyones = useRead(
    'events.list',
    { scope: 'public', task_id: taskId, limit: 200 },
    { refetchInterval: 15_000 },
  )
  const own = useRead(
    'events.list',
    { scope: 'mine', task_id: taskId, limit: 200 },
    { enabled: typeof wallet === 'string', refetchInterval: 15_000 },
  )
  const mine = own.data?.events
  return {
    mine,
    story: everyones.data === undefined ? undefined : inOrder([...everyones.data.events, ...(mine ?? [])]),
    error: everyones.error ?? own.error,
  }
}

function inOrder(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()].toSorted(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  )
}
