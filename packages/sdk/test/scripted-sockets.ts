import type { ConnectEventsOptions } from '../src/index.ts'

type SocketConstructor = NonNullable<ConnectEventsOptions['WebSocket']>
type SocketLike = InstanceType<SocketConstructor>
type Frame = { readonly type: string; readonly payload: Readonly<Record<string, unknown>>; readonly id: string }

export const ownRoom = 'user:0x1'
/** One event of the log, and the rooms it is told in. */
export type Logged = { readonly place: number; readonly rooms: readonly string[] }
/** What becomes of one connection: how much happened before it, and after how many frames it is cut. */
export type Fate = { readonly before: number; readonly frames: number }

/** A service with a log of events, whose connections end as the test wants; the last is left alone. */
export function scriptedSockets(
  log: readonly Logged[],
  fates: readonly Fate[],
): { readonly WebSocket: SocketConstructor; readonly subscribed: readonly Readonly<Record<string, unknown>>[] } {
  const subscribed: Readonly<Record<string, unknown>>[] = []
  let connections = 0
  let happened = 0

  class Scripted implements SocketLike {
    readonly #listeners = new Map<string, ((event: never) => void)[]>()
    readonly #fate = fates[connections]
    readonly #rooms = new Set<string>()
    readonly #told = new Set<number>()
    #frames = 0
    #isOpen = true
    #isHeard = false
    #isKnown = false

    constructor() {
      connections += 1
      happened = Math.min(log.length, happened + (this.#fate?.before ?? 0))
      // Not at once, as on every network.
      setImmediate(() => {
        this.#isHeard = true
        this.#say('welcome', { authenticated: false })
      })
    }

    addEventListener(type: string, listener: (event: never) => void): void {
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
    }

    close(): void {
      this.#isOpen = false
      queueMicrotask(() => {
        this.#emit('close', {})
      })
    }

    send(text: string): void {
      if (!this.#isHeard) throw new DOMException('it is still connecting', 'InvalidStateError')
      const { type, payload, id } = JSON.parse(text) as Frame // the client under test sends frames alone
      this.#isKnown ||= type === 'auth'
      if (!this.#isKnown) throw new Error(`${type} before the caller is known`)
      queueMicrotask(() => {
        if (type === 'auth') this.#say('auth_success', { rooms: [ownRoom] })
        else if (type === 'ping') this.#goOn(id)
        else if (type === 'subscribe') this.#enter(String(payload['room']), Number(payload['cursor']), id)
      })
    }

    #enter(room: string, after: number, id: string): void {
      subscribed.push({ connection: connections, room, after })
      this.#rooms.add(room)
      this.#say('subscribed', { room }, id)
      for (const event of log.slice(0, happened))
        if (event.place > after && event.rooms.includes(room)) this.#tell(event)
    }

    /** The past was told; now things happen. */
    #goOn(id: string): void {
      this.#say('pong', {}, id)
      while (this.#isOpen && happened < log.length) {
        const event = log[happened]
        happened += 1
        if (event?.rooms.some((room) => this.#rooms.has(room)) === true) this.#tell(event)
      }
    }

    #tell({ place }: Logged): void {
      if (this.#told.has(place)) return
      this.#told.add(place)
      this.#say(
        'event',
        { event: 'TaskUpdated', payload: { task_id: String(place) } },
        `event-${String(place)}`,
        String(place),
      )
    }

    #say(type: string, payload: Readonly<Record<string, unknown>>, id = 'any', cursor?: string): void {
      if (!this.#isOpen) return
      if (this.#fate !== undefined && this.#frames >= this.#fate.frames) {
        this.close()
        return
      }
      this.#frames += 1
      this.#emit('message', {
        data: JSON.stringify({
          type,
          payload,
          id,
          timestamp: '2026-11-21T00:00:00Z',
          ...(cursor === undefined ? {} : { cursor }),
        }),
      })
    }

    #emit(type: string, event: object): void {
      // Each platform has an event type of its own.
      for (const listener of this.#listeners.get(type) ?? []) listener(event as never)
    }
  }
  return { WebSocket: Scripted, subscribed }
}
