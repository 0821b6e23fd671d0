import type { ServerEventBus } from '@modelcontextprotocol/server'
import type { ListenAs } from '../../events/heard-by.ts'
import type { MeterWatches } from '../../events/meter-watches.ts'
import { uriOfMeter, uriOfTask } from './resources.ts'

/** What a subscriber may be told of: by what its wallet may hear of, and the meters it was let in to. */
export type NewsDeps = { readonly listen: ListenAs; readonly meters: Pick<MeterWatches, 'open'> }

/** Between two tellings of one meter: who is told reads it again, and work may be accepted many times a second. */
const meterGapMs = 1_000

/** Tells a subscriber that a task or a meter changed; what changed it reads. A meter that runs is told of at once. */
export function createResourceNews(
  { listen, meters }: NewsDeps,
  wallet: string,
  metered: readonly string[],
): ServerEventBus {
  return {
    publish: () => undefined, // lists never change while a process runs
    subscribe(tell) {
      const updated = (uri: string): void => {
        tell({ kind: 'resource_updated', uri })
      }
      const ends = new DisposableStack()
      ends.use(
        listen(wallet, ({ taskId }) => {
          if (taskId !== null) updated(uriOfTask(taskId))
        }),
      )
      for (const taskId of metered) {
        const pace = ends.use(
          paced(() => {
            updated(uriOfMeter(taskId))
          }),
        )
        ends.use(meters.open(taskId, null)).follow((seen) => {
          if (seen !== 'quiet' && seen !== 'over' && seen.channel !== null) pace.ring()
        })
      }
      return () => {
        ends.dispose()
      }
    },
  }
}

/** Tells at once, and of whatever comes within the gap at its end. */
function paced(tell: () => void): Disposable & { ring(): void } {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  const ring = (): void => {
    if (timer !== undefined) {
      isDue = true
      return
    }
    tell()
    timer = setTimeout(() => {
      timer = undefined
      if (!isDue) return
      isDue = false
      ring()
    }, meterGapMs)
  }
  return {
    ring,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
    },
  }
}
