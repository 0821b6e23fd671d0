import { useOperatorQuery } from '../../lib/operator.tsx'
import { orNone, type Ruling, type RulingRead } from './use-ruling.ts'

/** As `useRuling`, with the key of the deployment. */
export function useOperatorRuling(disputeId: string, options: { readonly enabled: boolean }): RulingRead {
  const input = { dispute_id: disputeId }
  const { data, error, refetch } = useOperatorQuery<Ruling | null>(
    ['disputes.ruling', input],
    (operator, signal) => orNone(operator.disputes.ruling(input, { signal })),
    options,
  )
  return { ruling: data, error, refetch }
}
