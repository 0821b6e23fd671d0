import type { Party } from '@ergon/contract'
import type { ExecutorReputation } from '../tasks/task.ts'

/** A wallet in the executor role. */
export type Worker = {
  readonly id: string
  readonly wallet: string
  readonly displayName: string | null
  /** The name of its picture; null: it shows none. */
  readonly picture: string | null
  readonly party: Party
  readonly agentId: number | null
  readonly createdAt: Date
}
export type WorkerView = Worker & { readonly reputation: ExecutorReputation }

/** What a worker says about itself; every field is its own word and none is checked. */
export type WorkerProfile = {
  readonly bio: string | null
  readonly avatarUrl: string | null
  readonly agentCardUrl: string | null
  readonly mcpEndpointUrl: string | null
  readonly capabilities: readonly string[] | null
  readonly pricing: Readonly<Record<string, number | string>> | null
}
