import type { EventName } from '@ergon/contract'

/** How far the event stream has been read; opaque outside the store, and stable for as long as events are kept. */
export type EventPlace = string

/** An event as it was recorded, with the same id on every channel that carries it. */
export type RecordedEvent = {
  readonly id: string
  readonly type: EventName
  readonly taskId: string | null
  readonly at: Date
  readonly data: Readonly<Record<string, unknown>>
  readonly place: EventPlace
  /** Whose feed it is in. */
  readonly wallets: readonly string[]
}

/** What happens to a task in public; everything else concerns its parties alone. */
export const publicEvents: readonly EventName[] = [
  'task.created',
  'task.updated',
  'task.cancelled',
  'task.expired',
  'task.completed',
]

/** Whether everybody may hear of it; what becomes of an order begins between its parties (spec §1.7). */
export function isPublic({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): boolean {
  return publicEvents.includes(type) && data['listing_id'] === undefined
}

/** What a reader of the stream asks for. */
export type EventQuery = {
  /** Only what is in this wallet's feed; null asks for any of `types`. */
  readonly wallet: string | null
  readonly types: readonly EventName[] | null
  readonly taskId: string | null
  readonly category: string | null
  /** Only what everybody may hear of. */
  readonly publicOnly?: true
  /** What everybody may hear of as well, beside what is in the feed of `wallet`. */
  readonly orPublic?: true
}

/** Whether a reader asks for an event, as far as the event itself tells: the category is its task's. */
export function concerns(
  { wallet, types, taskId, publicOnly, orPublic }: Omit<EventQuery, 'category'>,
  event: RecordedEvent,
): boolean {
  return (
    (wallet === null || event.wallets.includes(wallet) || (orPublic === true && isPublic(event))) &&
    (types === null || types.includes(event.type)) &&
    (taskId === null || event.taskId === taskId) &&
    (publicOnly !== true || isPublic(event))
  )
}
