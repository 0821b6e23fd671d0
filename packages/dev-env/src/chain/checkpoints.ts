import type { NodeSocket } from './node-socket.ts'
import type { StateFiles } from './state-files.ts'

const AT_MOST_EVERY_MS = 1_000
/** A dump grows with the chain: it may take a twentieth of the time, whatever its size. */
const REST_PER_WORK = 19

/** Keeps the state at most a second after a new block; an idle chain costs nothing. */
export async function startCheckpoints(node: NodeSocket, files: StateFiles): Promise<AsyncDisposable> {
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()
  let restMs = AT_MOST_EVERY_MS
  let isStopped = false
  let isDue = false
  const dump = async (): Promise<void> => {
    isDue = false
    const begin = performance.now()
    await files.keep(String(await node.call('anvil_dumpState')))
    restMs = Math.max(AT_MOST_EVERY_MS, (performance.now() - begin) * REST_PER_WORK)
  }
  const schedule = (): void => {
    isDue = true
    if (isStopped || timer !== undefined) return
    timer = setTimeout(() => {
      // A node that went away cannot dump; the launcher tells of its end, and the last copy stays.
      work = dump()
        .catch(() => undefined)
        .then(() => {
          timer = undefined
          if (isDue) schedule()
        })
    }, restMs)
  }
  await node.subscribe('newHeads', schedule)
  return {
    [Symbol.asyncDispose]: async () => {
      isStopped = true
      clearTimeout(timer)
      await work
    },
  }
}
