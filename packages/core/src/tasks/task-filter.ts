import type { Category, Party, Target, TaskState } from '@ergon/contract'

export type TaskFilter = {
  readonly status: TaskState | null
  readonly category: Category | null
  readonly network: string | null
  readonly publisher: string | null
  readonly byPeople?: true
  /** Only what has all of these words (`searchWords`); absent or null: whatever it says. */
  readonly words?: readonly string[] | null
  /** Only what this party may take; absent or null: whoever may take it. */
  readonly takenBy?: Party | null
}
/** A part of the earth in degrees; where it reaches over the 180th meridian, east is the smaller. */
export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }
/** The newest, the dearest or what ends soonest comes first. */
export type TaskOrder = 'newest' | 'bounty' | 'deadline'
export type AvailableFilter = {
  readonly category: Category | null
  readonly network: string | null
  readonly target: Target | null
  readonly minBountyUsd: string | null
  readonly maxBountyUsd: string | null
  /** Only where the middle of the area lies in it; absent or null: everywhere, and nowhere in particular. */
  readonly box?: Box | null
  readonly words?: readonly string[] | null
  /** Absent: the newest first. */
  readonly order?: TaskOrder
  readonly takenBy?: Party | null
}
