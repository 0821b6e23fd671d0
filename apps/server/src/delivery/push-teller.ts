import type { PushConfigs } from '@ergon/core'
import type { EventRelay } from '../events/event-relay.ts'

const gatherMs = 50

/** Tells push configurations that something happened to their tasks, once for all events of a moment. */
export function createPushTeller(
  relay: Pick<EventRelay, 'subscribe'>,
  configs: Pick<PushConfigs, 'tell'>,
  onError: (error: unknown) => void,
): AsyncDisposable {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()
  const tell = (): void => {
    timer = undefined
    const taskIds = [...gathered]
    gathered.clear()
    telling = telling.then(() => configs.tell(taskIds)).catch(onError)
  }
  const subscription = relay.subscribe(({ taskId }) => {
    if (taskId === null) return
    gathered.add(taskId)
    timer ??= setTimeout(tell, gatherMs)
  })
  return {
    async [Symbol.asyncDispose]() {
      subscription[Symbol.dispose]()
      if (timer !== undefined) {
        clearTimeout(timer)
        tell()
      }
      await telling
    },
  }
}
