import { useRead } from '../../lib/market.tsx'

const most = 100

/**
 * Whether the wallet that is signed in may rule on an open dispute: the list of an arbiter follows the rules of the
 * ruling (decision 0196), and reading it leaves no line. Undefined while that is not known, or with more than one page.
 */
export function useMayRule(disputeId: string): boolean | undefined {
  const { data, isFetching } = useRead('disputes.list', { role: 'arbiter', limit: most }, { staleTime: 0 })
  if (data === undefined) return undefined
  if (data.disputes.some(({ id }) => id === disputeId)) return true
  // One that was opened since the last reading is not in it.
  return isFetching || data.total > data.disputes.length ? undefined : false
}
