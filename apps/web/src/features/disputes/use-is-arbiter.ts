import { useArbiters } from '../../components/deciders/use-arbiters.ts'
import { useSession } from '../../wallet/wallet.tsx'

/** Whether the operator names the wallet that is signed in. */
export function useIsArbiter(): boolean {
  const { wallet } = useSession()
  const arbiters = useArbiters()
  return typeof wallet === 'string' && arbiters?.some((one) => one.toLowerCase() === wallet) === true
}
