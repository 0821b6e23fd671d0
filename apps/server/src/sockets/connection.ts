import { MarketError, type Room } from '@ergon/core'
import { errorAnswer } from '../dispatch/error-body.ts'
import { createAttendance, type Attendance, type AttendanceMarket } from './attendance.ts'
import { cursorOf, roomOf } from './client-fields.ts'
import { createFrameCount } from './frame-count.ts'
import { readFrame, writeFrame, type ClientFrame, type ServerFrameType } from './frames.ts'
import { createOutbound, type Outbound, type Wire } from './outbound.ts'
import type { Listener } from './presence.ts'
import { roomName } from './room-name.ts'
import type { Rooms } from './rooms.ts'

/** Who a socket speaks for. `mayStay` asks again whether it still may. */
export type Occupant = {
  readonly wallet: string
  readonly via: 'signature' | 'session'
  /** Asked before everything it is told. */
  mayHear(): boolean
  mayStay(): Promise<boolean>
  release(): void
}

export type ConnectionDeps = {
  readonly id: string
  readonly wire: Wire & { close(code: number, reason: string): void }
  readonly market: AttendanceMarket
  readonly rooms: Rooms
  /**
   * Proves the signature of an auth frame and takes a seat. @throws the codes of a refused signature, WALLET_BLOCKED,
   * RATE_LIMITED
   */
  readonly authenticate: (payload: Readonly<Record<string, unknown>>) => Promise<Occupant>
  /** Whoever came with a session. */
  readonly occupant: Occupant | null
  readonly limits: {
    readonly rooms: number
    readonly frames: number
    readonly framesMs: number
    readonly bufferedBytes: number
  }
  readonly onFault: (error: unknown) => void
}

export type Connection = {
  begin(): void
  /** Undefined: the message was no text. */
  receive(text: string | undefined): void
  /** Counts what came, a frame or not; false when it is too much, and then the connection ends. */
  count(): boolean
  /** Whether it was authenticated. */
  isKnown(): boolean
  /** Ends the connection when its occupant may no longer be here. */
  recheck(): Promise<void>
  ping(): void
  /** The socket is gone. */
  end(): void
}

const shutOut = 'this wallet may no longer be here'

/** What is shared while one connection lasts. */
type State = {
  occupant: Occupant | null
  isOver: boolean
  readonly outbound: Outbound
  readonly attendance: Attendance
  answer(type: ServerFrameType, payload: Readonly<Record<string, unknown>>, to?: ClientFrame): void
}

/** What one client says and is told. Frames are taken in order, one at a time (spec §6). */
export function createConnection(deps: ConnectionDeps): Connection {
  const { limits } = deps
  const countOne = createFrameCount(limits.frames, limits.framesMs)
  let turn = Promise.resolve()
  const end = (): void => {
    if (state.isOver) return
    state.isOver = true
    state.attendance.end()
    state.occupant?.release()
  }
  const close = (code: number, reason: string): void => {
    if (state.isOver) return
    end()
    deps.wire.close(code, reason)
  }
  const state = createState(deps, close)
  const inTurn = (work: () => Promise<void>, frame?: ClientFrame): void => {
    turn = turn
      .then(async () => {
        if (!state.isOver) await work()
      })
      .catch((error: unknown) => {
        tellError(deps, state, error, frame)
      })
  }
  return {
    begin() {
      state.answer('welcome', { connection_id: deps.id, authenticated: deps.occupant !== null })
      state.occupant = deps.occupant
      const person = deps.occupant
      if (person !== null) inTurn(() => settle(state, person, undefined))
    },
    receive(text) {
      const frame = text === undefined ? undefined : readFrame(text)
      if (frame === undefined)
        close(text === undefined ? 1003 : 1002, 'frames are JSON objects with a type and a payload')
      else inTurn(() => take(deps, state, frame), frame)
    },
    count() {
      if (countOne()) return true
      if (!state.isOver)
        tellError(deps, state, new MarketError('RATE_LIMITED', { limit: limits.frames, remaining: 0 }), undefined)
      close(1008, 'too many frames')
      return false
    },
    isKnown: () => state.occupant !== null,
    async recheck() {
      if ((await state.occupant?.mayStay()) === false) close(1008, shutOut)
    },
    ping: () => {
      state.answer('ping', {})
    },
    end,
  }
}

