import type { Party } from '@ergon/contract'
import type { ExecutorReputation } from '../tasks/task.ts'

/** A wallet in the executor role. */
export type Worker = { readonly id: string; readonly wallet: string; readonly displayName: string | null; readonly party: Party; readonly agentId: number | null; readonly createdAt: Date }
export type WorkerView = Worker & { readonly reputation: ExecutorReputation }
