import type { WalletCaller } from '../caller.ts'
import type { MarketDeps } from '../flows/deps.ts'
import type { AccountExport } from '../identity/account.ts'
import type { AccountKey } from '../ports/store-account.ts'

/** Every row of the wallet, a page at a time, so that no account is too large to be handed out. */
export async function exportAccount(deps: MarketDeps, caller: WalletCaller): Promise<AccountExport> {
  const { store } = deps
  const [worker, profile] = await Promise.all([store.workerByWallet(caller.wallet), store.exportProfile(caller.wallet)])
  const key = { wallet: caller.wallet, executorId: worker?.id ?? null }
  return {
    executorId: key.executorId,
    exportedAt: deps.clock.now(),
    profile,
    sections: store.exportSections.map((name) => ({ name, pages: pagesOf(deps, name, key) })),
  }
}

async function* pagesOf({ store }: MarketDeps, name: string, key: AccountKey): AsyncGenerator<readonly string[]> {
  let after: string | null = null
  do {
    const page = await store.exportPage(name, key, after)
    if (page.rows.length > 0) yield page.rows
    after = page.next
  } while (after !== null)
}
