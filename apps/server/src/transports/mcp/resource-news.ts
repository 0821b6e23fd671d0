import { hearing } from '@ergon/core'
import type { EventListener } from '../../events/event-relay.ts'
import type { ServerEventBus } from '@modelcontextprotocol/server'
import { uriOfTask } from './resources.ts'

/** Hears of every event of this deployment, whichever process made it happen (decision 0062). */
export type Listen = (listener: EventListener) => Disposable

/** Tells a subscriber that a task changed, by what its wallet may hear of; what changed it reads. */
export function createResourceNews(listen: Listen, wallet: string): ServerEventBus {
  return {
    publish: () => undefined, // lists never change while a process runs
    subscribe(tell) {
      const listening = listen((event) => {
        const { taskId } = event
        if (taskId !== null && hearing(event, wallet) !== 'none')
          tell({ kind: 'resource_updated', uri: uriOfTask(taskId) })
      })
      return () => {
        listening[Symbol.dispose]()
      }
    },
  }
}
