import {
  hearing,
  isPublic,
  makesNotice,
  noticeOf,
  type Market,
  type Notice,
  type Notifier,
  type RecordedEvent,
  type Room,
} from '@ergon/core'
import { sayEvent, sayNotice, type Said } from './frames.ts'
import { createKnowledge, type Known } from './knowledge.ts'
import { createPresence, type Listener, type Presence } from './presence.ts'

export type Rooms = Pick<Presence, 'join' | 'leave'> & {
  /** Tells an event to everybody who may hear it: once each, however many of its rooms they are in, and in order. */
  publish(event: RecordedEvent): void
  /** What one listener of one room would have heard of a past event. */
  recall(event: RecordedEvent, room: Room, wallet: string): Promise<readonly Said[]>
  /** Tells the sockets of a wallet in this process. */
  readonly notifier: Notifier
  count(): number
}

export type RoomsDeps = {
  readonly market: Pick<Market, 'taskFacts' | 'taskMembers'>
  readonly onError: (error: unknown) => void
}

/** Who hears what (spec §6): an event is written down once, whoever and however many hear it. */
export function createRooms({ market, onError }: RoomsDeps): Rooms {
  const presence = createPresence()
  const knowledge = createKnowledge(market, presence)
  let asking: Promise<void> | undefined

  const tell = async (event: RecordedEvent, known: Promise<Known> | Known): Promise<void> => {
    try {
      tellAll(presence, event, await known)
    } catch (error) {
      // Who may hear it cannot be told, and nobody shall miss it unawares.
      onError(error)
      for (const listener of presence.all()) listener.lose()
    }
  }
  return {
    join: (room, listener) => {
      presence.join(room, listener)
    },
    leave: (room, listener) => {
      presence.leave(room, listener)
    },
    publish(event) {
      if (event.type === 'task.updated' && event.taskId !== null) knowledge.forget(event.taskId)
      if (presence.rooms === 0) return
      const known = asking === undefined ? knowledge.about(event) : undefined
      if (known !== undefined && !(known instanceof Promise)) {
        tellAll(presence, event, known)
        return
      }
      // Whatever comes meanwhile waits its turn.
      const mine = (
        known === undefined
          ? Promise.resolve(asking).then(() => tell(event, knowledge.about(event)))
          : tell(event, known)
      ).then(() => {
        if (asking === mine) asking = undefined
      })
      asking = mine
    },
    async recall(event, room, wallet) {
      if (hearing(event, wallet) === 'none') return []
      const task =
        room.kind === 'user' && event.taskId !== null && makesNotice(event.type)
          ? await knowledge.taskOf(event.taskId)
          : undefined
      const notice = task === undefined ? null : noticeOf(event, task)
      return notice?.wallet === wallet ? [sayNotice(notice), sayEvent(event)] : [sayEvent(event)]
    },
    notifier: { notify: (notice) => Promise.resolve(tellNotice(presence, notice)) },
    count: () => presence.rooms,
  }
}

function tellAll(presence: Presence, event: RecordedEvent, known: Known): void {
  const notice = known.task === undefined ? null : noticeOf(event, known.task)
  if (notice !== null) tellNotice(presence, notice)
  const told = new Set<Listener>()
  let said: Said | undefined
  const toAll = (room: string, hears: (listener: Listener) => boolean = () => true): void => {
    for (const listener of presence.in(room)) {
      if (told.has(listener) || !hears(listener)) continue
      told.add(listener)
      said ??= sayEvent(event)
      listener.hear(said)
    }
  }
  for (const wallet of event.wallets) toAll(`user:${wallet}`)
  if (event.taskId !== null) {
    const room = `task:${event.taskId}`
    toAll(room, ({ wallet }) => hearing(event, wallet) === 'party')
    if (isPublic(event)) toAll(room, (listener) => stillBelongs(listener, room, known))
  }
  if (!isPublic(event)) return
  if (known.task !== undefined) toAll(`category:${known.task.category}`)
  toAll('global')
}

function tellNotice(presence: Presence, notice: Notice): 'told' | 'unreachable' {
  if (!presence.isAnybodyIn(`user:${notice.wallet}`)) return 'unreachable'
  const said = sayNotice(notice)
  for (const listener of presence.in(`user:${notice.wallet}`)) listener.hear(said)
  return 'told'
}

/** Whoever joined while the others were asked about was found to belong a moment ago. */
function stillBelongs(listener: Listener, room: string, { asked, members }: Known): boolean {
  if (!asked.has(listener.wallet) || members.has(listener.wallet)) return true
  listener.dismiss(room)
  return false
}
