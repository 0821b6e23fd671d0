import { cutText, MarketError, type EventPlace, type Room } from '@ergon/core'
import type { ClientFrame } from './frames.ts'
import { readRoom } from './room-name.ts'

/** One room a frame; there is no array of topics (spec §6). @throws VALIDATION_FAILED, UNKNOWN_FIELD */
export function roomOf({ payload }: ClientFrame): Room {
  const foreign = Object.keys(payload).find((key) => key !== 'room' && key !== 'cursor')
  if (foreign !== undefined) throw new MarketError('UNKNOWN_FIELD', { field: cutText(foreign, 100) })
  const { room: name } = payload as { readonly room?: unknown } // checked below
  const room = typeof name === 'string' ? readRoom(name) : undefined
  if (room === undefined)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'room',
      constraint: 'user:<wallet>, task:<task_id>, category:<category> or global',
    })
  return room
}

/** @throws VALIDATION_FAILED */
export function cursorOf({ payload }: ClientFrame): EventPlace | undefined {
  const { cursor } = payload as { readonly cursor?: unknown } // checked below
  if (cursor === undefined || cursor === null) return undefined
  if (typeof cursor !== 'string' || cursor.length > 60)
    throw new MarketError('VALIDATION_FAILED', { field: 'cursor', constraint: 'the cursor of a frame' })
  return cursor
}
