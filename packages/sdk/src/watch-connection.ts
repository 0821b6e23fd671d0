/** The first byte comes at once, unless something holds the stream back. */
const firstByteMs = 10_000
/** A stream may be silent for its heartbeat and as long again; then it is taken for dead. */
const silenceMs = 60_000

/** A stream that is given up when nothing at all is heard of it any more. */
export type WatchedConnection = {
  readonly signal: AbortSignal
  heard(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Not by `using`: Safari has no symbol for it. */
  end(): void
}

/**
 * Begins to listen: the connection is opened with its signal, and ended by whoever began it. Only a read that waits
 * tells of silence: whoever works for an hour on what it was told has not asked for more.
 */
export function watchConnection(outer: AbortSignal | undefined): WatchedConnection {
  const own = new AbortController()
  let isBegun = false
  let timer = setTimeout(() => own.abort(), firstByteMs)
  const patient = (): void => {
    if (!isBegun) return // the first byte has a time of its own
    clearTimeout(timer)
    timer = setTimeout(() => own.abort(), silenceMs)
  }
  return {
    signal: outer === undefined ? own.signal : AbortSignal.any([outer, own.signal]),
    heard(body) {
      const reader = body.getReader()
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            patient()
            const { done, value } = await reader.read()
            isBegun = true
            clearTimeout(timer)
            if (done) controller.close()
            else controller.enqueue(value)
          },
          cancel: (reason) => reader.cancel(reason),
        },
        // Nothing is read before it is asked for.
        { highWaterMark: 0 },
      )
    },
    end: () => {
      clearTimeout(timer)
      own.abort()
    },
  }
}
