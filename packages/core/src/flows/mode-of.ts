import type { PaymentMode } from '@ergon/contract'
import { modeOfRows } from '../escrow/payment-mode.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'

/** The mode of a task by its own rows; what they leave open is the deployment's. */
export async function modeOf(
  { store, settings }: Pick<MarketDeps, 'store' | 'settings'>,
  { id, escrowStatus }: Pick<Task, 'id' | 'escrowStatus'>,
): Promise<PaymentMode> {
  const isHeld = escrowStatus !== 'none'
  const isMetered = !isHeld && (await store.meterTerms(id)) !== null
  return modeOfRows(
    { escrowStatus, isMetered, lastLock: isHeld ? await store.lastLock(id) : null },
    settings.paymentMode,
  )
}
