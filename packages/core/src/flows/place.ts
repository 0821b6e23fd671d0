import type { Caller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { publicArea, radiusOf, type ShownPlace, type TaskPlace } from '../tasks/place.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, ownTask, requireVisible } from './read.ts'

/** Says where a task has to be done, or takes it back; only while nobody applied, because applicants count on it. */
export async function setPlace(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  place: { readonly lat: number; readonly lng: number; readonly radiusM: number | null } | null,
): Promise<ShownPlace | null> {
  const task = await ownTask(deps, caller, taskId)
  const exact: TaskPlace | null =
    place === null ? null : { lat: place.lat, lng: place.lng, radiusM: place.radiusM ?? radiusOf(task.category) }
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current?.status !== 'published' || (await tx.hasApplications(taskId)))
      throw new MarketError('TASK_NOT_EDITABLE', { task_id: taskId, status: task.status })
    await tx.putPlace(taskId, exact === null ? null : { exact, area: publicArea(exact) }, now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.updated', taskId, at: now, data: { task_id: taskId } })
  })
  return exact === null ? null : { precision: 'exact', ...exact }
}

/**
 * The point to the publisher and the assigned worker; the area to everybody else who may see the task (decision 0054).
 */
export async function readPlace(deps: MarketDeps, caller: Caller, taskId: string): Promise<ShownPlace> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const place = await deps.store.taskPlace(taskId)
  if (place === null) throw new MarketError('LOCATION_NOT_FOUND', { task_id: taskId })
  if (
    caller.kind === 'wallet' &&
    (caller.wallet === task.publisherWallet || (await isWorkerOf(deps, caller, task.executorId)))
  )
    return { precision: 'exact', ...place }
  return { precision: 'area', ...publicArea(place) }
}

async function isWorkerOf(deps: MarketDeps, caller: WalletCaller, executorId: string | null): Promise<boolean> {
  if (executorId === null) return false
  return (await deps.store.workerByWallet(caller.wallet))?.id === executorId
}
