import type { Category, Party, Target, TaskState } from '@ergon/contract'

export type TaskFilter = {
  readonly status: TaskState | null
  readonly category: Category | null
  readonly network: string | null
  readonly publisher: string | null
  readonly byPeople?: true
  /** Only what this party may take; absent or null: whoever may take it. */
  readonly takenBy?: Party | null
}
export type AvailableFilter = {
  readonly category: Category | null
  readonly network: string | null
  readonly target: Target | null
  readonly minBountyUsd: string | null
  readonly maxBountyUsd: string | null
  readonly takenBy?: Party | null
}
