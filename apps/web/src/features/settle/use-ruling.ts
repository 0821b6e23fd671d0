import { ErgonError, type Output } from '@ergon/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { answerKey, useMarket } from '../../lib/market.tsx'

export type Ruling = Output<'disputes.ruling'>
/** Null where no arbiter has ruled; undefined as long as that is not known. */
export type RulingRead = { readonly ruling: Ruling | null | undefined } & Pick<
  UseQueryResult<Ruling | null>,
  'error' | 'refetch'
>

type Options = { readonly enabled?: boolean; readonly staleTime?: number }

/**
 * The ruling on a dispute, as one of its sides or an arbiter reads it. That nobody has ruled is kept as an answer: an
 * error is forgotten while it is asked again, and what is being written below would go with it.
 */
export function useRuling(disputeId: string, options: Options = {}): RulingRead {
  const market = useMarket()
  const input = { dispute_id: disputeId }
  const { data, error, refetch } = useQuery<Ruling | null>({
    queryKey: answerKey('disputes.ruling', input),
    queryFn: ({ signal }) => orNone(market.disputes.ruling(input, { signal })),
    ...options,
  })
  return { ruling: data, error, refetch }
}

/** What was asked for, or null where it is that nobody has ruled. */
export async function orNone(asked: Promise<Ruling>): Promise<Ruling | null> {
  try {
    return await asked
  } catch (refusal) {
    if (isNone(refusal)) return null
    throw refusal
  }
}

/** That nobody has ruled is an answer of its own; any other error leaves that open. */
const isNone = (error: unknown): boolean => error instanceof ErgonError && error.code === 'RULING_NOT_FOUND'
