import type { ServedNetwork } from '../network/served-network.ts'
import { pending, Refusal, Unavailable } from '../errors.ts'
import { carryOut } from '../settle/carry-out.ts'
import type { Outcome } from '../store/intents.ts'
import { delay } from '../surroundings/surroundings.ts'
import type { Registration } from '../store/registrations.ts'
import { landed } from './landed.ts'
import type { Step } from './mint-step.ts'
import type { Desk } from './register.ts'

export const retryMs = 500

/** Waits until it is known how the step ended. */
export async function take(desk: Desk, network: ServedNetwork, step: Step): Promise<Outcome> {
  for (;;) {
    try {
      return await carryOut(step, desk.deps, async () => network.pipeline.submit(step))
    } catch (error) {
      if (desk.stopped || !isPending(error)) throw error
      await delay(desk.deps.surroundings, retryMs)
    }
  }
}

/** The chain has spoken; a store that is away only delays the row. */
export async function insist<T>(desk: Desk, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Refusal) throw error
      if (desk.stopped) throw pending({}, error)
      desk.deps.onTrouble('a registration waits for the store', error)
      await delay(desk.deps.surroundings, retryMs)
    }
  }
}

export function isPending(error: unknown): boolean {
  return error instanceof Unavailable && error.code === 'settlement_pending'
}

/** What was minted; of what was not, nothing is left, and the same registration may be asked for again. */
export async function landedOrWithdrawn(
  desk: Desk,
  { id }: Pick<Registration, 'id'>,
  ask: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return landed(await ask(), {})
  } catch (error) {
    if (isPending(error)) throw error
    const reason = error instanceof Error ? error.message : 'unexpected_error'
    await insist(desk, () => desk.deps.store.withdraw(id, reason))
    throw error
  }
}