function createState(deps: ConnectionDeps, close: (code: number, reason: string) => void): State {
  const outbound = createOutbound({
    wire: deps.wire,
    maxBufferedBytes: deps.limits.bufferedBytes,
    onStall: () => {
      close(1013, 'reads too slowly; go on from the last cursor')
    },
  })
  const mayHear = (): boolean => {
    const may = state.occupant?.mayHear() === true
    if (!may) close(1008, shutOut)
    return may
  }
  const listener: Listener = {
    get wallet() {
      return state.occupant?.wallet ?? ''
    },
    hear: (said) => {
      if (mayHear()) outbound.hear(said)
    },
    dismiss: (room) => {
      state.answer('unsubscribed', {
        room,
        total_subscriptions: state.attendance.leave(room),
        reason: 'no longer a member',
      })
    },
    lose: () => {
      close(1013, 'events were lost; go on from the last cursor')
    },
  }
  const state: State = {
    occupant: null,
    isOver: false,
    outbound,
    attendance: createAttendance({
      market: deps.market,
      rooms: deps.rooms,
      outbound,
      listener,
      mayHear,
      maxRooms: deps.limits.rooms,
    }),
    answer: (type, payload, to) => {
      outbound.answer(writeFrame(type, payload, to?.id))
    },
  }
  return state
}

async function take(deps: ConnectionDeps, state: State, frame: ClientFrame): Promise<void> {
  if (frame.type === 'ping') state.answer('pong', {}, frame)
  else if (frame.type === 'auth') await authenticate(deps, state, frame)
  // Whoever did not say who they are joins nothing, hears nothing and is told no error (spec §6).
  else if (frame.type === 'pong' || state.occupant === null) return
  else if (frame.type === 'subscribe') {
    const room = roomOf(frame)
    await state.attendance.enter(room, cursorOf(frame), (cursor, total) => {
      state.answer('subscribed', { room: roomName(room), total_subscriptions: total, cursor }, frame)
    })
  } else if (frame.type === 'unsubscribe') {
    const room = roomName(roomOf(frame))
    state.answer('unsubscribed', { room, total_subscriptions: state.attendance.leave(room) }, frame)
  } else
    throw new MarketError('VALIDATION_FAILED', {
      field: 'type',
      constraint: 'auth, subscribe, unsubscribe, ping or pong',
      received: frame.type,
    })
}

async function authenticate(deps: ConnectionDeps, state: State, frame: ClientFrame): Promise<void> {
  if (state.occupant !== null)
    throw new MarketError('VALIDATION_FAILED', { field: 'type', constraint: 'one auth frame per connection' })
  cursorOf(frame)
  let given: Occupant
  try {
    given = await deps.authenticate(frame.payload)
  } catch (error) {
    tellError(deps, state, error, frame, 'auth_failed')
    return
  }
  if (state.isOver) {
    given.release()
    return
  }
  state.occupant = given
  let isTold = false
  await settle(state, given, frame, () => {
    isTold = true
  }).catch((error: unknown) => {
    if (isTold || state.isOver) throw error
    // A place to go on from that cannot be read: another frame may come.
    state.occupant = null
    given.release()
    tellError(deps, state, error, frame, 'auth_failed')
  })
}

/** Everybody is in the room of their own wallet. */
async function settle(
  state: State,
  { wallet, via }: Occupant,
  frame: ClientFrame | undefined,
  told: () => void = () => undefined,
): Promise<void> {
  const room: Room = { kind: 'user', wallet }
  await state.attendance.enter(room, frame === undefined ? undefined : cursorOf(frame), (cursor) => {
    told()
    state.answer('auth_success', { user_id: wallet, wallet, via, rooms: [roomName(room)], cursor }, frame)
  })
}

function tellError(
  deps: ConnectionDeps,
  state: State,
  error: unknown,
  frame: ClientFrame | undefined,
  type: 'error' | 'auth_failed' = 'error',
): void {
  const { code, body } = errorAnswer(error, deps.id)
  if (code === 'INTERNAL') deps.onFault(error)
  state.answer(
    type,
    { code, message: body.message, ...(body.details === undefined ? {} : { details: body.details }) },
    frame,
  )
}
