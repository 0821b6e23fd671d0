import type { RatingDirection } from '@ergon/contract'
import type { Caller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { networkNamed } from '../network.ts'
import { correlationOf, type Correlation } from '../reputation/correlation.ts'
import { isGiven, type CountedRatings, type RegistryMean } from '../reputation/rating.ts'

/**
 * What the ratings of an agent id that count come to, and beside it what the registry makes of all that anybody
 * wrote. @throws IDENTITY_NOT_FOUND, CHAIN_UNAVAILABLE
 */
export async function agentScore(
  deps: MarketDeps,
  agentId: number,
  network: string | null,
): Promise<CountedRatings & { readonly agentId: number; readonly network: string; readonly registry: RegistryMean }> {
  const name = networkNamed(deps.networks, network ?? deps.settings.identityNetwork).name
  const [counted, registry] = await Promise.all([
    deps.store.countedRatings(name, agentId, null),
    deps.ratings.summary(name, agentId),
  ])
  return { agentId, network: name, ...counted, registry }
}

/** How much of each worker's history stems from the caller; empty for a caller without a wallet. */
export async function correlations(
  deps: MarketDeps,
  caller: Caller,
  executorIds: readonly string[],
): Promise<ReadonlyMap<string, Correlation>> {
  if (caller.kind !== 'wallet' || executorIds.length === 0) return new Map()
  const facts = await deps.store.correlations(executorIds, caller.wallet)
  return new Map(
    executorIds.flatMap((id) => {
      const correlation = correlationOf(facts.get(id))
      return correlation === null ? [] : [[id, correlation] as const]
    }),
  )
}

/** The document of a rating that was given, byte for byte. @throws FEEDBACK_NOT_FOUND */
export async function feedbackDocument(
  deps: MarketDeps,
  taskId: string,
  direction: RatingDirection | null,
): Promise<Uint8Array> {
  const ratings = await deps.store.ratings(taskId)
  const rating = ratings.find((one) => isGiven(one) && (direction === null || one.direction === direction))
  if (rating === undefined) throw new MarketError('FEEDBACK_NOT_FOUND', { task_id: taskId })
  return rating.document
}
