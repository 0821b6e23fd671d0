import type { ReactNode } from 'react'
import { TurnNote } from '../../components/turn.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useOperatorRead } from '../../lib/operator.tsx'
import type { Next, TurnReader } from '../../lib/turn.ts'
import { disputeMessages } from './messages.ts'

/** The title of the task that a dispute is about, as a party reads it. */
export function TaskTitle({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(disputeMessages)
  return useRead('tasks.get', { task_id: taskId }, { staleTime: 60_000 }).data?.title ?? say('dispute')
}

/** The title as it is read with the key of the deployment, which also reads tasks that are over. */
export function OperatorTaskTitle({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(disputeMessages)
  return useOperatorRead('admin.tasks', { search: taskId, limit: 1 }).data?.tasks[0]?.title ?? say('dispute')
}

type TurnProps = { readonly taskId: string; readonly as: TurnReader }

/** Whose turn it is with the task of an open dispute. */
export function TaskTurn({ taskId, as }: TurnProps): ReactNode {
  const next = useRead('tasks.get', { task_id: taskId }, { staleTime: 60_000 }).data?.next_action
  return <KnownTurn next={next} as={as} />
}

/** As it is read with the key of the deployment. */
export function OperatorTaskTurn({ taskId }: Pick<TurnProps, 'taskId'>): ReactNode {
  const { data } = useOperatorRead('admin.tasks', { search: taskId, limit: 1 })
  return <KnownTurn next={data?.tasks[0]?.next_action} as="operator" />
}

function KnownTurn({ next, as }: { readonly next: Next | undefined; readonly as: TurnReader }): ReactNode {
  return next === undefined || next === null ? null : <TurnNote next={next} as={as} />
}
