import type { Said } from './frames.ts'

/** A connection that listens in rooms. */
export type Listener = {
  readonly wallet: string
  hear(said: Said): void
  /** Belongs to the room no longer. */
  dismiss(room: string): void
  /** Something it should have heard could not be told: it must begin again from its cursor. */
  lose(): void
}

/** Who is in which room, in this process. */
export type Presence = {
  join(room: string, listener: Listener): void
  leave(room: string, listener: Listener): void
  in(room: string): Iterable<Listener>
  isAnybodyIn(room: string): boolean
  /** Everybody, once a room. */
  all(): readonly Listener[]
  readonly rooms: number
  readonly categoryRooms: number
}

export function createPresence(): Presence {
  const rooms = new Map<string, Set<Listener>>()
  let categoryRooms = 0
  const isCategory = (room: string): boolean => room.startsWith('category:')
  return {
    join(room, listener) {
      const there = rooms.get(room)
      if (there !== undefined) {
        there.add(listener)
        return
      }
      rooms.set(room, new Set([listener]))
      if (isCategory(room)) categoryRooms += 1
    },
    leave(room, listener) {
      const there = rooms.get(room)
      if (there?.delete(listener) !== true || there.size > 0) return
      rooms.delete(room)
      if (isCategory(room)) categoryRooms -= 1
    },
    in: (room) => rooms.get(room) ?? [],
    isAnybodyIn: (room) => rooms.has(room),
    all: () => [...rooms.values()].flatMap((there) => [...there]),
    get rooms() {
      return rooms.size
    },
    get categoryRooms() {
      return categoryRooms
    },
  }
}
