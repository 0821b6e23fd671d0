import { setTimeout as pause } from 'node:timers/promises'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export type LeftBehindOptions = {
  /** Runs in a round. */
  readonly times: number
  /** What is given time to end by itself before the heap is measured; 0 when left out. */
  readonly restMs?: number
}

const rounds = 3

/**
 * How many bytes of the heap of this thread each run leaves behind, after a round that warms everything up. Of several
 * rounds the least counts: what is left by each run is left in every round, and what a platform keeps for itself now
 * and then is not.
 */
export async function leftBehind(
  { times, restMs = 0 }: LeftBehindOptions,
  run: (index: number) => Promise<unknown>,
): Promise<number> {
  const grown: number[] = []
  for (let round = 0, before = Number.NaN; round <= rounds; round += 1) {
    for (let index = 0; index < times; index += 1) await run(round * times + index)
    if (restMs > 0) await pause(restMs)
    const after = await heapBytes()
    if (round > 0) grown.push((after - before) / times)
    before = after
  }
  return Math.min(...grown)
}

/** What is used once all that can be collected was; what a finalizer lets go of is collected after it ran. */
async function heapBytes(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    collect()
    await pause(10)
  }
  return getHeapStatistics().used_heap_size
}

let given: (() => void) | undefined

function collect(): void {
  if (given === undefined) {
    setFlagsFromString('--expose-gc')
    given = runInNewContext('gc') as () => void // what the flag names
  }
  given()
}
