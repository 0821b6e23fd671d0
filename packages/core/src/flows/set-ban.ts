import type { AdminAct } from '../admin/audit-line.ts'
import { MarketError } from '../errors.ts'
import type { AdminWorker } from '../ports/store-admin.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'

/** Bans the wallet of a worker, or lifts its ban. What is under way on chain goes on (decision 0057). */
export async function setBan(deps: MarketDeps, who: string, banned: boolean, act: AdminAct): Promise<AdminWorker> {
  const wallet = await walletOf(deps, who)
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    if (banned) {
      const isNew = await tx.putBan({ wallet, reason: act.reason, actor: act.actor, bannedAt: now })
      if (isNew) await tx.addAudit(auditLine(deps, act, 'wallet.ban', wallet, { banned: false }, { banned: true }))
      return
    }
    const lifted = await tx.removeBan(wallet)
    if (lifted !== null)
      await tx.addAudit(
        auditLine(
          deps,
          act,
          'wallet.unban',
          wallet,
          { banned: true, reason: lifted.reason, banned_by: lifted.actor },
          { banned: false },
        ),
      )
  })
  return (await deps.store.adminWorker(wallet)) ?? { wallet, worker: null, ban: null }
}

async function walletOf(deps: MarketDeps, who: string): Promise<string> {
  if (who.startsWith('0x')) return who.toLowerCase()
  const worker = await deps.store.worker(who)
  if (worker === null) throw new MarketError('WORKER_NOT_FOUND', { executor_id: who })
  return worker.wallet
}

/** Nobody begins work with a wallet that was banned. @throws WORKER_BLOCKED */
export async function requireNotBanned(deps: MarketDeps, wallet: string): Promise<void> {
  if (await deps.store.isBanned(wallet)) throw new MarketError('WORKER_BLOCKED', { wallet })
}
