import type { EventData, EventName, events as catalogue } from '@ergon/contract'
import { roomNames } from '@ergon/contract/wire'
import type { Input } from '../client.ts'

type Category = NonNullable<NonNullable<Input<'events.list'>>['category']>
/** Where events are told (spec §6). The room of the own wallet is always entered. */
export type LiveRoom = `user:0x${string}` | `task:${string}` | `category:${Category}` | 'global'

type RoomName<N extends EventName> = (typeof catalogue)[N]['room']
/** Events as rooms name them: several of the stream may share one name. */
export type LiveEventName = RoomName<EventName>

/** What is told to one wallet in words, besides the event it is about. */
export type LiveNotice = {
  readonly notification_id: string
  readonly type: string
  readonly title: string
  readonly message: string
  readonly task_id: string | null
}

type DataOf<R extends LiveEventName> =
  | { [N in EventName]: RoomName<N> extends R ? EventData<N> : never }[EventName]
  | (R extends 'NotificationNew' ? LiveNotice : never)

/** Something that happened, told the moment it was committed. */
export type LiveEvent = {
  readonly [R in LiveEventName]: {
    /** The same on every channel, however often it is told. */
    readonly id: string
    readonly event: R
    readonly created_at: string
    readonly data: DataOf<R>
    /** Where to go on once this was dealt with: nothing behind it is missed. */
    readonly cursor: string
  }
}[LiveEventName]

/** What the service says over a socket. */
export type ServerFrame = {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly id: string
  readonly timestamp: string
  readonly cursor: string | undefined
}

/** Undefined for what is no frame. */
export function readServerFrame(text: unknown): ServerFrame | undefined {
  if (typeof text !== 'string') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { type, payload, id, timestamp, cursor } = fields(value)
  if (typeof type !== 'string' || typeof id !== 'string' || typeof timestamp !== 'string') return undefined
  return { type, payload: fields(payload), id, timestamp, cursor: typeof cursor === 'string' ? cursor : undefined }
}

/** An event out of the two wrappers of spec §6. */
export function liveEventOf({ id, payload, timestamp }: ServerFrame, cursor: string): LiveEvent {
  // The catalogue of the contract says what each name carries; a newer service may name another, and then data is open.
  return {
    id,
    event: payload['event'],
    created_at: timestamp,
    data: fields(payload['payload']),
    cursor,
  } as unknown as LiveEvent
}

/** An event of the stream as its room would have told it. */
export function liveEventOfStream(
  {
    id,
    type,
    created_at,
    data,
  }: { readonly id: string; readonly type: string; readonly created_at: string; readonly data: unknown },
  cursor: string,
): LiveEvent {
  const names: Readonly<Record<string, string | undefined>> = roomNames
  // As above: the catalogue says it.
  return { id, event: names[type] ?? type, created_at, data, cursor } as unknown as LiveEvent
}

/** The members of an object, and none of anything else. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  // Members stay unknown until each is looked at.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
