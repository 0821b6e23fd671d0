import type { Category, Target, TaskState } from '@ergon/contract'

export type TaskFilter = {
  readonly status: TaskState | null
  readonly category: Category | null
  readonly network: string | null
  readonly publisher: string | null
  readonly byPeople?: true
}
export type AvailableFilter = {
  readonly category: Category | null
  readonly network: string | null
  readonly target: Target | null
  readonly minBountyUsd: string | null
  readonly maxBountyUsd: string | null
}
