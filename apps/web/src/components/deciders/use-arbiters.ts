import { useRead } from '../../lib/market.tsx'

/** Whom the operator lets rule; undefined while that is not known. */
export function useArbiters(): readonly string[] | undefined {
  return useRead('disputes.arbiters', {}, { staleTime: 60_000 }).data?.arbiters
}
