import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Block } from '../identity/account.ts'
import { emptyPage, type Page, type PageRequest } from '../page.ts'
import type { MarketDeps } from './deps.ts'

/** More than anybody meets: wallets are made for nothing, and each may be blocked. */
const mostBlocked = 1_000

/** Keeps another wallet away from the caller's tasks and listings. */
export async function block(deps: MarketDeps, caller: WalletCaller, wallet: string): Promise<Block> {
  if (wallet === caller.wallet)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'wallet',
      constraint: 'a wallet other than your own',
      received: wallet,
    })
  const made = { id: deps.ids.next(), blocker: caller.wallet, blocked: wallet, createdAt: deps.clock.now() }
  const kept = await deps.store.putBlock(made, mostBlocked)
  if (kept !== null) return kept
  throw new MarketError('VALIDATION_FAILED', {
    field: 'wallet',
    constraint: `at most ${String(mostBlocked)} blocked wallets: unblock one first`,
    received: wallet,
  })
}

/** False when the wallet was not blocked. */
export async function unblock({ store }: MarketDeps, caller: WalletCaller, wallet: string): Promise<boolean> {
  return store.removeBlock(caller.wallet, wallet)
}

/** Whom the caller blocks. */
export async function blocked({ store }: MarketDeps, caller: Caller, page: PageRequest): Promise<Page<Block>> {
  if (caller.kind === 'anonymous') return emptyPage(page)
  return store.blocksOf(caller.wallet, page)
}
