import type { Operations, OutputOf } from '@ergon/contract'
import { MarketError, type Asset } from '@ergon/core'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'

type Balance = OutputOf<Operations['payments.balance']>['balances'][number]

/** Whoever asks again so soon hears the same; a wallet asked for again and again costs the chains nothing. */
const keptMs = 3_000
const maxKept = 1_000
/** A chain that takes longer counts as silent, so that one slow node holds nobody up. */
const waitMs = 4_000

/** What a wallet holds of every token served; kept for a moment. */
export function createBalances(deps: ApiDeps): (wallet: string) => Promise<readonly Balance[]> {
  const kept = createBoundedCache<Promise<readonly Balance[]>>(maxKept, keptMs)
  const assets = deps.networks.flatMap(({ name, tokens }) =>
    Object.values(tokens).map(({ symbol, decimals }): Asset => ({ symbol, network: name, decimals })),
  )
  return (wallet) => {
    const known = kept.get(wallet)
    const balances = known ?? Promise.all(assets.map((asset) => balanceOf(deps, wallet, asset)))
    // Kept from when it was read: asking again does not make it younger.
    if (known === undefined) kept.set(wallet, balances)
    return balances
  }
}

async function balanceOf({ balanceOf: read }: ApiDeps, wallet: string, asset: Asset): Promise<Balance> {
  const base = { network: asset.network, token: asset.symbol }
  const given = Promise.withResolvers<null>()
  const timer = setTimeout(() => {
    given.resolve(null)
  }, waitMs)
  try {
    const atomic = await Promise.race([read(wallet, asset), given.promise])
    if (atomic !== null)
      return { ...base, status: 'ok', balance_usd: usd({ atomic, asset }), balance_atomic: atomic.toString() }
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
  } finally {
    clearTimeout(timer)
  }
  return { ...base, status: 'unavailable', balance_usd: null, balance_atomic: null }
}
