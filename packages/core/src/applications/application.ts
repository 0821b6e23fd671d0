import type { ApplicationStatus, Party } from '@ergon/contract'
import type { ExecutorReputation } from '../tasks/task.ts'

export type Application = {
  readonly id: string
  readonly taskId: string
  readonly executorId: string
  readonly status: ApplicationStatus
  readonly message: string | null
  readonly createdAt: Date
}
/** An application as the publisher compares it. */
export type ApplicationView = Application & {
  readonly wallet: string
  readonly displayName: string | null
  readonly picture: string | null
  readonly party: Party
  readonly agentId: number | null
  readonly reputation: ExecutorReputation
}
