import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Block } from '../identity/account.ts'
import { emptyPage, type Page, type PageRequest } from '../page.ts'
import type { MarketDeps } from './deps.ts'

/** Keeps another wallet away from the caller's tasks and listings. */
export async function block(deps: MarketDeps, caller: WalletCaller, wallet: string): Promise<Block> {
  if (wallet === caller.wallet)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'wallet',
      constraint: 'a wallet other than your own',
      received: wallet,
    })
  return deps.store.putBlock({
    id: deps.ids.next(),
    blocker: caller.wallet,
    blocked: wallet,
    createdAt: deps.clock.now(),
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
