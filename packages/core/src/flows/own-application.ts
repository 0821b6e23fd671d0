import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, requireVisible } from './read.ts'

/** The state of an application; `place` counts from 1, and is null when it does not wait. */
export type OwnApplication = {
  readonly id: string
  readonly outcome: 'waiting' | 'assigned' | 'not_chosen' | 'taken_back'
  readonly place: number | null
  readonly waiting: number
  readonly most: number | null
}

/** A policy lets no more than so many wait; where there is none, whoever is behind them reads this place. */
const mostCounted = 500

/** An applicant's place and outcome (decision 0174): its own alone, so that nobody learns who else applied. */
export async function ownApplication(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<OwnApplication> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const worker = await deps.store.workerByWallet(caller.wallet)
  const most = task.policy?.applicationsMost ?? null
  return deps.store.transaction(async (tx) => {
    const own = worker === null ? null : await tx.application(taskId, worker.id)
    if (own === null) throw new MarketError('WORKER_NOT_APPLIED', { task_id: taskId })
    const [waiting, first] = [await tx.countPending(taskId), await tx.pendingApplications(taskId, mostCounted)]
    const index = first.findIndex(({ id }) => id === own.id)
    const place = own.status !== 'pending' ? null : index === -1 ? waiting : index + 1
    const outcomes = {
      pending: 'waiting',
      accepted: 'assigned',
      rejected: 'not_chosen',
      withdrawn: 'taken_back',
    } as const
    return { id: own.id, outcome: outcomes[own.status], place, waiting, most }
  })
}
