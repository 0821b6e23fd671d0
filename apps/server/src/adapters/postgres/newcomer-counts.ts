import { newcomerShares } from '@ergon/core'
import { addressNetworks } from '@ergon/protocols'
import { countedOfNewcomers } from './budget-names.ts'
import { digestOf, type DayCount } from './day-counts.ts'

type Act = {
  /** As it is counted. */
  readonly what: string
  readonly from: string | undefined
  readonly amount: number
  readonly limits: { readonly ofAddress: number; readonly inAll: number }
  /** The part that is kept for wallets with paid work; 0 where an act has no wallet. */
  readonly kept?: number
}

/**
 * What an act of whoever has proven nothing yet counts against, beside its wallet: its address, the networks of that,
 * all newcomers, and all.
 */
export function newcomerCounts({ what, from, amount, limits, kept }: Act): readonly DayCount[] {
  const shares = newcomerShares(limits, kept)
  if (shares === null) return []
  const { near, wide } = addressNetworks(from ?? '')
  const ofNetwork = (network: string, limit: number): DayCount => ({
    by: 'network',
    counted: digestOf(`${what} of the network ${network}`),
    amount,
    limit,
  })
  return [
    ...(from === undefined || shares.ofNear === 0
      ? []
      : [ofNetwork(near, shares.ofNear), ofNetwork(wide, shares.ofWide)]),
    { by: 'newcomers', counted: countedOfNewcomers(what), amount, limit: shares.inAll, isDealt: true },
  ]
}

/** The least that an address has for itself while newcomers wait. */
export function fewOf(limits: Act['limits']): Pick<DayCount, 'few'> {
  const few = newcomerShares(limits)?.few ?? 0
  return few === 0 ? {} : { few }
}
