import { randomUUID } from 'node:crypto'
import { events as catalogue } from '@ergon/contract'
import type { Notice, RecordedEvent } from '@ergon/core'

/** What a client says. `id` is its own word for the frame; the answer carries the same. */
export type ClientFrame = {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly id: string | undefined
}

export type ServerFrameType =
  'welcome' | 'auth_success' | 'auth_failed' | 'subscribed' | 'unsubscribed' | 'ping' | 'pong' | 'error'

/** Something that is said to many: written down once, told apart by its id. */
export type Said = { readonly id: string; readonly bytes: Buffer }

/** Undefined for what is no frame at all. */
export function readFrame(text: string): ClientFrame | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const {
    type,
    payload = {},
    id,
  } = value as { readonly type?: unknown; readonly payload?: unknown; readonly id?: unknown } // each is checked below
  if (typeof type !== 'string' || type.length > 40 || !isObject(payload)) return undefined
  return { type, payload, id: typeof id === 'string' && id.length <= 100 ? id : undefined }
}

export function writeFrame(type: ServerFrameType, payload: Readonly<Record<string, unknown>>, id?: string): string {
  return JSON.stringify({ type, payload, id: id ?? randomUUID(), timestamp: new Date().toISOString() })
}

/** An event in the two wrappers of spec §6; id and cursor are the stream's. */
export function sayEvent(event: RecordedEvent): Said {
  const frame = {
    type: 'event',
    payload: { event: catalogue[event.type].room, payload: event.data },
    id: event.id,
    timestamp: event.at.toISOString(),
    cursor: event.place,
  }
  return { id: event.id, bytes: Buffer.from(JSON.stringify(frame)) }
}

/** Goes before its event and has no cursor: whoever goes on from a cursor hears of both again, under the same ids. */
export function sayNotice(notice: Notice): Said {
  const payload = {
    notification_id: notice.id,
    type: notice.kind,
    title: notice.title,
    message: notice.message,
    task_id: notice.taskId,
  }
  const frame = {
    type: 'event',
    payload: { event: 'NotificationNew', payload },
    id: notice.id,
    timestamp: notice.at.toISOString(),
  }
  return { id: notice.id, bytes: Buffer.from(JSON.stringify(frame)) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
