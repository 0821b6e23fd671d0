import type { HeldSettlement } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'

/** The settlements one process works on now, so that it can say of each that it still does. */
export type Held = {
  during<T>(settlement: Settlement, work: () => Promise<T>): Promise<T>
  list(): readonly HeldSettlement[]
}

export function createHeld(): Held {
  const held = new Set<HeldSettlement>()
  return {
    async during({ id, attempts }, work) {
      const one = { id, attempts }
      held.add(one)
      try {
        return await work()
      } finally {
        held.delete(one)
      }
    },
    list: () => [...held],
  }
}
