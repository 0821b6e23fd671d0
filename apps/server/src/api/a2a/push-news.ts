import { isA2aFinal } from '@ergon/contract'
import { MarketError, type Market, type WalletCaller } from '@ergon/core'
import type { PushNews } from '../../events/push-news.ts'
import { presentEvent } from '../present/event.ts'
import { stateAfter } from './follow.ts'
import { a2aStateOfStanding, filterFor, standingUnread, statusOf, type TaskObject } from './task-object.ts'

/**
 * What a wallet has not heard of a task yet: one Task for each event, as its streams would show it, without the
 * evidence.
 */
export function createPushNews(market: Pick<Market, 'readTask' | 'submissions' | 'events'>): PushNews {
  return async ({ wallet, taskId, place }, most) => {
    const caller: WalletCaller = { kind: 'wallet', wallet, agentId: null, via: 'signature' }
    try {
      const standing = await standingUnread(market, caller, taskId)
      const page = await market.events(caller, filterFor(standing), place, most)
      let state = a2aStateOfStanding(standing)
      const updates = page.events.map((event) => {
        state = stateAfter(event, standing, state)
        const task: TaskObject = {
          kind: 'task',
          id: taskId,
          contextId: taskId,
          status: statusOf(taskId, state, event.at, event.id, [{ kind: 'data', data: { ...presentEvent(event) } }]),
        }
        return { id: event.id, place: event.place, body: JSON.stringify(task) }
      })
      return { updates, place: page.place, isOver: isA2aFinal(state) && !page.hasMore, hasMore: page.hasMore }
    } catch (error) {
      if (
        error instanceof MarketError &&
        (error.code === 'TASK_NOT_FOUND' || error.code === 'TASK_GONE' || error.code === 'FORBIDDEN')
      )
        return null
      throw error
    }
  }
}
