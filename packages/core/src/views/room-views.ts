import type { MarketDeps } from '../flows/deps.ts'
import type { RoomMarket } from '../market-rooms.ts'
import type { EventQuery } from '../ports/store-events.ts'
import type { Room } from '../rooms/room.ts'
import { keptEvents, publicEvents } from './event-views.ts'

export function createRoomViews({ store }: MarketDeps): RoomMarket {
  return {
    taskMembers: (taskId, wallets) => store.taskMembers(taskId, wallets),
    async taskFacts(taskId) {
      const task = await store.task(taskId)
      return task === null
        ? null
        : { taskId, title: task.title, category: task.category, publisherWallet: task.publisherWallet }
    },
    roomEvents: (room, after, limit) => keptEvents(store, queryOf(room), after, limit),
  }
}

function queryOf(room: Room): EventQuery {
  const all = { wallet: null, types: null, taskId: null, category: null }
  switch (room.kind) {
    case 'user':
      return { ...all, wallet: room.wallet }
    case 'task':
      return { ...all, taskId: room.taskId }
    case 'category':
      return { ...all, types: publicEvents, category: room.category }
    case 'global':
      return { ...all, types: publicEvents }
  }
}
