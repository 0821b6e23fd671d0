import type { EventListener } from '../../events/event-relay.ts'
import type { ServerEventBus } from '@modelcontextprotocol/server'
import { uriOfTask } from './resources.ts'

/** Hears of every event of this deployment, whichever process made it happen (decision 0062). */
export type Listen = (listener: EventListener) => Disposable

/** Tells subscribers that a task changed; what changed they read, as whoever they are. */
export function createResourceNews(listen: Listen): ServerEventBus {
  return {
    publish: () => undefined, // lists never change while a process runs
    subscribe(tell) {
      const listening = listen(({ taskId }) => {
        if (taskId !== null) tell({ kind: 'resource_updated', uri: uriOfTask(taskId) })
      })
      return () => {
        listening[Symbol.dispose]()
      }
    },
  }
}
