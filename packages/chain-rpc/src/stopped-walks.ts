import type { ChainLog } from './chain-log.ts'

/** What a walk has seen: every log that matches from the block `low` to the block `top`, in the order of the chain. */
export type Walked = { readonly low: bigint; readonly top: bigint; readonly logs: readonly ChainLog[] }

/** What an earlier walk saw in the newest blocks may have been undone since, on any network. */
const mayBeUndone = 256n
/** Bounds of the memory: walks that are remembered, and logs of all of them. */
const maxWalks = 1_000
const maxLogs = 20_000

/** Where walks have stopped, by what they look for. What was kept or found longest ago is forgotten first. */
export type StoppedWalks = {
  find(key: string): Walked | undefined
  /** With what is known below it, so that of two walks at a time neither undoes what the other came by. */
  keep(key: string, walked: Walked): void
  forget(key: string): void
}

export function createStoppedWalks(): StoppedWalks {
  const walks = new Map<string, Walked>()
  let logs = 0
  const forget = (key: string): void => {
    logs -= walks.get(key)?.logs.length ?? 0
    walks.delete(key)
  }
  const put = (key: string, walked: Walked): void => {
    forget(key)
    walks.set(key, walked)
    logs += walked.logs.length
    for (const oldest of walks.keys()) {
      if (walks.size <= maxWalks && logs <= maxLogs) return
      forget(oldest)
    }
  }
  return {
    find(key) {
      const walked = walks.get(key)
      if (walked !== undefined) put(key, walked)
      return walked
    },
    keep(key, walked) {
      put(key, joined(walked, walks.get(key)) ?? walked)
    },
    forget,
  }
}

/** The newer walk, and what the earlier one saw below it; undefined as long as there may be a gap between the two. */
export function joined(newer: Walked, earlier: Walked | undefined): Walked | undefined {
  if (earlier === undefined || newer.low + mayBeUndone > earlier.top) return undefined
  const below = earlier.logs.filter(({ blockNumber }) => blockNumber < newer.low)
  const low = earlier.low < newer.low ? earlier.low : newer.low
  return { low, top: newer.top, logs: [...below, ...newer.logs] }
}
