/** What a parser answers: a few words, and bytes that go behind them. */
export type Answer<Result> = { readonly result: Result; readonly bytes?: Uint8Array }

type Order<Job> = { readonly job: Job; readonly bytes: number }

/**
 * The child's half of the pool: one job at a time, its bytes from standard input, the bytes of the answer to standard
 * output. The process ends with whoever started it.
 */
export function serveParser<Job, Result>(answer: (job: Job, bytes: Buffer) => Promise<Answer<Result>>): void {
  const chunks: Buffer[] = []
  let received = 0
  let order: Order<Job> | undefined
  const begin = (): void => {
    if (order === undefined || received < order.bytes) return
    const [{ job }, bytes] = [order, Buffer.concat(chunks, received)]
    order = undefined
    chunks.length = 0
    received = 0
    void answer(job, bytes).then(post, (error: unknown) =>
      process.send?.({ fault: error instanceof Error ? error.message : 'unknown' }),
    )
  }
  process.stdin.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    begin()
  })
  process.on('message', (message) => {
    order = message as Order<Job>
    begin()
  }) // the pool posts nothing else
  // A terminal tells the whole group: the service ends in order, and this process with it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
  process.on('disconnect', () => {
    process.exit()
  })
  process.send?.({ ready: true })
}

function post<Result>({ result, bytes }: Answer<Result>): void {
  process.send?.({ result, bytes: bytes?.length ?? 0 })
  if (bytes !== undefined) process.stdout.write(bytes)
}
