import type { Lanes } from './lanes.ts'
import { createLanes } from './lanes.ts'

/**
 * One kind of message that is posted to addresses which strangers named: where it waits, and what becomes of an
 * attempt. The rows are leased, so that several processes share the work, and an attempt whose process died is made
 * again when its lease is over.
 */
export type Mail<Leased> = {
  /** Leases at most so many that are due; no more of a lane than it admits besides what is under way there. */
  lease(most: number, underWay: ReturnType<Lanes['counts']>): Promise<readonly Leased[]>
  /** What a message shares its limit with: a slow lane delays only its own messages. */
  laneOf(message: Leased): string
  /** Posts it and writes down how that ended and when it is due again. */
  attempt(message: Leased): Promise<void>
}

export type DeliveryEngine = {
  /** Begins what is due, and does not wait for it; answers how many messages that are. */
  begin(): Promise<number>
  /** Resolves when every attempt that was begun is over. */
  settled(): Promise<void>
}

export type EngineOptions = {
  /** Something ended: more may be due. */
  readonly onRoom: () => void
  readonly onError: (error: unknown) => void
}

/** Posts of one kind that are under way in this process. */
const maxUnderWay = 256

export function createDeliveryEngine<Leased>(
  { lease, laneOf, attempt }: Mail<Leased>,
  { onRoom, onError }: EngineOptions,
): DeliveryEngine {
  const lanes = createLanes({ atOnce: maxUnderWay, onRoom, onError })
  return {
    async begin() {
      const room = lanes.room()
      if (room === 0) return 0
      const due = await lease(room, lanes.counts())
      for (const message of due) lanes.begin(laneOf(message), () => attempt(message))
      return due.length
    },
    settled: () => lanes.settled(),
  }
}
