import type { DisputeReason, DisputeStatus } from '@ergon/contract'

export type Dispute = { readonly id: string; readonly taskId: string; readonly submissionId: string; readonly status: DisputeStatus; readonly reason: DisputeReason; readonly description: string; readonly criteria: readonly string[]; readonly createdAt: Date }
