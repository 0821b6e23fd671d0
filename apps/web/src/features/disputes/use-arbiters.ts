import { useRead } from '../../lib/market.tsx'
import { useSession } from '../../wallet/wallet.tsx'

/** Whom the operator lets rule; undefined while that is not known. */
export function useArbiters(): readonly string[] | undefined {
  return useRead('disputes.arbiters', {}, { staleTime: 60_000 }).data?.arbiters
}

/** Whether the operator names the wallet that is signed in. */
export function useIsArbiter(): boolean {
  const { wallet } = useSession()
  const arbiters = useArbiters()
  return typeof wallet === 'string' && arbiters?.some((one) => one.toLowerCase() === wallet) === true
}
