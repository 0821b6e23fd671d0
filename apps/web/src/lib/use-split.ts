import { useRead } from './market.tsx'
import { splitOf, type Split } from './payout.ts'

/** How the service splits a bounty; undefined until it has said its fee. */
export function useSplit(): ((bountyUsd: number) => Split) | undefined {
  const { data } = useRead('payments.fees', {}, { staleTime: Infinity })
  return data === undefined ? undefined : (bountyUsd) => splitOf(bountyUsd, data.fee_bps)
}
