import { ErgonError, type Output } from '@ergon/sdk'
import { useRead } from '../../lib/market.tsx'

/** Of a task without a meter, and where the deployment meters none. */
const ofNone: readonly string[] = ['TASK_NOT_FOUND', 'FEATURE_DISABLED']

type Task = Pick<Output<'tasks.get'>, 'id' | 'payment_network'>

/** What a unit of a task pays: null where it is not metered, undefined as long as that is not known. */
export function useMeterTerms({ id, payment_network: network }: Task): {
  readonly terms: Output<'meters.get'> | null | undefined
  readonly error: Error | null
} {
  // Only tasks on Solana can have a meter; of those that have none the answer is an error.
  const mayBe = network === 'solana'
  const { data, error } = useRead('meters.get', { task_id: id }, { enabled: mayBe, staleTime: Infinity })
  if (!mayBe || (error instanceof ErgonError && ofNone.includes(error.code))) return { terms: null, error: null }
  return { terms: data, error }
}
