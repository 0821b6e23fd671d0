import { applicationStatuses, type ApplicationStatus } from '@ergon/contract'

export type ApplicationRow = {
  readonly id: string
  readonly taskId: string
  readonly status: ApplicationStatus
  readonly createdAt: string
}

/** An application as the export of an account carries it; undefined when a row says less than is shown. */
export function readApplication(row: Readonly<Record<string, unknown>>): ApplicationRow | undefined {
  const { id, task_id: taskId, status, created_at: createdAt } = row
  const known = applicationStatuses.find((one) => one === status)
  if (
    typeof id !== 'string' ||
    typeof taskId !== 'string' ||
    known === undefined ||
    typeof createdAt !== 'string' ||
    Number.isNaN(Date.parse(createdAt))
  )
    return undefined
  return { id, taskId, status: known, createdAt }
}
