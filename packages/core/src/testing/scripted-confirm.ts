import { confirmSettlement } from '../flows/confirm.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, type Script } from './scripted-deps.ts'
import { landing } from './scripted-lines.ts'
import { authorize, capture, charge, heldTask, placeOn, settlementOf } from './scripted-money.ts'

/** A settlement that landed, and the task it is of. */

export type ConfirmCase = {
  readonly settlement: Settlement
  readonly current?: Partial<Settlement> | null
  readonly task?: Partial<Task> | null
  readonly script?: Script
}

export const lock = settlementOf('lock', authorize, { submissionId: null })
export const payout = settlementOf('payout', charge())
export const fee = settlementOf('fee', charge({ amount: { ...capture().amount, atomic: 1_300_000n }, to: 'treasury' }))
export async function confirmed({ settlement, current = {}, task = {}, script = {} }: ConfirmCase) {
  const { deps, asked } = placeOn(heldTask(), {
    lockTask: task === null ? null : heldTask(task),
    lockSettlement: current === null ? null : { ...settlement, ...current },
    confirmRefused: true,
    ...script,
  })
  const state = await confirmSettlement(deps, settlement, { ...landing, feeBps: 1_300 })
  return { state, lines: linesOf(asked).slice(3) }
}
