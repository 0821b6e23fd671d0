import { MarketError, type EventPlace, type Market, type Room } from '@ergon/core'
import type { Outbound } from './outbound.ts'
import type { Listener } from './presence.ts'
import { replay } from './replay.ts'
import { roomName } from './room-name.ts'
import type { Rooms } from './rooms.ts'

export type AttendanceMarket = Pick<Market, 'taskFacts' | 'taskMembers' | 'roomEvents'> & {
  eventHorizon(): Promise<EventPlace>
}

export type AttendanceDeps = {
  readonly market: AttendanceMarket
  readonly rooms: Rooms
  readonly outbound: Outbound
  readonly listener: Listener
  /** Asked before each part of the past. */
  readonly mayHear: () => boolean
  readonly maxRooms: number
}

/** The rooms one connection is in. */
export type Attendance = {
  /**
   * Joins, says so with the place to go on from, and, given a cursor, tells what was missed before anything new.
   * @throws FORBIDDEN, TASK_NOT_FOUND; VALIDATION_FAILED beyond the limit of rooms and for a cursor that no frame
   * carried, EVENTS_FORGOTTEN, all before it says so; VALIDATION_FAILED when more was missed than is told at once, and
   * then the room is left again
   */
  enter(
    room: Room,
    cursor: EventPlace | undefined,
    announce: (cursor: EventPlace, rooms: number) => void,
  ): Promise<void>
  /** Answers how many are left. */
  leave(room: string): number
  /** Leaves everything, for good. */
  end(): void
}

export function createAttendance({ market, rooms, outbound, listener, mayHear, maxRooms }: AttendanceDeps): Attendance {
  const joined = new Set<string>()
  let isOver = false
  const leave = (room: string): number => {
    rooms.leave(room, listener)
    joined.delete(room)
    return joined.size
  }
  return {
    leave,
    async enter(room, cursor, announce) {
      const name = roomName(room)
      const { wallet } = listener
      await demandMembership(market, room, wallet)
      if (!joined.has(name) && joined.size >= maxRooms)
        throw new MarketError('VALIDATION_FAILED', {
          field: 'room',
          constraint: `at most ${String(maxRooms)} rooms per connection`,
        })
      if (cursor !== undefined) await market.roomEvents(room, cursor, 1)
      const place = cursor ?? (await market.eventHorizon())
      if (isOver) return
      const join = (): void => {
        joined.add(name)
        rooms.join(name, listener)
        announce(place, joined.size)
      }
      if (cursor === undefined) {
        join()
        return
      }
      await outbound.afterwards(async (tell) => {
        join()
        await replay({ market, rooms, mayHear }, room, wallet, cursor, tell).catch((error: unknown) => {
          leave(name)
          throw error
        })
      })
    },
    end() {
      isOver = true
      for (const room of [...joined]) leave(room)
    },
  }
}

/** @throws FORBIDDEN, TASK_NOT_FOUND */
async function demandMembership(
  market: Pick<Market, 'taskFacts' | 'taskMembers'>,
  room: Room,
  wallet: string,
): Promise<void> {
  if (room.kind === 'user' && room.wallet !== wallet) throw new MarketError('FORBIDDEN', { room: roomName(room) })
  if (room.kind !== 'task') return
  if ((await market.taskMembers(room.taskId, [wallet])).length > 0) return
  throw (await market.taskFacts(room.taskId)) === null
    ? new MarketError('TASK_NOT_FOUND', { task_id: room.taskId })
    : new MarketError('FORBIDDEN', { room: roomName(room) })
}
