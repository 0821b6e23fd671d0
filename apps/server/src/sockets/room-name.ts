import { categories } from '@ergon/contract'
import type { Room } from '@ergon/core'

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
    case 'user':
      return `user:${room.wallet}`
    case 'task':
      return `task:${room.taskId}`
    case 'category':
      return `category:${room.category}`
    case 'global':
      return 'global'
  }
}
