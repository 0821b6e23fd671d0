import type { Output } from '@ergon/sdk'

export type Grant = Output<'grants.revoke'>

/**
 * What is left of what a tool may release, as it is now: the page may stay open past the end of it. `waiting`: the
 * tool has not fetched what it was allowed.
 */
export type CapLeft =
  | {
      readonly kind: 'left'
      readonly left: number
      readonly of: number
      readonly maxUsd: number
      readonly until: string
    }
  | { readonly kind: 'waiting'; readonly left: number; readonly maxUsd: number }
  | { readonly kind: 'spent'; readonly of: number }
  | { readonly kind: 'over' }

export function capLeftOf({ approvals, state }: Pick<Grant, 'approvals' | 'state'>, now: number): CapLeft | undefined {
  if (approvals === null) return undefined
  const { left, until, max_count: of, max_usd: maxUsd } = approvals
  if (state === 'waiting') return { kind: 'waiting', left, maxUsd }
  if (state !== 'live' || until === null || Date.parse(until) <= now) return { kind: 'over' }
  return left === 0 ? { kind: 'spent', of } : { kind: 'left', left, of, maxUsd, until }
}

/** Whether there is still something to take back. */
export const isOpen = ({ state }: Pick<Grant, 'state'>): boolean => state === 'live' || state === 'waiting'
