import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { Client, type buildConnector } from 'undici'
import type { GuardedTarget } from './guarded-target.ts'

/** A connection to one address under one name; one exchange at a time. */
export type KeptConnection = {
  readonly client: Client
  readonly key: string
  /** It has carried an exchange to its end: when it breaks now, the other end may have closed it while it was idle. */
  isUsed: boolean
  /** Ends it, though it be still on its way to the other end. */
  cutOff(): void
}

export type KeptConnections = Disposable & {
  /** At once, or in turn when as many as are allowed are in use. */
  take(target: GuardedTarget): KeptConnection | Promise<KeptConnection>
  /** Keeps it for the next one. */
  giveBack(connection: KeptConnection): void
  /** Cuts it off, with whatever it carries. */
  drop(connection: KeptConnection, why: Error): void
}

export type ConnectionLimits = {
  readonly perHost: number
  /** Connections that are kept for later, to all hosts together. */
  readonly idle: number
  readonly idleMs: number
}

type Host = {
  readonly target: GuardedTarget
  inUse: number
  readonly idle: KeptConnection[]
  readonly waiting: ((connection: KeptConnection) => void)[]
}

/** Connections are found again by address and name, so one that was made to another address is never used. */
export function createKeptConnections(limits: ConnectionLimits): KeptConnections {
  const hosts = new Map<string, Host>()
  const open = new Set<KeptConnection>()
  let idle = 0

  const close = (connection: KeptConnection, why: Error | null): void => {
    open.delete(connection)
    connection.client.destroy(why).catch(() => undefined) // what it carried is told of it by itself
    connection.cutOff()
  }
  const forgetUnused = (key: string, host: Host): void => {
    if (host.inUse === 0 && host.idle.length === 0 && hosts.get(key) === host) hosts.delete(key)
  }
  const onDisconnect = (connection: KeptConnection): void => {
    const host = hosts.get(connection.key)
    const place = host?.idle.indexOf(connection) ?? -1
    if (host === undefined || place < 0) return
    host.idle.splice(place, 1)
    idle -= 1
    close(connection, null)
    forgetUnused(connection.key, host)
  }
  const make = (key: string, target: GuardedTarget): KeptConnection => {
    const connection = openConnection(key, target, limits.idleMs)
    open.add(connection)
    connection.client.on('disconnect', () => void onDisconnect(connection))
    return connection
  }
  return {
    take(target) {
      const key = keyOf(target)
      const host = hosts.get(key) ?? { target, inUse: 0, idle: [], waiting: [] }
      hosts.set(key, host)
      if (host.inUse >= limits.perHost) return new Promise((resolve) => void host.waiting.push(resolve))
      host.inUse += 1
      const kept = host.idle.pop()
      if (kept !== undefined) idle -= 1
      return kept ?? make(key, target)
    },
    giveBack(connection) {
      const host = hosts.get(connection.key)
      if (host === undefined || passOn(host, () => connection)) return
      host.inUse -= 1
      if (idle < limits.idle) {
        host.idle.push(connection)
        idle += 1
      } else close(connection, null)
      forgetUnused(connection.key, host)
    },
    drop(connection, why) {
      close(connection, why)
      const host = hosts.get(connection.key)
      if (host === undefined || passOn(host, () => make(connection.key, host.target))) return
      host.inUse -= 1
      forgetUnused(connection.key, host)
    },
    [Symbol.dispose]() {
      for (const connection of [...open]) close(connection, null)
      hosts.clear()
    },
  }
}

/** Whether a waiting exchange took the connection's place. */
function passOn(host: Host, connection: () => KeptConnection): boolean {
  const turn = host.waiting.shift()
  turn?.(connection())
  return turn !== undefined
}

const keyOf = ({ isSecure, address, port, authority }: GuardedTarget): string =>
  `${isSecure ? 's' : 'p'} ${address} ${String(port)} ${authority}`

/**
 * Connects to the very address that was looked at, whatever the client makes of names; the certificate must bear the
 * name.
 */
function openConnection(
  key: string,
  { isSecure, address, port, serverName }: GuardedTarget,
  idleMs: number,
): KeptConnection {
  let socket: Socket | undefined
  const connect: buildConnector.connector = (_options, done) => {
    const made = isSecure
      ? connectSecure({ host: address, port, servername: serverName, ALPNProtocols: ['http/1.1'] })
      : connectPlain({ host: address, port })
    socket = made
    let isMade = false
    // It listens for good: between being made and being used a connection may fail as well.
    made.setNoDelay(true).on('error', (error: Error) => {
      if (!isMade) done(error, null)
    })
    made.once(isSecure ? 'secureConnect' : 'connect', () => {
      isMade = true
      connection.isUsed = false
      done(null, made)
    })
  }
  const origin = `${isSecure ? 'https' : 'http'}://${address.includes(':') ? `[${address}]` : address}:${String(port)}`
  // An exchange has one deadline, and it is not kept here.
  const client = new Client(origin, {
    connect,
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  })
  const connection: KeptConnection = {
    key,
    client,
    isUsed: false,
    cutOff() {
      socket?.destroy()
    },
  }
  return connection
}
