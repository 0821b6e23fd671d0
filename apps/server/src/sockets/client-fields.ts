import { MarketError, type EventPlace, type Room } from '@ergon/core'
import { likelyNames } from '../dispatch/likely-names.ts'
import { unknownFields } from '../dispatch/unknown-fields.ts'
import type { ClientFrame } from './frames.ts'
import { readRoom } from './room-name.ts'

const known = ['room', 'cursor']

/** One room a frame; there is no array of topics (spec §6). @throws VALIDATION_FAILED, UNKNOWN_FIELD */
export function roomOf({ payload }: ClientFrame): Room {
  const unknown = Object.keys(payload).filter((key) => !known.includes(key))
  if (unknown.length > 0)
    throw unknownFields({
      unknown: unknown.slice(0, 20),
      meant: likelyNames(unknown.slice(0, 20), known),
      missing: 'room' in payload ? [] : ['room'],
    })
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
