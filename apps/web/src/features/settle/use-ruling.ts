import { ErgonError, type Output } from '@ergon/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { useRead } from '../../lib/market.tsx'

export type Ruling = Output<'disputes.ruling'>
/** Null where no arbiter has ruled; undefined as long as that is not known. */
export type RulingRead = { readonly ruling: Ruling | null | undefined; readonly error: Error | null }

/** The ruling on a dispute, as one of its sides reads it. */
export function useRuling(disputeId: string, isEnabled = true): RulingRead {
  return rulingIn(useRead('disputes.ruling', { dispute_id: disputeId }, { enabled: isEnabled }))
}

/** That nobody has ruled is an answer of its own; any other error leaves it open whether somebody has. */
export function rulingIn({ data, error }: Pick<UseQueryResult<Ruling>, 'data' | 'error'>): RulingRead {
  if (error === null) return { ruling: data, error }
  return error instanceof ErgonError && error.code === 'RULING_NOT_FOUND'
    ? { ruling: null, error: null }
    : { ruling: data, error }
}
