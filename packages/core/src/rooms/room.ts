import { categories, type Category } from '@ergon/contract'
import type { RecordedEvent } from '../ports/store-events.ts'
import { publicEvents } from '../views/event-views.ts'

/** Where somebody listens: what concerns a wallet, one task, the open market of a category, or all of it. */
export type Room =
  | { readonly kind: 'user'; readonly wallet: string }
  | { readonly kind: 'task'; readonly taskId: string }
  | { readonly kind: 'category'; readonly category: Category }
  | { readonly kind: 'global' }

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the name of a room; ids and wallets in any case. Undefined for what is no room. */
export function readRoom(name: string): Room | undefined {
  if (name === 'global') return { kind: 'global' }
  const mark = name.indexOf(':')
  const [kind, rest] = [name.slice(0, mark), name.slice(mark + 1).toLowerCase()]
  if (mark > 0 && kind === 'user' && /^0x[0-9a-f]{40}$/.test(rest)) return { kind, wallet: rest }
  if (mark > 0 && kind === 'task' && uuid.test(rest)) return { kind, taskId: rest }
  const category = mark > 0 && kind === 'category' ? categories.find((one) => one === rest) : undefined
  return category === undefined ? undefined : { kind: 'category', category }
}

export function roomName(room: Room): string {
  switch (room.kind) {
    case 'user': return `user:${room.wallet}`
    case 'task': return `task:${room.taskId}`
    case 'category': return `category:${room.category}`
    case 'global': return 'global'
  }
}

/**
 * Whether a wallet may hear of an event at all: as a party of it, as everybody may, or, in the room of a task, as long
 * as the wallet belongs to that task. What concerns the parties alone is for them alone, applicants included.
 */
export function hearing(event: Pick<RecordedEvent, 'type' | 'wallets'>, wallet: string): 'party' | 'public' | 'none' {
  if (event.wallets.includes(wallet)) return 'party'
  return publicEvents.includes(event.type) ? 'public' : 'none'
}

export function isPublic(event: Pick<RecordedEvent, 'type'>): boolean {
  return publicEvents.includes(event.type)
}
