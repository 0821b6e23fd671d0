import { wireErrors } from '@ergon/contract/wire'
import { errorOfAnswer, isErrorCode, type ErgonError } from '../ergon-error.ts'
import type { Desk } from './desk.ts'
import type { LiveRoom, ServerFrame } from './live-event.ts'
import type { Line } from './line.ts'

/** How one connection went. */
export type Ending = {
  /** It got as far as telling things as they happen. */
  wasLive: boolean
  /** More was missed than sockets tell: it has to be read first. */
  isBehind: boolean
  /** Why there is no point in another. */
  fault: ErgonError | undefined
}

export type Conversation = {
  readonly ending: Ending
  hear(frame: ServerFrame, line: Line): void
  /** Enters a room that was wished for meanwhile; whoever is not let in yet enters it with the others. */
  enter(room: LiveRoom, line: Line): void
  /** Leaves a room, unless it was not entered yet. */
  leave(room: LiveRoom, line: Line): void
}

export type AuthPayload = Readonly<Record<string, unknown>>

/**
 * One connection, from the welcome on: says who is calling, enters every room at the place of the desk, and knows by
 * an answered ping that the past was told. Until then the place stays, because rooms tell their pasts one after the
 * other; from then on events come in order (decision 0066).
 *
 * `authenticate` is undefined where the cookie of a session speaks.
 */
export function createConversation(desk: Desk, authenticate: (() => Promise<AuthPayload>) | undefined): Conversation {
  const ending: Ending = { wasLive: false, isBehind: false, fault: undefined }
  // A socket that is not open yet refuses to send, and the service refuses whom it does not know.
  let isLetIn = false
  let pings = 0
  let answered = -1
  const fail = (error: ErgonError, line: Line): void => {
    ending.fault = error
    line.close()
  }
  const enterAll = (rooms: readonly string[], line: Line): void => {
    for (const room of rooms) line.send('subscribe', { room, cursor: desk.place }, room)
    pings += 1
    line.send('ping', {}, String(pings))
  }
  const takers: Readonly<Record<string, (frame: ServerFrame, line: Line) => void>> = {
    welcome({ payload }, line) {
      if (payload['authenticated'] === true) return
      if (authenticate === undefined)
        fail(errorOfFrame({ code: 'UNAUTHORIZED', message: 'The session of this page is over.' }), line)
      // A wallet that does not sign is for the caller to hear of.
      else
        authenticate().then(
          (proof) => line.send('auth', proof, 'auth'),
          (error: unknown) => fail(error as ErgonError, line),
        )
    },
    auth_success({ payload }, line) {
      isLetIn = true
      enterAll([...ownRooms(payload), ...desk.wishes.keys()], line)
    },
    auth_failed({ payload }, line) {
      const error = errorOfFrame(payload)
      // Time mends a crowd and a fault of the service, and nothing else.
      if (error.retryable) line.close()
      else fail(error, line)
    },
    subscribed: ({ payload }) => {
      wishIn(desk, payload)?.grant()
    },
    unsubscribed({ payload }) {
      if (payload['reason'] !== undefined) desk.leave(payload['room'] as LiveRoom) // the service names the room it closes
    },
    error({ id, payload }, line) {
      const error = errorOfFrame(payload)
      if (error.details['field'] === 'cursor') {
        ending.isBehind = true
        line.close()
      } else refuseRoom(desk, id as LiveRoom, error) // subscribe frames go by the name of their room
    },
    pong({ id }) {
      answered = Number(id)
      ending.wasLive ||= answered === pings
    },
    event: (frame) => {
      desk.tell(frame, answered === pings)
    },
  }
  return {
    ending,
    hear: (frame, line) => {
      takers[frame.type]?.(frame, line)
    },
    enter: (room, line) => {
      if (isLetIn) enterAll([room], line)
    },
    leave: (room, line) => {
      if (isLetIn) line.send('unsubscribe', { room }, room)
    },
  }
}

/** The rooms that a wallet is in from the start. */
function ownRooms({ rooms }: { readonly rooms?: unknown }): readonly string[] {
  return Array.isArray(rooms) ? rooms.filter((room) => typeof room === 'string') : []
}

function wishIn(desk: Desk, payload: Readonly<Record<string, unknown>>) {
  return desk.wishes.get(payload['room'] as LiveRoom) // a name nobody wished for finds nothing
}

/** What was granted once and is refused now is left, as when the service closes a room. */
function refuseRoom(desk: Desk, room: LiveRoom, error: ErgonError): void {
  const wish = desk.wishes.get(room)
  if (wish === undefined) return
  desk.wishes.delete(room)
  wish.refuse(error)
}

function errorOfFrame(payload: Readonly<Record<string, unknown>>): ErgonError {
  const code = String(payload['code'])
  return errorOfAnswer(isErrorCode(code) ? wireErrors[code][0] : 0, new Headers(), {
    message: payload['message'],
    details: payload['details'],
    detail: { code },
  })
}
