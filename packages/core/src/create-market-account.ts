import { MarketError } from './errors.ts'
import { anonymiseAccount } from './flows/anonymise-account.ts'
import type { MarketDeps } from './flows/deps.ts'
import { existingSubmission, existingTask, existingWorker } from './flows/read.ts'
import { existingListing } from './flows/list-service.ts'
import type { WalletCaller } from './caller.ts'
import type { AccountMarket } from './market-account.ts'
import { exportAccount } from './views/account-export.ts'

/** The account's part of the market. */
export function createMarketAccount(deps: MarketDeps): AccountMarket {
  const { store } = deps
  return {
    exportAccount: (caller) => exportAccount(deps, caller),
    anonymiseAccount: (caller) => anonymiseAccount(deps, caller),
    async payoutAddress(caller, executorId) {
      const worker = await existingWorker(deps, executorId)
      return worker.wallet === caller.wallet ? store.payoutAddress(executorId) : null
    },
    async bindPayoutAddress(caller, address) {
      const executorId = await ownExecutorId(deps, caller)
      await store.putPayoutAddress(executorId, address)
      return { executorId }
    },
    ownExecutorId: (caller) => ownExecutorId(deps, caller),
    report: (caller, input) => report(deps, caller, input),
    reports: (caller, page) => store.reportsOf(caller.wallet, page),
    async block(caller, wallet) {
      if (wallet === caller.wallet)
        throw new MarketError('VALIDATION_FAILED', {
          field: 'wallet',
          constraint: 'another wallet than your own',
          received: wallet,
        })
      return store.putBlock({
        id: deps.ids.next(),
        blocker: caller.wallet,
        blocked: wallet,
        createdAt: deps.clock.now(),
      })
    },
    unblock: (caller, wallet) => store.removeBlock(caller.wallet, wallet),
    blocked: (caller, page) => store.blocksOf(caller.wallet, page),
  }
}

async function ownExecutorId(deps: MarketDeps, caller: WalletCaller): Promise<string> {
  const worker = await deps.store.workerByWallet(caller.wallet)
  if (worker === null) throw new MarketError('WORKER_NOT_FOUND', { wallet: caller.wallet })
  return worker.id
}

async function report(
  deps: MarketDeps,
  caller: WalletCaller,
  { target, targetId, reason, note }: Parameters<AccountMarket['report']>[1],
): ReturnType<AccountMarket['report']> {
  const exists = {
    task: existingTask,
    submission: existingSubmission,
    worker: existingWorker,
    listing: existingListing,
  } as const
  await exists[target](deps, targetId)
  return deps.store.putReport({
    id: deps.ids.next(),
    reporter: caller.wallet,
    target,
    targetId,
    reason,
    note,
    createdAt: deps.clock.now(),
  })
}
