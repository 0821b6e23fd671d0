import { liveEventOf, liveEventOfStream, type LiveEvent, type LiveRoom, type ServerFrame } from './live-event.ts'
import { createQueue, type Queue } from './queue.ts'

/** Ids that are remembered although their events lie behind the place: another process may tell a little late. */
const remembered = 4_096

/** A wish to be in a room, and whoever waits for it to be granted. */
export type Wish = {
  isGranted: boolean
  readonly granted: Promise<void>
  grant(): void
  refuse(reason: unknown): void
}

/** What outlives the single connection: the place, the rooms, and what was told already. */
export type Desk = {
  readonly queue: Queue<LiveEvent>
  readonly wishes: Map<LiveRoom, Wish>
  /** Whoever waits to be let in is told; false where nobody wished for it. */
  leave(room: LiveRoom): boolean
  leaveAll(reason: unknown): void
  /** Everything up to here was told, in every room. */
  readonly place: string
  /** Goes on from here, once everything until here was told. */
  moveTo(place: string): void
  /** Something told over a socket; `isInOrder` when nothing older can come any more. */
  tell(frame: ServerFrame, isInOrder: boolean): void
  /** Something read from the stream, older than what sockets tell. */
  tellPast(event: Parameters<typeof liveEventOfStream>[0]): void
}

export function createDesk(from: string): Desk {
  const queue = createQueue<LiveEvent>()
  const wishes = new Map<LiveRoom, Wish>()
  const seen = new Set<string>()
  let place = from
  const isNews = (id: string): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    return true
  }
  const moveTo = (next: string): void => {
    place = next
    for (const oldest of seen) {
      if (seen.size <= remembered) break
      seen.delete(oldest)
    }
  }
  return {
    queue,
    moveTo,
    wishes,
    leave(room) {
      wishes.get(room)?.refuse(new DOMException(`the room ${room} was left`, 'AbortError'))
      return wishes.delete(room)
    },
    leaveAll(reason) {
      for (const one of wishes.values()) one.refuse(reason)
    },
    get place() {
      return place
    },
    tell(frame, isInOrder) {
      if (!isNews(frame.id)) return
      if (isInOrder && frame.cursor !== undefined) moveTo(frame.cursor)
      queue.push(liveEventOf(frame, place))
    },
    tellPast(event) {
      if (isNews(event.id)) queue.push(liveEventOfStream(event, place))
    },
  }
}

export function createWish(): Wish {
  let grant = (): void => undefined
  let refuse = (_reason: unknown): void => undefined
  const granted = new Promise<void>((resolve, reject) => {
    ;[grant, refuse] = [resolve, reject]
  })
  // Nobody has to wait for it.
  granted.catch(() => undefined)
  const wish: Wish = {
    isGranted: false,
    granted,
    refuse,
    grant() {
      wish.isGranted = true
      grant()
    },
  }
  return wish
}
