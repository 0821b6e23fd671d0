import type { ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useOperatorRead } from '../../lib/operator.tsx'
import { disputeMessages } from './messages.ts'

/** The title of the task that a dispute is about, as a party reads it. */
export function TaskTitle({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(disputeMessages)
  return useRead('tasks.get', { task_id: taskId }, { staleTime: 60_000 }).data?.title ?? say('dispute')
}

/** The same with the key of the deployment, which also reads tasks that are over. */
export function OperatorTaskTitle({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(disputeMessages)
  return useOperatorRead('admin.tasks', { search: taskId, limit: 1 }).data?.tasks[0]?.title ?? say('dispute')
}
