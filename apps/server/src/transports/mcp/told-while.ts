import type { ReadableStream } from 'node:stream/web'

/** What a stream tells, for as long as its reader may be told more: asked before everything that it is told. */
export async function* toldWhile(
  stays: () => Promise<boolean>,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const said of stream) {
    if (!(await stays())) return
    yield said
  }
}
