import type { EventPage } from './market-events.ts'
import type { EventPlace } from './ports/store-events.ts'
import type { TaskFacts } from './notices/notice.ts'
import type { Room } from './rooms/room.ts'

export type { TaskFacts } from './notices/notice.ts'

/** What rooms stand on; they decide themselves who hears which event. */
export interface RoomMarket {
  /** Which of these wallets belong to a task now: publisher, worker, and everybody whose application stands. */
  taskMembers(taskId: string, wallets: readonly string[]): Promise<readonly string[]>
  taskFacts(taskId: string): Promise<TaskFacts | null>
  /** What was said in a room after a place; the room of a task holds more than each member may hear. */
  roomEvents(room: Room, after: EventPlace, limit: number): Promise<EventPage>
}
