import type { MarketDeps } from './flows/deps.ts'
import { changeRunConfig } from './flows/change-run-config.ts'
import { forceTask } from './flows/force-task.ts'
import { setBan } from './flows/set-ban.ts'
import { sweepNow } from './flows/sweep-fees.ts'
import type { AdminMarket } from './market-admin.ts'

/** The part of the market for whoever holds the admin key. */
export function createMarketAdmin(deps: MarketDeps): AdminMarket {
  const { store } = deps
  return {
    adminMetrics: () => store.adminMetrics(deps.clock.now()),
    adminTasks: (filter, page) => store.adminTasks(filter, page),
    adminWorkers: (filter, slice) => store.adminWorkers(filter, slice),
    auditLines: (subject, page) => store.auditLines(subject, page),
    forceTask: (taskId, to, act) => forceTask(deps, taskId, to, act),
    setBan: (who, banned, act) => setBan(deps, who, banned, act),
    async sweepFees(which, act) {
      const now = deps.clock.now()
      return sweepNow(deps, which, act, { now, until: new Date(now.getTime() + deps.settings.leaseMs) })
    },
    runChanges: () => store.runChanges(),
    changeRunConfig: (change, act) => changeRunConfig(deps, change, act),
  }
}
