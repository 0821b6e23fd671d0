/** What a stream tells, for as long as its reader may be told more: asked before everything that it is told. */
export async function* toldWhile<T>(stays: () => Promise<boolean>, stream: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const words of stream) {
    if (!(await stays())) return
    yield words
  }
}
