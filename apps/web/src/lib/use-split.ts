import { useMemo } from 'react'
import { useRead } from './market.tsx'
import { splitOf, type Split } from './payout.ts'

/** How the service splits a bounty; undefined until it has said its fee. */
export function useSplit(): ((bountyUsd: number) => Split) | undefined {
  const feeBps = useRead('payments.fees', {}, { staleTime: Infinity }).data?.fee_bps
  return useMemo(() => (feeBps === undefined ? undefined : (bountyUsd) => splitOf(bountyUsd, feeBps)), [feeBps])
}
