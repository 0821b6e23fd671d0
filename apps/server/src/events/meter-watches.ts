import type { Channel } from '@ergon/core'

/** A channel as it was last read; one object for everybody who watches it. */
export type SeenChannel = { readonly channel: Channel | null; readonly version: number }

export type MeterWatch = Disposable & {
  /** What was read since `version`; waits for it. `quiet`: nothing for a while. `over`: this process ends. */
  next(version: number): Promise<SeenChannel | 'quiet' | 'over'>
  /** Tells what is known now, and then each change as it is read, until this watch is disposed of. */
  follow(told: Told): void
}

type Told = (seen: SeenChannel | 'quiet' | 'over') => void

export type MeterWatches = AsyncDisposable & {
  /** Something was committed: look soon at what anybody watches. Cheap, and may be called as often as one likes. */
  poke(): void
  /** Watches the channel of a task, beginning with how it is known to be. */
  open(taskId: string, channel: Channel | null): MeterWatch
}

export type MeterWatchesDeps = {
  readonly read: (taskIds: readonly string[]) => Promise<readonly Channel[]>
  readonly onError: (error: unknown) => void
  /** Between two looks, at least. */
  readonly gapMs?: number
  /** How often to look without being told. */
  readonly intervalMs?: number
  readonly quietMs?: number
}

type Watched = {
  seen: SeenChannel
  readonly waiting: Set<Told>
  readonly followers: Set<Told>
  open: number
}

/**
 * One look at the database serves everybody who watches anything here: it reads all watched channels in one statement,
 * at most once in `gapMs`, and never once a listener.
 */
export function createMeterWatches({
  read,
  onError,
  gapMs = 40,
  intervalMs = 1_000,
  quietMs = 15_000,
}: MeterWatchesDeps): MeterWatches {
  const watched = new Map<string, Watched>()
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let lookedAt = 0
  let round: Promise<void> | undefined
  let isPoked = false
  let isOver = false

  const schedule = (ms: number): void => {
    const at = performance.now() + ms
    if (isOver || watched.size === 0 || at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(look, ms)
  }
  const look = (): void => {
    dueAt = Number.POSITIVE_INFINITY
    if (round !== undefined || isOver) return
    isPoked = false
    lookedAt = performance.now()
    round = readAll(watched, read)
      .catch(onError)
      .then(() => {
        round = undefined
        schedule(isPoked ? untilNext() : intervalMs)
      })
  }
  const untilNext = (): number => Math.max(0, gapMs - (performance.now() - lookedAt))
  const poke = (): void => {
    isPoked = true
    if (round === undefined) schedule(untilNext())
  }
  const beat = setInterval(() => {
    for (const one of watched.values()) tell(one, 'quiet')
  }, quietMs)
  return {
    poke,
    open(taskId, channel) {
      const one = watched.get(taskId) ?? {
        seen: { channel, version: 0 },
        waiting: new Set(),
        followers: new Set(),
        open: 0,
      }
      watched.set(taskId, one)
      one.open += 1
      // What was committed since it was read is told at once.
      poke()
      return watchOf(
        one,
        () => isOver,
        () => {
          if (one.open === 0) watched.delete(taskId)
        },
      )
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      clearTimeout(timer)
      clearInterval(beat)
      for (const one of watched.values()) tell(one, 'over')
      await round
    },
  }
}

/** Reads all that is watched in one statement, and tells of what changed. */
async function readAll(watched: ReadonlyMap<string, Watched>, read: MeterWatchesDeps['read']): Promise<void> {
  for (const channel of await read([...watched.keys()])) {
    const one = watched.get(channel.taskId)
    if (one === undefined || isSame(one.seen.channel, channel)) continue
    one.seen = { channel, version: one.seen.version + 1 }
    tell(one, one.seen)
  }
}

function watchOf(one: Watched, isOver: () => boolean, onClosed: () => void): MeterWatch {
  const mine: Told[] = []
  return {
    follow(told) {
      if (isOver()) {
        told('over')
        return
      }
      mine.push(told)
      one.followers.add(told)
      told(one.seen)
    },
    next(version) {
      if (isOver()) return Promise.resolve('over')
      if (one.seen.version !== version) return Promise.resolve(one.seen)
      return new Promise((resolve) => {
        one.waiting.add(resolve)
      })
    },
    [Symbol.dispose]: () => {
      for (const told of mine) one.followers.delete(told)
      one.open -= 1
      onClosed()
    },
  }
}

function tell({ waiting, followers }: Watched, answer: SeenChannel | 'quiet' | 'over'): void {
  const all = [...waiting]
  waiting.clear()
  for (const resolve of all) resolve(answer)
  // Whoever is told may leave.
  for (const told of [...followers]) told(answer)
}

/** Whether a reading would show the same. */
function isSame(one: Channel | null, other: Channel): boolean {
  return (
    one?.status === other.status &&
    one.cumulative === other.cumulative &&
    one.vouchers === other.vouchers &&
    one.updatedAt.getTime() === other.updatedAt.getTime()
  )
}
