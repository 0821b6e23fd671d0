import { totalsOf, type Movement } from '../escrow/movement.ts'
import { endEmptied } from '../flows/emptied.ts'
import type { CaptureOrder, VoidOrder } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, type Script } from './scripted-deps.ts'
import { capturedAt, completed, paymentFailed, paymentKept, refused, workTold, type Lines } from './scripted-lines.ts'
import { heldTask, moved, offer, placeOn } from './scripted-money.ts'

/** A payment of which others left nothing, and the settlement that was under way. */

export type EmptiedCase = {
  readonly settlement: Settlement & { readonly order: CaptureOrder | VoidOrder }
  readonly movements: readonly Movement[]
  readonly task?: Partial<Task>
  readonly script?: Script
}

export const locked = moved('authorized')
export const back = [locked, moved('reclaimed')]
export const paid = [locked, moved('captured')]
export const agreed = { lockOffer: offer() }
export const byOffer = { offerId: 'offer' }

export async function ended({ settlement, movements, task = {}, script = {} }: EmptiedCase) {
  const { place, asked } = placeOn(heldTask(task), { movements, ...script })
  const ending = await endEmptied(place, { settlement, movements, totals: totalsOf(movements) })
  return { ending, lines: linesOf(asked) }
}

/** The order can no longer be carried out; what it was decided by is `reopened`. */
export const givenUp = (code: string, type: string, atomic: bigint, reopened: Lines = []): Lines => [
  refused(code),
  'changeTask task {escrowStatus:authorized} now',
  ...reopened,
  ...paymentFailed(1, type, atomic, code),
]
/** The worker was paid by another hand, which was told when it was booked. */
export const kept = (captured: bigint): string => paymentKept({ at: capturedAt, captured })
export const completedFor = (captured: bigint): Lines => [
  ...completed({ at: capturedAt, captured }),
  ...workTold(1, null, capturedAt.txHash),
]
