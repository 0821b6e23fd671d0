import type { ListenAs } from '../../events/heard-by.ts'
import type { ServerEventBus } from '@modelcontextprotocol/server'
import { uriOfTask } from './resources.ts'

/** Tells a subscriber that a task changed, by what its wallet may hear of; what changed it reads. */
export function createResourceNews(listen: ListenAs, wallet: string): ServerEventBus {
  return {
    publish: () => undefined, // lists never change while a process runs
    subscribe(tell) {
      const listening = listen(wallet, ({ taskId }) => {
        if (taskId !== null) tell({ kind: 'resource_updated', uri: uriOfTask(taskId) })
      })
      return () => {
        listening[Symbol.dispose]()
      }
    },
  }
}
