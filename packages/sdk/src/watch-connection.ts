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

/** Begins to listen: the connection is opened with its signal, and ended by whoever began it. */
export function watchConnection(outer: AbortSignal | undefined): WatchedConnection {
  const own = new AbortController()
  let timer = setTimeout(() => own.abort(), firstByteMs)
  return {
    signal: outer === undefined ? own.signal : AbortSignal.any([outer, own.signal]),
    heard: (body) =>
      body.pipeThrough(
        new TransformStream({
          transform(chunk, controller) {
            clearTimeout(timer)
            timer = setTimeout(() => own.abort(), silenceMs)
            controller.enqueue(chunk)
          },
        }),
      ),
    end: () => {
      clearTimeout(timer)
      own.abort()
    },
  }
}
