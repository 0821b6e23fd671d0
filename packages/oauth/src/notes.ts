/** What is told again and again, and written now and then. */
export type Notes<T> = AsyncDisposable & {
  /** Returns at once; whatever becomes of the note, the call that brought it goes on. */
  note(key: string, item: T): void
}

export type NotesDeps<T> = {
  /** Writes several at once. */
  readonly write: (items: readonly T[]) => Promise<void>
  /** Milliseconds that only go on. */
  readonly elapsedMs: () => number
  /** A write failed; what it held comes again with a call after a minute. */
  readonly onError: (error: unknown) => void
}

const everyMs = 60_000
const most = { known: 20_000, waiting: 5_000, atOnce: 500 }

/**
 * Each key is written once a minute at the most. One write runs at a time, and takes along what came while the one
 * before it ran: however many calls come, there is one statement under way. What is too much is left for a later call.
 */
export function createNotes<T>({ write, elapsedMs, onError }: NotesDeps<T>): Notes<T> {
  const told = new Map<string, number>()
  const waiting = new Map<string, T>()
  let turn: Promise<void> | undefined
  const go = async (): Promise<void> => {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, most.atOnce)
      for (const [key] of batch) waiting.delete(key)
      await write(batch.map(([, item]) => item)).catch(onError)
    }
    turn = undefined
  }
  return {
    note(key, item) {
      const at = elapsedMs()
      const last = told.get(key)
      if ((last !== undefined && at - last < everyMs) || waiting.size >= most.waiting) return
      told.delete(key)
      told.set(key, at)
      const oldest = told.size > most.known ? told.keys().next() : undefined
      if (oldest?.done === false) told.delete(oldest.value)
      waiting.set(key, item)
      turn ??= go()
    },
    async [Symbol.asyncDispose]() {
      await turn
    },
  }
}
