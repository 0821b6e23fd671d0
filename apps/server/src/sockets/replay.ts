import { MarketError, type EventPlace, type Market, type Room } from '@ergon/core'
import type { Said } from './frames.ts'
import type { Rooms } from './rooms.ts'

export type ReplayDeps = {
  readonly market: Pick<Market, 'roomEvents'>
  readonly rooms: Pick<Rooms, 'recall'>
  readonly mayHear: () => boolean
}

const pageSize = 200
const maxEvents = 1_000

/**
 * Tells one listener what a room said while they were away. `tell` resolves when the reader has taken the page.
 * @throws VALIDATION_FAILED for a cursor that no frame carried, and when more was missed than one subscription tells;
 * what was told until then counts, and the next subscription goes on from there
 */
export async function replay(
  { market, rooms, mayHear }: ReplayDeps,
  room: Room,
  wallet: string,
  from: EventPlace,
  tell: (said: readonly Said[]) => Promise<void>,
): Promise<void> {
  let after = from
  for (let looked = 0; looked < maxEvents; looked += pageSize) {
    const page = await market.roomEvents(room, after, pageSize)
    const said: Said[] = []
    for (const event of page.events) said.push(...(await rooms.recall(event, room, wallet)))
    if (!mayHear()) return
    if (said.length > 0) await tell(said)
    if (!page.hasMore) return
    after = page.place
  }
  throw new MarketError('VALIDATION_FAILED', {
    field: 'cursor',
    constraint: `at most ${String(maxEvents)} missed events at once; subscribe again from the last event's cursor`,
  })
}
