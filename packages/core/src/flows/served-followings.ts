import type { Following } from '../audit/following.ts'
import type { MarketDeps } from './deps.ts'

/** How far the served chains were followed: one that was taken out is behind for ever, and nobody has to look at it. */
export async function servedFollowings({
  store,
  networks,
}: Pick<MarketDeps, 'store' | 'networks'>): Promise<readonly Following[]> {
  return (await store.followings()).filter(({ network }) => networks.some(({ name }) => name === network))
}
