import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Fake = AsyncDisposable & { readonly url: string }

/** Answers every request with what is in `answer`. */
export async function startLiar(answer: unknown): Promise<Fake & { answer: unknown }> {
  const liar = { answer }
  const fake = await startHttp(() =>
    Promise.resolve(typeof liar.answer === 'string' ? liar.answer : JSON.stringify(liar.answer)),
  )
  return Object.assign(liar, fake)
}

export async function startHttp(answer: (body: string) => Promise<string>): Promise<Fake> {
  const server = createServer((request, response) => {
    void text(request)
      .then(answer)
      .then(
        (body) => response.end(body),
        () => response.destroy(),
      )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
