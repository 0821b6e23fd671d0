import { MarketError } from '../errors.ts'
import type { MarketDeps } from './deps.ts'

/** Who blocked the other, or was blocked, begins no work with them. @throws PARTY_BLOCKED */
export async function requireNotApart(deps: MarketDeps, publisher: string, worker: string): Promise<void> {
  if (await deps.store.areApart(publisher, worker)) throw new MarketError('PARTY_BLOCKED')
}
