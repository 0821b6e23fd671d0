import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { MarketError, type Notifier, type RecordedEvent } from '@ergon/core'
import { WebSocketServer, type WebSocket } from 'ws'
import type { AttendanceMarket } from './attendance.ts'
import type { FrameOrigin } from './auth-frame.ts'
import { createConnection, type Occupant } from './connection.ts'
import { createOccupants, type OccupantDeps, type Occupants, type Person } from './occupants.ts'
import { attach, bidFarewell, lookAfter, wireOf, type OpenSocket } from './open-socket.ts'
import { createRooms } from './rooms.ts'
import { createAddressSeats, createSeats, type Seats } from '../dispatch/seats.ts'

export type SocketLimits = {
  readonly connections: number
  /** Of one wallet. */
  readonly connectionsEach: number
  /** Of one address, whatever wallets it has. */
  readonly connectionsPerAddress: number
  /** Connections of one address that did not say yet who they are. */
  readonly strangersEach: number
  readonly rooms: number
  readonly frames: number
  readonly framesMs: number
  readonly bufferedBytes: number
  readonly payloadBytes: number
  readonly pingMs: number
  readonly deadMs: number
  readonly authMs: number
}

/** The shape of spec §6 where it is silent (decision 0066). */
export const socketLimits: SocketLimits = {
  connections: 500,
  connectionsEach: 5,
  connectionsPerAddress: 100,
  strangersEach: 50,
  rooms: 50,
  frames: 100,
  framesMs: 60_000,
  bufferedBytes: 512 * 1024,
  payloadBytes: 64 * 1024,
  pingMs: 30_000,
  deadMs: 90_000,
  authMs: 10_000,
}

export type SocketsDeps = Omit<OccupantDeps, 'connectionsEach'> & {
  readonly market: AttendanceMarket
  readonly limits: SocketLimits
  readonly onFault: (error: unknown) => void
}

export type SocketStats = {
  readonly connections: number
  readonly authenticated: number
  readonly rooms: number
  readonly wallets: number
}

/** A place that is taken and not yet spoken from. */
type Seat = Disposable & {
  /** What it answers completes the upgrade. @throws RATE_LIMITED, WALLET_BLOCKED */
  admit(person: Person | null): (request: IncomingMessage, head: Buffer) => void
}

export type Sockets = AsyncDisposable & {
  /**
   * Takes a seat for a connection, which owns it: it is free when the connection ends, whatever was waited for then.
   * @throws SERVICE_BUSY, RATE_LIMITED; also when the connection has ended already
   */
  seat(from: FrameOrigin, socket: Duplex): Seat
  publish(event: RecordedEvent): void
  /** Tells the sockets of a wallet in this process. */
  readonly notifier: Notifier
  stats(): SocketStats
}

const plainUpgrades = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  // Nothing that a client may name is spoken here; by itself the library agrees to the first name.
  handleProtocols: () => false as const,
} as const

/** Every socket of this process. */
export function createSockets(deps: SocketsDeps): Sockets {
  const { limits, market, onFault } = deps
  const server = new WebSocketServer({ ...plainUpgrades, maxPayload: limits.payloadBytes })
  const rooms = createRooms({ market, onError: onFault })
  const occupants = createOccupants({ ...deps, connectionsEach: limits.connectionsEach })
  const seats = createSeats(limits.connections, limits.connections)
  const addresses = createAddressSeats(limits.connections, limits.connectionsPerAddress)
  const strangers = createSeats(Number.MAX_SAFE_INTEGER, limits.strangersEach)
  const open = new Set<OpenSocket>()
  const beat = setInterval(() => {
    for (const one of open) lookAfter(one, limits.deadMs, onFault)
  }, limits.pingMs)
  let isStopped = false

  const welcome = (socket: WebSocket, from: FrameOrigin, occupant: Occupant | null, introduced: () => void): void => {
    const authenticate = async (payload: Readonly<Record<string, unknown>>): Promise<Occupant> => {
      const known = await occupants.prove(payload, from)
      introduced()
      return known
    }
    const connection = createConnection({
      id: randomUUID(),
      wire: wireOf(socket),
      market,
      rooms,
      occupant,
      limits,
      onFault,
      authenticate,
    })
    const one: OpenSocket = { socket, connection, heardAt: performance.now() }
    const overdue = setTimeout(() => {
      if (!connection.isKnown()) bidFarewell(socket, 1008, 'an auth frame comes first')
    }, limits.authMs)
    open.add(one)
    attach(one, () => {
      clearTimeout(overdue)
      open.delete(one)
    })
    connection.begin()
  }
  const enter: Entrance['enter'] = ({ request, head, socket }, from, occupant, introduced) => {
    server.handleUpgrade(request, socket, head, (client) => {
      welcome(client, from, occupant, introduced)
    })
  }
  return {
    seat(from, socket) {
      if (isStopped || socket.destroyed) throw new MarketError('SERVICE_BUSY')
      return takeSeat({ seats, addresses, strangers, occupants, isStopped: () => isStopped, enter }, from, socket)
    },
    publish: (event) => {
      rooms.publish(event)
    },
    notifier: rooms.notifier,
    stats: () => ({
      connections: open.size,
      authenticated: [...open].filter(({ connection }) => connection.isKnown()).length,
      rooms: rooms.count(),
      wallets: occupants.wallets,
    }),
    async [Symbol.asyncDispose]() {
      isStopped = true
      clearInterval(beat)
      await closeAll(open)
    },
  }
}

async function closeAll(open: Iterable<OpenSocket>): Promise<void> {
  await Promise.all(
    [...open].map(
      ({ socket }) =>
        new Promise<void>((resolve) => {
          socket.once('close', () => {
            resolve()
          })
          bidFarewell(socket, 1001, 'the service restarts; go on from the last cursor')
        }),
    ),
  )
}

type Entrance = {
  readonly seats: Seats
  readonly addresses: Pick<Seats, 'take'>
  readonly strangers: Seats
  readonly occupants: Occupants
  readonly isStopped: () => boolean
  readonly enter: (
    upgrade: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    from: FrameOrigin,
    occupant: Occupant | null,
    introduced: () => void,
  ) => void
}

/** Everything that a connection holds is given back when it ends, whatever was waited for then. */
function takeSeat(
  { seats, addresses, strangers, occupants, isStopped, enter }: Entrance,
  from: FrameOrigin,
  socket: Duplex,
): Seat {
  const owned = new DisposableStack()
  const release = (): void => {
    owned.dispose()
  }
  try {
    owned.defer(seats.take('all'))
    owned.defer(addresses.take(from.ip))
  } catch (error) {
    release()
    throw error
  }
  socket.once('close', release)
  return {
    [Symbol.dispose]: release,
    admit(person) {
      if (isStopped() || owned.disposed) throw new MarketError('SERVICE_BUSY')
      const introduced = person === null ? strangers.take(from.ip) : (): void => undefined
      owned.defer(introduced)
      const occupant = person === null ? null : occupants.seat(person)
      if (occupant !== null)
        owned.defer(() => {
          occupant.release()
        })
      return (request, head) => {
        enter({ request, socket, head }, from, occupant, introduced)
      }
    },
  }
}
